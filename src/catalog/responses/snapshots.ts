import type { Snapshots } from '../catalog.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { withoutSync } from '../database/unsynced-writes.ts';

/** SQLite works in the service's own thread: a portion is what it deletes in a few milliseconds. */
const portionRows = 100;
/** A row takes a page of the database however little is in it. */
const leastBytes = 4_096;

/** After a power cut their further pages are asked for in vain, as those of expired ones are. */
export function createSnapshots(database: Database): Snapshots {
  const { kysely, clock } = database;
  return {
    keep({ asOf, completeThrough, expiresAt, ...snapshot }, roomBytes) {
      return withoutSync(database, async (connection) => {
        await connection
          .insertInto('snapshots')
          .values({
            ...snapshot,
            bytes: Math.max(leastBytes, snapshot.body.byteLength),
            asOfMs: asOf.getTime(),
            completeThroughMs: completeThrough.getTime(),
            expiresAtMs: expiresAt.getTime(),
          })
          .execute();
        await makeRoom(connection, snapshot, roomBytes);
      });
    },

    async find(requestId) {
      const row = await kysely
        .selectFrom('snapshots')
        .innerJoin('accounts', 'accounts.id', 'snapshots.accountId')
        .selectAll('snapshots')
        .where('requestId', '=', requestId)
        .where('expiresAtMs', '>', clock.now())
        // Of before an erasure it would show what is gone.
        .whereRef('asOfMs', '>=', 'answersSinceMs')
        .executeTakeFirst();
      if (!row) return undefined;
      const { asOfMs, completeThroughMs, expiresAtMs, bytes: _, ...snapshot } = row;
      return {
        ...snapshot,
        asOf: new Date(asOfMs),
        completeThrough: new Date(completeThroughMs),
        expiresAt: new Date(expiresAtMs),
      };
    },

    async purge() {
      const { numDeletedRows } = await withoutSync(database, (connection) =>
        connection
          .deleteFrom('snapshots')
          .where('requestId', 'in', (builder) =>
            builder
              .selectFrom('snapshots')
              .select('requestId')
              .where('expiresAtMs', '<=', clock.now())
              .limit(portionRows),
          )
          .executeTakeFirstOrThrow(),
      );
      return Number(numDeletedRows);
    },
  };
}

/** Deletes the oldest of the account until the others and this one fit, or a portion is deleted. */
async function makeRoom(
  kysely: Connection,
  kept: { readonly accountId: number; readonly requestId: string },
  roomBytes: number,
): Promise<void> {
  const ofAccount = kysely.selectFrom('snapshots').where('accountId', '=', kept.accountId);
  const { total } = await ofAccount
    .select(({ fn }) => fn.sum<number>('bytes').as('total'))
    .executeTakeFirstOrThrow();
  let excess = Number(total) - roomBytes;
  if (excess <= 0) return;
  const oldest = await ofAccount
    .select(['requestId', 'bytes'])
    .where('requestId', '!=', kept.requestId)
    .orderBy('expiresAtMs')
    .limit(portionRows)
    .execute();
  const dropped: string[] = [];
  for (const { requestId, bytes } of oldest) {
    if (excess <= 0) break;
    dropped.push(requestId);
    excess -= bytes;
  }
  if (dropped.length === 0) return;
  await kysely.deleteFrom('snapshots').where('requestId', 'in', dropped).execute();
}
