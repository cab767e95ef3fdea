import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { assert } from '../../lib/assert.ts';
import { accept } from '../../lib/result.ts';
import type { ErasureState, ErasureTarget } from '../../vocabulary/erasures.ts';
import { describeActor, noteChange } from '../audit/change-entry.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { holdAccount } from '../database/row-locks.ts';
import type { ErasureRow } from '../database/tables.ts';
import type { ErasedCounts, Erasure, Erasures } from '../erasures.ts';
import { deleteAnnotations } from '../library/annotation-row.ts';
import { deleteSavedViews } from '../people/saved-views.ts';
import { mostOpenErasures, refused } from '../refusal.ts';
import { revokeAllShares } from '../shares/shares.ts';
import { addNames, listNames, readErasedUntil, readViews } from './erased-names.ts';

const listed = 10_000;
const openPerRead = 100;

export function createErasures(database: Database): Erasures {
  const { kysely, watch } = database;
  return {
    record: (target, counts) =>
      watch.write((connection) => record(database, connection, target, counts)),

    takeOver: (erasure, views) =>
      watch.write((connection) => takeOver(database, connection, erasure, views)),

    async find(receipt) {
      const row = await find(kysely, receipt);
      return row && toErasure(row);
    },

    async list(accountId) {
      const rows = await kysely
        .selectFrom('erasures')
        .selectAll()
        .where(({ eb, lit }) =>
          accountId === undefined ? lit(true) : eb('accountId', '=', accountId),
        )
        .orderBy('atMs', 'desc')
        .orderBy('receipt')
        .limit(listed)
        .execute();
      return rows.map(toErasure);
    },

    async open() {
      const rows = await kysely
        .selectFrom('erasures')
        .selectAll()
        .where('state', '!=', 'done')
        .orderBy('atMs')
        .limit(openPerRead)
        .execute();
      return rows.map(toErasure);
    },

    viewsOf: (receipt) => readViews(kysely, receipt),

    async addViews(receipt, views) {
      const result = await watch.write<undefined, never>(async (connection) => {
        const row = await findRow(connection, receipt);
        await addNames(connection, row, listNames({ kind: 'views', views }));
        return accept(undefined);
      });
      assert(result.ok, 'adding views is never refused');
    },

    async advance(receipt, states, counts) {
      const result = await watch.write<undefined, never>(async (connection) => {
        await advance(database, connection, { receipt, ...states }, counts);
        return accept(undefined);
      });
      assert(result.ok, 'an erasure that goes on is never refused');
    },

    erasedUntil: (accountId, names) => readErasedUntil(kysely, accountId, names),
  };
}

