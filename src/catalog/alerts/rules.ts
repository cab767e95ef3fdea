import { randomUUID } from 'node:crypto';
import { accept } from '../../lib/result.ts';
import { findAccount } from '../access/accounts.ts';
import { hasRoom } from '../access/count-limit.ts';
import { checkMaker } from '../access/maker-check.ts';
import { checkName } from '../access/name-check.ts';
import type { NewRule, Rule, Rules, RuleTerms } from '../alerts.ts';
import { describeActor, noteChange } from '../audit/change-entry.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { refused } from '../refusal.ts';
import { keepNewest } from './deliveries.ts';

const rulesPerRead = 500;

export function createRules(database: Database): Rules {
  const { kysely } = database;
  return {
    create: createCreate(database),
    delete: createDelete(database),
    conclude: createConclude(database),

    async list(accountId, subject) {
      const rows = await selectRules(kysely)
        .where('accountId', '=', accountId)
        .where('subject', '=', subject)
        .orderBy('id')
        .execute();
      return rows.map(ruleOf);
    },

    async after(ruleId) {
      const rows = await selectRules(kysely)
        .where('id', '>', ruleId)
        .orderBy('id')
        .limit(rulesPerRead)
        .execute();
      return rows.map(ruleOf);
    },
  };
}

function createCreate(database: Database): Rules['create'] {
  const { kysely, clock, actor } = database;
  return (given) =>
    inTransaction(kysely, async (connection) => {
      const { accountId, terms } = given;
      if (!(await findAccount(connection, accountId))) return refused('NO_ACCOUNT');
      const name = checkName('name', given.name);
      if (!name.ok) return name;
      // A rule has no end: a key that has one would get messages after it.
      const rights = { accountId, scopes: 'stats:read', expiresAtMs: null };
      const allowed = await checkMaker(database, connection, rights);
      if (!allowed.ok) return allowed;
      if (!(await hasRoom(connection, 'rules', accountId))) return refused('TOO_MANY_RULES');
      const nowMs = clock.now();
      const row = await connection
        .insertInto('rules')
        .values({
          ...{ accountId, subject: subjectOf(terms), name: name.value, isFiring: 0 },
          ...{ terms: JSON.stringify(terms), mailTo: given.mailTo.join(' ') },
          ...{ url: given.url ?? null, sealedSecret: given.sealedSecret ?? null },
          ...{ judgedThroughMs: nowMs, createdAtMs: nowMs, ...describeActor(actor) },
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const rule = ruleOf(row);
      const action = rule.subject === 'alert' ? 'ALERT_CREATED' : 'REPORT_CREATED';
      const change = { accountId, object: rule.ruleId, after: noted(rule) };
      await noteChange(database, connection, { action, ...change });
      return accept(rule);
    });
}

function createDelete(database: Database): Rules['delete'] {
  const { kysely } = database;
  return ({ accountId, ruleId, subject }) =>
    inTransaction(kysely, async (connection) => {
      const row = await connection
        .deleteFrom('rules')
        .where('accountId', '=', accountId)
        .where('id', '=', ruleId)
        .where('subject', '=', subject)
        .returningAll()
        .executeTakeFirst();
      if (!row) return refused(subject === 'alert' ? 'NO_ALERT' : 'NO_REPORT');
      await connection
        .updateTable('deliveries')
        .set({ state: 'failed', error: `its ${subject} was deleted` })
        .where('accountId', '=', accountId)
        .where('ruleId', '=', ruleId)
        .where('state', '=', 'waiting')
        .execute();
      const action = subject === 'alert' ? 'ALERT_DELETED' : 'REPORT_DELETED';
      const change = { accountId, object: ruleId, before: noted(ruleOf(row)) };
      await noteChange(database, connection, { action, ...change });
      return accept(undefined);
    });
}

function createConclude({ kysely, clock }: Database): Rules['conclude'] {
  return (rule, { judgedThrough, isFiring, message }) =>
    inTransaction(kysely, async (connection) => {
      const { numUpdatedRows } = await connection
        .updateTable('rules')
        .set({ judgedThroughMs: judgedThrough.getTime(), isFiring: isFiring ? 1 : 0 })
        .where('id', '=', rule.ruleId)
        .where('judgedThroughMs', '=', rule.judgedThrough.getTime())
        .executeTakeFirstOrThrow();
      if (Number(numUpdatedRows) === 0) return false;
      if (message === undefined) return true;
      const nowMs = clock.now();
      const { accountId, ruleId, subject } = rule;
      await connection
        .insertInto('deliveries')
        .values(
          receiversOf(rule).map((to) => ({
            ...{ accountId, ruleId, subject, messageId: drawMessageId(), ...to, ...message },
            ...{ state: 'waiting' as const, attempts: 0, nextAtMs: nowMs, createdAtMs: nowMs },
          })),
        )
        .execute();
      await keepNewest(connection, accountId);
      return true;
    });
}

/** Each gets a message of its own, so that one that fails repeats no other. */
function receiversOf({ url, mailTo }: NewRule) {
  return [
    ...(url === undefined ? [] : [{ channel: 'webhook' as const, receiver: url }]),
    ...mailTo.map((receiver) => ({ channel: 'mail' as const, receiver })),
  ];
}

function drawMessageId(): string {
  return `msg_${randomUUID().replaceAll('-', '')}`;
}

function subjectOf({ kind }: RuleTerms): Rule['subject'] {
  return kind === 'report' ? 'report' : 'alert';
}

function selectRules(connection: Connection) {
  return connection.selectFrom('rules').selectAll();
}

type RuleRow = Awaited<ReturnType<ReturnType<typeof selectRules>['execute']>>[number];

function ruleOf(row: RuleRow): Rule {
  return {
    ruleId: row.id,
    accountId: row.accountId,
    subject: row.subject,
    name: row.name,
    terms: JSON.parse(row.terms) as RuleTerms,
    url: row.url ?? undefined,
    sealedSecret: row.sealedSecret ?? undefined,
    mailTo: row.mailTo === '' ? [] : row.mailTo.split(' '),
    isFiring: row.isFiring === 1,
    judgedThrough: new Date(row.judgedThroughMs),
    createdAt: new Date(row.createdAtMs),
    createdBy: row.actor,
    createdByName: row.actorName,
  };
}

/** What the audit says of it. The rest of a URL may be a secret of the receiver's. */
function noted({ name, terms, url, mailTo }: Rule): object {
  return { name, ...terms, url: url && new URL(url).origin, mailTo };
}
