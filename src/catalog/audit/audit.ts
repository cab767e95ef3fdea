import type { Selectable } from 'kysely';
import type { Audit, AuditEntry, Members } from '../audit.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

export function createAudit(database: Database): Audit {
  const { kysely } = database;
  return {
    purge: createAuditPurge(database),

    async list(accountId, { from, to, action, actor, olderThan, limit }) {
      let query = kysely.selectFrom('audit').selectAll().where('accountId', '=', accountId);
      if (from) query = query.where('atMs', '>=', from.getTime());
      if (to) query = query.where('atMs', '<', to.getTime());
      if (action) query = query.where('action', '=', action);
      if (actor) query = query.where('actor', '=', actor);
      if (olderThan) {
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('atMs', 'id'), '<', tuple(olderThan.atMs, olderThan.auditId)),
        );
      }
      const rows = await query.orderBy('atMs', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return rows.map(({ accountId: _, ...row }) => toEntry(row));
    },

    async listOfService({ olderThan, limit }) {
      let query = kysely.selectFrom('serviceAudit').selectAll();
      if (olderThan) {
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('atMs', 'id'), '<', tuple(olderThan.atMs, olderThan.auditId)),
        );
      }
      const rows = await query.orderBy('atMs', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return rows.map(toEntry);
    },
  };
}

type Row = Selectable<Tables['serviceAudit']>;

function toEntry({ id, atMs, beforeJson, afterJson, ...row }: Row): AuditEntry {
  return {
    ...row,
    auditId: id,
    at: new Date(atMs),
    before: parseMembers(beforeJson),
    after: parseMembers(afterJson),
  };
}

function parseMembers(json: string | null): Members | null {
  return json === null ? null : (JSON.parse(json) as Members);
}

/**
 * The entries that an account, and the service, keep of each action. By action, so that whoever
 * adds a million videos, or guesses passwords, does not push out who made which key or operator.
 */
const keptEntries = 100_000;
const everyMs = 3_600_000;
/** SQLite works in the service's own thread: a portion is what it deletes in a few milliseconds. */
const portionRows = 100;

/** Undefined: of the service. */
interface Kind {
  readonly accountId: number | undefined;
  readonly action: string;
}

const beginning: Kind = { accountId: undefined, action: '' };

/** Goes through the service, all accounts and actions once an hour, one or one portion a call. */
function createAuditPurge({ kysely, clock }: Database) {
  let last = beginning;
  let dueAtMs = Number.NEGATIVE_INFINITY;
  return async (keptMs: number): Promise<number> => {
    if (clock.monotonic() < dueAtMs) return 0;
    const next = await nextKind(kysely, last);
    if (!next) {
      last = beginning;
      dueAtMs = clock.monotonic() + everyMs;
      return 0;
    }
    const deleted = await purgeKind(kysely, next, clock.now() - keptMs);
    if (deleted < portionRows) last = next;
    return 1;
  };
}

async function nextKind(
  kysely: Connection,
  { accountId, action }: Kind,
): Promise<Kind | undefined> {
  if (accountId === undefined) {
    const ofService = await kysely
      .selectFrom('serviceAudit')
      .select('action')
      .where('action', '>', action)
      .orderBy('action')
      .limit(1)
      .executeTakeFirst();
    if (ofService) return { accountId, ...ofService };
  }
  return kysely
    .selectFrom('audit')
    .select(['accountId', 'action'])
    .where(({ eb, lit, refTuple, tuple }) =>
      accountId === undefined
        ? lit(true)
        : eb(refTuple('accountId', 'action'), '>', tuple(accountId, action)),
    )
    .orderBy('accountId')
    .orderBy('action')
    .limit(1)
    .executeTakeFirst();
}

async function purgeKind(
  kysely: Connection,
  { accountId, action }: Kind,
  expiredMs: number,
): Promise<number> {
  const [table, purges, kind] =
    accountId === undefined
      ? (['serviceAudit', 'serviceAuditPurges', { action }] as const)
      : (['audit', 'auditPurges', { accountId, action }] as const);
  const entries = kysely.selectFrom(table).where((builder) => builder.and(kind));
  const tooMany = await entries
    .select('atMs')
    .orderBy('atMs', 'desc')
    .orderBy('id', 'desc')
    .offset(keptEntries)
    .limit(1)
    .executeTakeFirst();
  const throughMs = Math.max(expiredMs, tooMany?.atMs ?? expiredMs);
  const portion = await entries
    .select('id')
    .where('atMs', '<=', throughMs)
    .orderBy('atMs')
    .orderBy('id')
    .limit(portionRows)
    .execute();
  if (portion.length === 0) return 0;
  const ids = portion.map(({ id }) => id);
  await kysely.transaction().execute(async (transaction) => {
    // The database lets go only of what stands here.
    await transaction
      .insertInto(purges)
      .values({ ...kind, throughMs })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction
      .updateTable(purges)
      .set({ throughMs })
      .where((builder) => builder.and(kind))
      .execute();
    await transaction.deleteFrom(table).where('id', 'in', ids).execute();
  });
  return ids.length;
}
