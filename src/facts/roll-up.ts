/**
 * The roll-up: sums the slots just touched again, from the facts, into `playback`.
 *
 * Nothing here needs a lock, a leader or exactly-once: sums of growing values only grow, and
 * `playback` keeps the largest, so a roll-up may be repeated, overlap, or run on many nodes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../lib/logger.ts';
import { oneAtATime } from '../lib/one-at-a-time.ts';
import { sumTouchedDays, touchedDaysOf } from './day-sums.ts';
import { createEngineClock } from './engine-clock.ts';
import { type FactStore, writeTimeoutMs } from './fact-store.ts';
import { dropTouched, type Progress, readProgress, saveProgress } from './roll-up-progress.ts';
import { sumTouched } from './sum-touched.ts';

export interface RollUpPace {
  /** Pause between two roll-ups. */
  readonly everyMs: number;
  /** Least time between two sums of whole days. */
  readonly daysEveryMs: number;
  /**
   * Invariant: longer than any acknowledged insert took, and a slot's note may be older than it. A
   * note is stamped when its insert begins and seen when it ends, so one stamped before the last
   * roll-up may have been seen by none yet.
   */
  readonly lookBackMs: number;
  /** For how long a slot that a write noted as touched needs no other note. */
  readonly touchAgainMs: number;
}

const touchAgainMs = 2_000;
export const usualPace: RollUpPace = {
  everyMs: 500,
  daysEveryMs: 60_000,
  lookBackMs: writeTimeoutMs + touchAgainMs + 2_000,
  touchAgainMs,
};
const progressEveryMs = 10_000;

/**
 * Playback is mostly of today, whoever's it is. Where it is of few days, questions take these to
 * be unsettled for every account; else each question asks for those of its own account, since
 * every day more costs it more than that.
 */
const mostDaysOfAll = 3;

export interface RollUp {
  /** Everything acknowledged before this instant (ms, the service's clock) has been summed. */
  completeThrough(): number;
  /** UTC days (ms), ascending: all of an account whose sums by day may lack something. */
  unsettledDays(accountId: number): Promise<readonly number[]>;
  /** Sums all that is acknowledged by now; for tests and for verbs that end with it. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

interface RollUpOptions {
  readonly store: FactStore;
  /** All that was acknowledged before this instant (ms, the service's clock) is in the store. */
  readonly storedThrough: () => number;
  readonly logger: Logger;
  readonly pace: RollUpPace;
}

export function startRollUp({ store, storedThrough, logger, pace }: RollUpOptions): RollUp {
  const stopping = new AbortController();
  let completeThrough = 0;
  /** How far slots and days are summed, by the engine's clock (ms). */
  let progress: Progress | undefined;
  /** Of all accounts, as of the last look; undefined where they were too many. */
  let unsettledDays: readonly number[] | undefined;
  let savedAt = Number.NEGATIVE_INFINITY;
  let daysSummedAt = Number.NEGATIVE_INFINITY;
  const lookBack = (from: number) => Math.max(0, from - pace.lookBackMs);
  const engineClock = createEngineClock(pace.lookBackMs);

  const rollOnce = async (): Promise<void> => {
    const stored = storedThrough();
    progress ??= await readProgress(store);
    let seen = await look(store, lookBack(progress.through), lookBack(progress.daysThrough));
    const through = engineClock.through(seen.engineNow, performance.now());
    if (through < progress.through) {
      // The engine's clock was set back: what was noted since is older than what was looked at.
      progress = { through, daysThrough: Math.min(through, progress.daysThrough) };
      seen = await look(store, lookBack(progress.through), lookBack(progress.daysThrough));
    }
    const { touched, touchedDays } = seen;
    if (touched > 0) await sumTouched(store, lookBack(progress.through));
    progress = { ...progress, through };
    completeThrough = stored;
    unsettledDays = touchedDays.length > mostDaysOfAll ? undefined : touchedDays;
    if (performance.now() - daysSummedAt >= pace.daysEveryMs) {
      await sumTouchedDays(store, lookBack(progress.daysThrough));
      progress = { ...progress, daysThrough: through };
      daysSummedAt = performance.now();
    }
    if (touched > 0 && performance.now() - savedAt >= progressEveryMs) {
      await saveProgress(store, progress);
      await dropTouched(store, progress);
      savedAt = performance.now();
    }
  };

  // Two at once would only do the same work twice.
  const inTurn = oneAtATime();
  const run = () => inTurn(rollOnce);

  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      await run().catch((error) => logger.error({ err: error }, 'roll-up failed, trying again'));
      // After a long one, as long a pause: a large import must not take the engine for itself.
      const pauseMs = Math.max(pace.everyMs, performance.now() - startedAt);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const looping = loop();

  return {
    completeThrough: () => completeThrough,
    unsettledDays: async (accountId) =>
      unsettledDays ?? touchedDaysOf(store, accountId, lookBack(progress?.daysThrough ?? 0)),
    run,
    async stop() {
      stopping.abort();
      await looping;
    },
  };
}

/**
 * What was touched since `from`, and on which days (ms, ascending) anything was since `daysFrom`;
 * of these at most one more than `mostDaysOfAll`.
 */
async function look(store: FactStore, from: number, daysFrom: number) {
  const [row] = await store.select<{ engineNow: number; touched: number; days: number[] }>({
    sql: `SELECT toUnixTimestamp64Milli(now64(3)) AS engineNow,
      countIf(arrival >= fromUnixTimestamp64Milli({from:Int64})) AS touched,
      arraySort(groupUniqArrayIf({mostDays:UInt8})(toUnixTimestamp(toStartOfDay(slot)),
        arrival >= fromUnixTimestamp64Milli({daysFrom:Int64}))) AS days
      FROM touched WHERE arrival >= fromUnixTimestamp64Milli({eitherFrom:Int64})`,
    parameters: {
      from,
      daysFrom,
      eitherFrom: Math.min(from, daysFrom),
      mostDays: mostDaysOfAll + 1,
    },
  });
  const { engineNow = 0, touched = 0, days = [] } = row ?? {};
  return { engineNow, touched, touchedDays: days.map((day) => day * 1_000) };
}
