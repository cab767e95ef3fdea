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
      return rows.map(({ accountId: _, ...row }) => entryOf(row));
    },

    async listOfService({ olderThan, limit }) {
      let query = kysely.selectFrom('serviceAudit').selectAll();
      if (olderThan) {
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('atMs', 'id'), '<', tuple(olderThan.atMs, olderThan.auditId)),
        );
      }
      const rows = await query.orderBy('atMs', 'desc').orderBy('id', 'desc').limit(limit).execute();
      return rows.map(entryOf);
    },
  };
}

type Row = Selectable<Tables['serviceAudit']>;

function entryOf({ id, atMs, beforeJson, afterJson, ...row }: Row): AuditEntry {
  return {
    ...row,
    auditId: id,
    at: new Date(atMs),
    before: membersOf(beforeJson),
    after: membersOf(afterJson),
  };
}

function membersOf(json: string | null): Members | null {
  return json === null ? null : (JSON.parse(json) as Members);
}

/**
 * The entries that an account keeps of each action. By action, so that whoever adds a million
 * videos does not push out who made which key.
 */
const keptEntries = 100_000;
const everyMs = 3_600_000;
/** SQLite works in the service's own thread: a portion is what it deletes in a few milliseconds. */
const portionRows = 100;

interface Kind {
  readonly accountId: number;
  readonly action: string;
}

/** Goes through all accounts and actions once an hour, one of them or one portion a call. */
function createAuditPurge({ kysely, clock }: Database) {
  let last: Kind | undefined;
  let dueAtMs = Number.NEGATIVE_INFINITY;
  return async (keptMs: number): Promise<number> => {
    if (clock.monotonic() < dueAtMs) return 0;
    const next = await nextKind(kysely, last);
    if (!next) {
      if ((await purgeService(kysely, clock.now() - keptMs)) > 0) return 1;
      last = undefined;
      dueAtMs = clock.monotonic() + everyMs;
      return 0;
    }
    const deleted = await purgeKind(kysely, next, clock.now() - keptMs);
    if (deleted < portionRows) last = next;
    return 1;
  };
}

/** The newest of the service are kept as long as those of accounts, and as many. */
async function purgeService(kysely: Connection, expiredMs: number): Promise<number> {
  const tooMany = await kysely
    .selectFrom('serviceAudit')
    .select('atMs')
    .orderBy('atMs', 'desc')
    .orderBy('id', 'desc')
    .offset(keptEntries)
    .limit(1)
    .executeTakeFirst();
  const throughMs = Math.max(expiredMs, tooMany?.atMs ?? expiredMs);
  const portion = await kysely
    .selectFrom('serviceAudit')
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
      .insertInto('serviceAuditPurges')
      .values({ throughMs })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction.deleteFrom('serviceAuditPurges').where('throughMs', '<', throughMs).execute();
    await transaction.deleteFrom('serviceAudit').where('id', 'in', ids).execute();
  });
  return ids.length;
}

function nextKind(kysely: Connection, last: Kind | undefined): Promise<Kind | undefined> {
  return kysely
    .selectFrom('audit')
    .select(['accountId', 'action'])
    .where(({ eb, lit, refTuple, tuple }) =>
      last === undefined
        ? lit(true)
        : eb(refTuple('accountId', 'action'), '>', tuple(last.accountId, last.action)),
    )
    .orderBy('accountId')
    .orderBy('action')
    .limit(1)
    .executeTakeFirst();
}

async function purgeKind(kysely: Connection, kind: Kind, expiredMs: number): Promise<number> {
  const entries = kysely.selectFrom('audit').where((builder) => builder.and({ ...kind }));
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
      .insertInto('auditPurges')
      .values({ ...kind, throughMs })
      .onConflict((conflict) =>
        conflict
          .columns(['accountId', 'action'])
          .doUpdateSet({ throughMs })
          .where('auditPurges.throughMs', '<', throughMs),
      )
      .execute();
    await transaction.deleteFrom('audit').where('id', 'in', ids).execute();
  });
  return ids.length;
}
