import { randomUUID } from 'node:crypto';
import { accept } from '../../lib/result.ts';
import { holdOpenAccount } from '../access/accounts.ts';
import { hasRoom } from '../access/count-limit.ts';
import { checkMaker } from '../access/maker-check.ts';
import { checkName } from '../access/name-check.ts';
import type { NewRule, Rule, RuleMessage, RuleName, Rules, RuleTerms } from '../alerts.ts';
import { describeActor, noteChange } from '../audit/change-entry.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { lockRows } from '../database/row-locks.ts';
import { parsePackages, storedPackages } from '../people/person-row.ts';
import { refused } from '../refusal.ts';
import { keepNewest, toDelivery } from './deliveries.ts';

const rulesPerRead = 500;
const missing = { alert: 'NO_ALERT', report: 'NO_REPORT' } as const;

export function createRules(database: Database): Rules {
  const { kysely } = database;
  return {
    create: createCreate(database),
    change: createChange(database),
    delete: createDelete(database),
    conclude: createConclude(database),
    send: createSend(database),

    async list(accountId, subject) {
      const rows = await selectRules(kysely)
        .where('accountId', '=', accountId)
        .where('subject', '=', subject)
        .orderBy('id')
        .execute();
      return rows.map(toRule);
    },

    async find(name) {
      const row = await selectRule(kysely, name).executeTakeFirst();
      return row && toRule(row);
    },

    async after(ruleId) {
      const rows = await selectRules(kysely)
        .where('id', '>', ruleId)
        .orderBy('id')
        .limit(rulesPerRead)
        .execute();
      return rows.map(toRule);
    },
  };
}

