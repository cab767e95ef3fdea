import { sql } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import type { Connection } from './database.ts';

/**
 * Tells the caches when to forget. Every write that takes something back (a key revoked, a video
 * deleted, a time zone changed) counts up one row in its own transaction; each process reads that
 * row at most once a second, when it is asked something. So a change holds at once where it was
 * made and a second later everywhere else. What is only added counts nothing: an import of a
 * million videos leaves the caches warm.
 */
export interface ChangeWatch {
  /** Grows with every change that was noticed. Answers known before are void. */
  generation(): Promise<number>;
  /** The same without looking: to see whether a change came in while one was reading. */
  lastGeneration(): number;
  /** Runs a write that takes something back. */
  write<Value>(run: (connection: Connection) => Promise<Value>): Promise<Value>;
  /** For whoever counted a change in a transaction of their own: it is committed. */
  notice(): void;
}

export const pollIntervalMs = 1_000;

export function watchChanges(kysely: Connection, clock: Clock): ChangeWatch {
  let generation = 0;
  let seenCount: number | undefined;
  let polledAtMs = Number.NEGATIVE_INFINITY;
  let polling: Promise<void> | undefined;

  async function poll() {
    const startedAtMs = clock.now();
    const row = await kysely.selectFrom('changeCount').select('count').executeTakeFirstOrThrow();
    if (row.count !== seenCount) generation += 1;
    seenCount = row.count;
    polledAtMs = startedAtMs;
  }

  return {
    async generation() {
      // The distance, because a wall clock may be set back.
      if (Math.abs(clock.now() - polledAtMs) >= pollIntervalMs) {
        polling ??= poll().finally(() => {
          polling = undefined;
        });
        await polling;
      }
      return generation;
    },

    lastGeneration: () => generation,

    async write(run) {
      const value = await kysely.transaction().execute(async (transaction) => {
        const result = await run(transaction);
        await countChange(transaction);
        return result;
      });
      generation += 1;
      return value;
    },

    notice() {
      generation += 1;
    },
  };
}

/** Last in a transaction, so that on PostgreSQL this one row is locked only while it commits. */
export async function countChange(transaction: Connection): Promise<void> {
  await transaction.updateTable('changeCount').set({ count: sql<number>`count + 1` }).execute();
}