async function record(
  database: Database,
  connection: Connection,
  target: ErasureTarget,
  counts: ErasedCounts,
): ReturnType<Erasures['record']> {
  const { accountId } = target;
  if (!(await holdAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
  if (!(await hasRoom(connection, accountId))) return refused('TOO_MANY_ERASURES');
  const row = toRow(database, target, counts);
  await insert(connection, row, target.views);
  if (isWholeAccount(row)) await deleteWhatIsBeside(database, connection, accountId);
  const { receipt, kind, packageId, videoId } = row;
  const until = new Date(target.untilMs).toISOString();
  const after = { kind, packageId, videoId, until, ...counts };
  const change = { accountId, action: 'PLAYBACK_ERASED' as const, object: receipt, after };
  await noteChange(database, connection, change);
  return accept(toErasure(row));
}

/** What shows the account's playback, or tells of it. */
async function deleteWhatIsBeside(
  database: Database,
  connection: Connection,
  accountId: number,
): Promise<void> {
  await revokeAllShares(database, connection, accountId);
  await deleteAnnotations(database, connection, { accountId });
  await deleteSavedViews(database, connection, { accountId });
}

async function takeOver(
  database: Database,
  connection: Connection,
  erasure: Erasure,
  views: readonly string[],
): ReturnType<Erasures['takeOver']> {
  const { accountId, receipt } = erasure;
  if (!(await holdAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
  if (await find(connection, receipt)) return accept(false);
  const { at, endedAt: _, ...members } = erasure;
  const row = { ...members, atMs: at.getTime(), endedAtMs: null, state: 'waiting' as const };
  await insert(connection, row, views);
  if (isWholeAccount(row)) await deleteWhatIsBeside(database, connection, accountId);
  const after = { kind: erasure.kind, repeated: true };
  const change = { accountId, action: 'PLAYBACK_ERASED' as const, object: receipt, after };
  await noteChange(database, connection, change);
  return accept(true);
}

async function advance(
  database: Database,
  connection: Connection,
  { receipt, from, to }: { receipt: string; from: ErasureState; to: ErasureState },
  counts: ErasedCounts | undefined,
): Promise<void> {
  const nowMs = database.clock.now();
  const row = await findRow(connection, receipt);
  await holdAccount(database, connection, row.accountId);
  const { numUpdatedRows } = await connection
    .updateTable('erasures')
    .set({
      state: to,
      views: Math.max(row.views, counts?.views ?? 0),
      facts: Math.max(row.facts, counts?.facts ?? 0),
      endedAtMs: to === 'done' ? nowMs : null,
    })
    .where('receipt', '=', receipt)
    .where('state', '=', from)
    .executeTakeFirstOrThrow();
  if (Number(numUpdatedRows) === 0) return;
  if (to === 'summing') await voidAnswers(connection, row.accountId, nowMs);
  if (to === 'deleting' && isOfAllBefore(row)) await forgetKeptSince(connection, row);
}

async function findRow(connection: Connection, receipt: string): Promise<ErasureRow> {
  const row = await find(connection, receipt);
  assert(row, 'an erasure that goes on was recorded');
  return row;
}

function find(connection: Connection, receipt: string): Promise<ErasureRow | undefined> {
  return connection
    .selectFrom('erasures')
    .selectAll()
    .where('receipt', '=', receipt)
    .executeTakeFirst();
}

async function hasRoom(connection: Connection, accountId: number): Promise<boolean> {
  const { count } = await connection
    .selectFrom('erasures')
    .select((builder) => builder.fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('state', '!=', 'done')
    .executeTakeFirstOrThrow();
  return Number(count) < mostOpenErasures;
}

function toRow(
  { clock, actor }: Database,
  { views: _, ...target }: ErasureTarget,
  { views, facts }: ErasedCounts,
): ErasureRow {
  return {
    ...{ receipt: randomUUID(), ...target, state: 'waiting', views, facts },
    ...{ atMs: clock.now(), ...describeActor(actor), endedAtMs: null },
  };
}

async function insert(
  connection: Connection,
  row: ErasureRow,
  views: readonly string[],
): Promise<void> {
  const { accountId, kind, untilMs } = row;
  await connection.insertInto('erasures').values(row).execute();
  const later = sql<number>`case when kept_since_ms < ${untilMs} then ${untilMs}
    else kept_since_ms end`;
  await connection
    .updateTable('accounts')
    .set({ isErased: 1 })
    .$if(kind === 'facts', (query) => query.set({ keptSinceMs: later }))
    .where('id', '=', accountId)
    .execute();
  await addNames(connection, row, listNames({ ...row, views }));
}

/** What is left of the account is its library: there is nothing to show to anybody. */
function isWholeAccount(row: ErasureRow): boolean {
  return isOfAllBefore(row) && row.untilMs > row.atMs;
}

/** Of all videos and packages. */
function isOfAllBefore({ kind, packageId, videoId }: ErasureRow): boolean {
  return kind === 'playback' && packageId === 0 && videoId === 0;
}

/** Sums without facts are gone as well: what is asked about their days is answered again. */
async function forgetKeptSince(connection: Connection, { accountId, untilMs }: ErasureRow) {
  await connection
    .updateTable('accounts')
    .set({ keptSinceMs: 0 })
    .where('id', '=', accountId)
    .where('keptSinceMs', '<=', untilMs)
    .execute();
}

/** Sums of a higher epoch take the place of larger ones. */
async function voidAnswers(connection: Connection, accountId: number, nowMs: number) {
  await connection
    .updateTable('accounts')
    .set({ verdictEpoch: sql<number>`verdict_epoch + 1`, answersSinceMs: nowMs })
    .where('id', '=', accountId)
    .execute();
  await connection.deleteFrom('snapshots').where('accountId', '=', accountId).execute();
}

function toErasure({ atMs, endedAtMs, ...row }: ErasureRow): Erasure {
  return {
    ...row,
    at: new Date(atMs),
    endedAt: endedAtMs === null ? undefined : new Date(endedAtMs),
  };
}