function createCreate(database: Database): Rules['create'] {
  const { kysely, clock, actor } = database;
  return (given) =>
    inTransaction(kysely, async (connection) => {
      const { accountId, terms } = given;
      if (!(await holdOpenAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
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
          ...{ accountId, subject: findSubject(terms), name: name.value, isFiring: 0 },
          ...{ terms: JSON.stringify(terms), mailTo: given.mailTo.join(' ') },
          ...{ url: given.url ?? null, sealedSecret: given.sealedSecret ?? null },
          ...{ judgedThroughMs: nowMs, createdAtMs: nowMs, ...describeActor(actor) },
          packages: storedPackages(given.packageIds),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const rule = toRule(row);
      const action = rule.subject === 'alert' ? 'ALERT_CREATED' : 'REPORT_CREATED';
      const change = { accountId, object: rule.ruleId, after: noted(rule) };
      await noteChange(database, connection, { action, ...change });
      return accept(rule);
    });
}

function createChange(database: Database): Rules['change'] {
  const { kysely, clock } = database;
  return (of, revise) =>
    inTransaction(kysely, async (connection) => {
      const row = await lockRows(database, selectRule(connection, of)).then(([row]) => row);
      if (!row) return refused(missing[of.subject]);
      const before = toRule(row);
      const { isPaused, ...given } = revise(before);
      const wanted = { ...before, ...given, isPaused: isPaused ?? before.isPaused };
      const name = checkName('name', wanted.name);
      if (!name.ok) return name;
      const rights = { accountId: of.accountId, scopes: 'stats:read', expiresAtMs: null };
      const allowed = await checkMaker(database, connection, rights);
      if (!allowed.ok) return allowed;
      const terms = JSON.stringify(wanted.terms);
      // Neither the time of other terms nor that of a pause is judged afterwards.
      const beginsAnew = terms !== row.terms || (before.isPaused && !wanted.isPaused);
      const changed = await connection
        .updateTable('rules')
        .set({
          ...{ name: name.value, terms, isPaused: wanted.isPaused ? 1 : 0 },
          ...{ url: wanted.url ?? null, sealedSecret: wanted.sealedSecret ?? null },
          mailTo: wanted.mailTo.join(' '),
          ...(beginsAnew ? { judgedThroughMs: clock.now() } : {}),
          ...(terms === row.terms ? {} : { isFiring: 0 as const }),
        })
        .where('id', '=', row.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      const rule = toRule(changed);
      const action = of.subject === 'alert' ? 'ALERT_CHANGED' : 'REPORT_CHANGED';
      const change = { accountId: of.accountId, object: rule.ruleId };
      const states = { before: noted(before), after: noted(rule) };
      await noteChange(database, connection, { action, ...change, ...states });
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
      if (!row) return refused(missing[subject]);
      await connection
        .updateTable('deliveries')
        .set({ state: 'failed', error: `its ${subject} was deleted` })
        .where('accountId', '=', accountId)
        .where('ruleId', '=', ruleId)
        .where('state', '=', 'waiting')
        .execute();
      const action = subject === 'alert' ? 'ALERT_DELETED' : 'REPORT_DELETED';
      const change = { accountId, object: ruleId, before: noted(toRule(row)) };
      await noteChange(database, connection, { action, ...change });
      return accept(undefined);
    });
}

function createConclude(database: Database): Rules['conclude'] {
  const { kysely } = database;
  return (rule, { judgedThrough, isFiring, message }) =>
    inTransaction(kysely, async (connection) => {
      const row = await connection
        .updateTable('rules')
        .set({ judgedThroughMs: judgedThrough.getTime(), isFiring: isFiring ? 1 : 0 })
        .where('id', '=', rule.ruleId)
        .where('judgedThroughMs', '=', rule.judgedThrough.getTime())
        .where('isPaused', '=', 0)
        .returningAll()
        .executeTakeFirst();
      if (!row) return false;
      // Of the rule as it is now: its receivers may have changed since it was read.
      if (message !== undefined) await addDeliveries(database, connection, toRule(row), message);
      return true;
    });
}

function createSend(database: Database): Rules['send'] {
  const { kysely } = database;
  return (of, message) =>
    inTransaction(kysely, async (connection) => {
      const row = await selectRule(connection, of).executeTakeFirst();
      if (!row) return refused(missing[of.subject]);
      const rule = toRule(row);
      const rows = await addDeliveries(database, connection, rule, message);
      const change = { accountId: of.accountId, object: of.ruleId, after: { type: message.type } };
      const action = of.subject === 'alert' ? 'ALERT_TESTED' : 'REPORT_TESTED';
      await noteChange(database, connection, { action, ...change });
      return accept(rows.map(toDelivery));
    });
}

async function addDeliveries(
  { clock }: Database,
  connection: Connection,
  rule: Rule,
  message: RuleMessage,
) {
  const nowMs = clock.now();
  const { accountId, ruleId, subject } = rule;
  const rows = await connection
    .insertInto('deliveries')
    .values(
      toReceivers(rule).map((to) => ({
        ...{ accountId, ruleId, subject, messageId: drawMessageId(), ...to, ...message },
        ...{ state: 'waiting' as const, attempts: 0, nextAtMs: nowMs, createdAtMs: nowMs },
      })),
    )
    .returningAll()
    .execute();
  await keepNewest(connection, accountId);
  return rows;
}

/** Each gets a message of its own, so that one that fails repeats no other. */
function toReceivers({ url, mailTo }: NewRule) {
  return [
    ...(url === undefined ? [] : [{ channel: 'webhook' as const, receiver: url }]),
    ...mailTo.map((receiver) => ({ channel: 'mail' as const, receiver })),
  ];
}

function drawMessageId(): string {
  return `msg_${randomUUID().replaceAll('-', '')}`;
}

function findSubject({ kind }: RuleTerms): Rule['subject'] {
  return kind === 'report' ? 'report' : 'alert';
}

function selectRules(connection: Connection) {
  return connection.selectFrom('rules').selectAll();
}

function selectRule(connection: Connection, { accountId, ruleId, subject }: RuleName) {
  return selectRules(connection)
    .where('accountId', '=', accountId)
    .where('id', '=', ruleId)
    .where('subject', '=', subject);
}

type RuleRow = Awaited<ReturnType<ReturnType<typeof selectRules>['execute']>>[number];

function toRule(row: RuleRow): Rule {
  return {
    ruleId: row.id,
    accountId: row.accountId,
    subject: row.subject,
    name: row.name,
    terms: JSON.parse(row.terms) as RuleTerms,
    url: row.url ?? undefined,
    sealedSecret: row.sealedSecret ?? undefined,
    mailTo: row.mailTo === '' ? [] : row.mailTo.split(' '),
    packageIds: parsePackages(row.packages),
    isFiring: row.isFiring === 1,
    isPaused: row.isPaused === 1,
    judgedThrough: new Date(row.judgedThroughMs),
    createdAt: new Date(row.createdAtMs),
    createdBy: row.actor,
    createdByName: row.actorName,
  };
}

/** What the audit says of it. The rest of a URL may be a secret of the receiver's. */
function noted({ name, terms, url, mailTo, packageIds, isPaused }: Rule): object {
  return { name, ...terms, url: url && new URL(url).origin, mailTo, packageIds, isPaused };
}
