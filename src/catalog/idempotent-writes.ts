import { assert } from '../lib/assert.ts';
import type { CatalogParts, IdempotentWrites, KeptWrite, WriteName } from './catalog.ts';
import { countChange } from './change-watch.ts';
import type { Connection } from './database.ts';
import type { Store } from './store.ts';

const keptForMs = 86_400_000;

export function createIdempotentWrites(
  store: Store,
  partsOn: (store: Store) => CatalogParts,
): IdempotentWrites {
  const { kysely, clock, watch } = store;
  return {
    async once(name, fingerprint, run) {
      let tookBack = false;
      const kept = await kysely.transaction().execute(async (transaction) => {
        const createdAtMs = clock.now();
        await dropExpired(transaction, name, createdAtMs);
        // Of two at once the second waits here for the first to commit.
        const { numInsertedOrUpdatedRows: added } = await transaction
          .insertInto('idempotentWrites')
          .values({ ...name, fingerprint, answer: null, createdAtMs })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow();
        if (added === 0n) return findWrite(transaction, name);
        const within: Store['watch'] = {
          ...watch,
          write(change) {
            tookBack = true;
            return change(transaction);
          },
        };
        const answer = await run(partsOn({ ...store, kysely: transaction, watch: within }));
        await transaction
          .updateTable('idempotentWrites')
          .set({ answer })
          .where((builder) => builder.and({ ...name }))
          .execute();
        if (tookBack) await countChange(transaction);
        return { fingerprint, answer };
      });
      if (tookBack) watch.notice();
      return kept;
    },

    async purge() {
      const { numDeletedRows } = await kysely
        .deleteFrom('idempotentWrites')
        .where('createdAtMs', '<=', clock.now() - keptForMs)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

async function dropExpired(connection: Connection, name: WriteName, nowMs: number) {
  await connection
    .deleteFrom('idempotentWrites')
    .where((builder) => builder.and({ ...name }))
    .where('createdAtMs', '<=', nowMs - keptForMs)
    .execute();
}

async function findWrite(connection: Connection, name: WriteName): Promise<KeptWrite> {
  const { fingerprint, answer } = await connection
    .selectFrom('idempotentWrites')
    .select(['fingerprint', 'answer'])
    .where((builder) => builder.and({ ...name }))
    .executeTakeFirstOrThrow();
  assert(answer !== null, 'a write that was committed has its answer');
  return { fingerprint, answer };
}
