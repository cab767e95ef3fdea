import { assert } from '../../lib/assert.ts';
import type { CatalogParts, IdempotentAnswer, IdempotentWrites, WriteName } from '../catalog.ts';
import { countChange } from '../database/change-watch.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';

const storedForMs = 86_400_000;
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
      const stored = await kysely.transaction().execute(async (transaction) => {
        const createdAtMs = clock.now();
        await dropExpired(transaction, name, createdAtMs);
        // If two come at once, the second waits here for the first to commit.
        const { numInsertedOrUpdatedRows: added } = await transaction
          .insertInto('idempotentWrites')
          .values({ ...name, fingerprint, answer: null, createdAtMs })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow();
        if (added === 0n) return findWrite(transaction, name);
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
      return stored;
    },

    async purge() {
      const { numDeletedRows } = await kysely
        .deleteFrom('idempotentWrites')
        .where('createdAtMs', '<=', (builder) =>
          builder
            .selectFrom((oldest) =>
              oldest
                .selectFrom('idempotentWrites')
                .select('createdAtMs')
                .where('createdAtMs', '<=', clock.now() - storedForMs)
                .orderBy('createdAtMs')
                .limit(portionRows)
                .as('oldest'),
            )
            .select(({ fn }) => fn.max('oldest.createdAtMs').as('through')),
        )
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

async function dropExpired(connection: Connection, name: WriteName, nowMs: number) {
  await connection
    .deleteFrom('idempotentWrites')
    .where((builder) => builder.and({ ...name }))
    .where('createdAtMs', '<=', nowMs - storedForMs)
    .execute();
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
