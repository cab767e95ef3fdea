import { sql } from 'kysely';
import type { Result } from '../../lib/result.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { createLruCache } from '../../lib/values/lru-cache.ts';
import type { Connection } from './connection.ts';
import { answerInTime, answersWithinMs } from './statement-deadline.ts';

/**
 * Invalidates the caches. Every write that takes something back (a key revoked, a video
 * deleted, a time zone changed) increments one row in its own transaction; each process reads that
 * row at most once a second, when it is queried. So a change takes effect at once where it was
 * made and a second later everywhere else. Additions don't increment it: an import of a
 * million videos leaves the caches warm.
 */
export interface ChangeWatch {
  /** Grows with every change that was noticed. Earlier answers are void. Rarely a promise. */
  generation(): Promise<number> | number;
  /** The same without a query: shows whether a change came in during a read. */
  lastGeneration(): number;
  /** Runs a write that takes something back. One that refuses must not have written anything. */
  write<Value, Reason>(
    run: (connection: Connection) => Promise<Result<Value, Reason>>,
  ): Promise<Result<Value, Reason>>;
  /** Call it after committing a transaction that counted a change. */
  notice(): void;
}

export const pollIntervalMs = 1_000;

export function watchChanges(kysely: Connection, clock: Clock): ChangeWatch {
  let generation = 0;
  let seenCount: number | undefined;
  let polledAtMs = Number.NEGATIVE_INFINITY;
  let polling: Promise<void> | undefined;

  async function poll() {
    const startedAtMs = clock.monotonic();
    const row = await kysely.selectFrom('changeCount').select('count').executeTakeFirstOrThrow();
    if (row.count !== seenCount) generation += 1;
    seenCount = row.count;
    polledAtMs = startedAtMs;
  }

  /** Once late, everybody is refused at once until the database answers. */
  function pollInTime() {
    const polled = poll();
    const forget = () => {
      polling = undefined;
    };
    void polled.then(forget, forget);
    return answerInTime(clock, answersWithinMs, polled);
  }

  return {
    generation() {
      if (clock.monotonic() - polledAtMs < pollIntervalMs) return generation;
      polling ??= pollInTime();
      return polling.then(() => generation);
    },

    lastGeneration: () => generation,

    async write(run) {
      const result = await kysely.transaction().execute(async (transaction) => {
        const outcome = await run(transaction);
        if (outcome.ok) await countChange(transaction);
        return outcome;
      });
      if (result.ok) generation += 1;
      return result;
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

/** A bounded cache that is emptied by every change in the catalog. */
interface WatchedCache<Key extends {}, Value extends {}> {
  /**
   * Await it before `get`; values read from the database after it may be `set`. Rarely a promise.
   */
  refresh(): Promise<number> | number;
  get(key: Key): Value | undefined;
  /** Does nothing if a change came in since that generation: the value may be outdated. */
  set(generation: number, key: Key, value: Value): void;
}

export function createWatchedCache<Key extends {}, Value extends {}>(
  watch: ChangeWatch,
  entryLimit: number,
): WatchedCache<Key, Value> {
  const entries = createLruCache<Key, Value>(entryLimit);
  let heldGeneration = -1;
  const hold = (generation: number): number => {
    if (generation !== heldGeneration) entries.clear();
    heldGeneration = generation;
    return generation;
  };
  return {
    refresh() {
      const generation = watch.generation();
      return typeof generation === 'number' ? hold(generation) : generation.then(hold);
    },
    get: (key) => entries.get(key),
    set(generation, key, value) {
      const isCurrent = generation === heldGeneration && generation === watch.lastGeneration();
      if (isCurrent) entries.set(key, value);
    },
  };
}
