import { sql } from 'kysely';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';

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

/** What the catalog keeps of answers, for their further pages. */

/** All rows of one answer, stored so that its further pages show the same moment. */
interface Snapshot {
  readonly requestId: string;
  readonly accountId: number;
  readonly path: string;
  readonly rowCount: number;
  /** Compressed by the caller. */
  readonly body: Uint8Array;
  readonly asOf: Date;
  readonly completeThrough: Date;
  readonly expiresAt: Date;
}

export interface Snapshots {
  /**
   * Of an account's snapshots together only `roomBytes` are kept: the oldest are deleted. The body
   * is smaller than that.
   */
  keep(snapshot: Snapshot, roomBytes: number): Promise<void>;
  /** Undefined once it has expired or was deleted. */
  find(requestId: string): Promise<Snapshot | undefined>;
  /** Deletes a portion of those expired; resolves to how many, 0 if none is left. */
  purge(): Promise<number>;
}

/**
 * Writes what a power cut may take back, and nothing else. SQLite works in the thread that answers
 * every request, and would hold it up until the disk has synced: long, where a backup is written.
 */
export function withoutSync<Value>(
  { kysely, dialect }: Pick<Database, 'kysely' | 'dialect'>,
  write: (connection: Connection) => Promise<Value>,
): Promise<Value> {
  if (dialect === 'postgres') return write(kysely);
  // Nobody else has the connection meanwhile, and the next who syncs, syncs this too.
  return kysely.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection);
    try {
      return await write(connection);
    } finally {
      await sql`pragma synchronous = full`.execute(connection);
    }
  });
}
