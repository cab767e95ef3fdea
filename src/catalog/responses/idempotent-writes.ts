import { assert } from '../../lib/assert.ts';
import type { CatalogParts, IdempotentAnswer, IdempotentWrites, WriteName } from '../catalog.ts';
import { countChange } from '../database/change-watch.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';

const storedForMs = 86_400_000;
/** At the usual limit of requests to /manage, one key writes as many in a quarter of an hour. */
const storedAnswers = 50_000;
/** SQLite works in the service's own thread: a portion is what it deletes in a few milliseconds. */
const portionRows = 100;

export function createIdempotentWrites(
  database: Database,
  partsOn: (database: Database) => CatalogParts,
): IdempotentWrites {
  const { kysely, clock, watch } = database;
  return {
    async once(name, fingerprint, run) {
      let tookBack = false;
      let isNew = false;
      const stored = await kysely.transaction().execute(async (transaction) => {
        const createdAtMs = clock.now();
        await dropExpired(transaction, name, createdAtMs);
        // If two come at once, the second waits here for the first to commit.
        const { numInsertedOrUpdatedRows: added } = await transaction
          .insertInto('idempotentWrites')
          .values({
            ...name,
            fingerprint,
            answer: null,
            createdAtMs,
          })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow();
        if (added === 0n) return findWrite(transaction, name);
        isNew = true;
        const within: Database['watch'] = {
          ...watch,
          async write(change) {
            const result = await change(transaction);
            tookBack ||= result.ok;
            return result;
          },
        };
        const answer = await run(partsOn({ ...database, kysely: transaction, watch: within }));
        await transaction
          .updateTable('idempotentWrites')
          .set({ answer })
          .where((builder) => builder.and({ ...name }))
          .execute();
        if (tookBack) await countChange(transaction);
        return { fingerprint, answer };
      });
      if (tookBack) watch.notice();
      // TRICKY: after the commit. If this fails, the sender asks again and gets the stored answer.
      if (isNew) await dropTooMany(kysely, name.accountId);
      return stored;
    },

    purge: () => dropOldest(kysely, clock.now() - storedForMs),
  };
}

async function dropExpired(connection: Connection, name: WriteName, nowMs: number) {
  await connection
    .deleteFrom('idempotentWrites')
    .where((builder) => builder.and({ ...name }))
    .where('createdAtMs', '<=', nowMs - storedForMs)
    .execute();
}

/** Deletes a portion of what an account has beyond the newest. */
async function dropTooMany(kysely: Connection, accountId: number): Promise<void> {
  const newest = await kysely
    .selectFrom('idempotentWrites')
    .select(['accountId', 'createdAtMs'])
    .where('accountId', '=', accountId)
    .orderBy('createdAtMs', 'desc')
    .offset(storedAnswers)
    .limit(1)
    .executeTakeFirst();
  if (newest) await dropOldest(kysely, newest.createdAtMs, newest.accountId);
}

/** Deletes the oldest portion of what is not younger; resolves to how many. */
async function dropOldest(kysely: Connection, throughMs: number, accountId?: number) {
  const oldest = kysely
    .selectFrom('idempotentWrites')
    .select('createdAtMs')
    .where(({ eb, lit }) => (accountId === undefined ? lit(true) : eb('accountId', '=', accountId)))
    .where('createdAtMs', '<=', throughMs)
    .orderBy('createdAtMs')
    .limit(portionRows)
    .as('oldest');
  const { numDeletedRows } = await kysely
    .deleteFrom('idempotentWrites')
    .where(({ eb, lit }) => (accountId === undefined ? lit(true) : eb('accountId', '=', accountId)))
    .where('createdAtMs', '<=', (builder) =>
      builder.selectFrom(oldest).select(({ fn }) => fn.max('oldest.createdAtMs').as('through')),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function findWrite(connection: Connection, name: WriteName): Promise<IdempotentAnswer> {
  const { fingerprint, answer } = await connection
    .selectFrom('idempotentWrites')
    .select(['fingerprint', 'answer'])
    .where((builder) => builder.and({ ...name }))
    .executeTakeFirstOrThrow();
  assert(answer !== null, 'a write that was committed has its answer');
  return { fingerprint, answer };
}
