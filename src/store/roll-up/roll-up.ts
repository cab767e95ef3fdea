/**
 * The roll-up: sums recently touched slots again, from the facts.
 *
 * Nothing here needs a lock, a leader or exactly-once: within a version the sums of growing values
 * only grow, and the table keeps the largest of the highest version, so a roll-up may be repeated,
 * overlap, or run on many nodes.
 */

import type { Logger } from '../../lib/logger.ts';
import { oneAtATime } from '../../lib/tasks/serial-work.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import type { SuspectName } from '../../vocabulary/suspects.ts';
import { type FactStore, writeTimeoutMs } from '../client/store-client.ts';
import { findReason } from '../client/store-failure.ts';
import { createViewJob, type ViewJob } from '../days/day-counts.ts';
import type { VerdictSource } from '../facts.ts';
import type { Journal } from '../journal/journal.ts';
import type { FactMetrics } from '../journal/store-metrics.ts';
import { createPeakJob } from '../sums/peaks.ts';
import { sumDays } from '../sums/sum-insert.ts';
import { createSettleDays, createUnsettledDays } from '../sums/touched-days.ts';
import { createFollowVerdicts } from '../sums/verdict-changes.ts';
import { createFollowedSums, type FollowedSums } from './progress.ts';
import { createSlotSums } from './slot-sums.ts';

export interface RollUpPace {
  /** Pause between two roll-ups. */
  readonly everyMs: number;
  /** How long a day may be touched before it is summed as a whole, and its peaks are kept. */
  readonly daysEveryMs: number;
  /**
   * Invariant: longer than any acknowledged insert takes. A note is stamped when its insert begins
   * and visible when it ends, so one stamped before the last roll-up may not have been seen yet.
   */
  readonly lookBackMs: number;
}

export const usualPace: RollUpPace = {
  everyMs: 500,
  daysEveryMs: 10_000,
  lookBackMs: writeTimeoutMs + 2_000,
};
/** A day that is over is settled once nothing has touched it for this share of `daysEveryMs`. */
const quietShare = 0.15;
/** Delay after a failure of the store. */
const retryPauseMs = 1_000;

export interface RollUp {
  /** Everything acknowledged before this instant (ms, the service's clock) has been summed. */
  completeThrough(): number;
  /** Resolves when it has run once, or was stopped. */
  ranOnce(): Promise<void>;
  /** Why the last run failed; undefined if it did not. */
  whyFailing(): string | undefined;
  /** UTC days (ms) of an account whose daily sums may be incomplete, ascending. */
  unsettledDays(accountId: number): readonly number[];
  /** Likewise those whose kept peaks may be too small. */
  unsettledPeaks(accountId: number): readonly number[];
  /** Sums everything acknowledged so far; for tests, and for verbs that end with it. */
  run(): Promise<void>;
  /** The same, and all days, however lately they were touched. */
  runWhole(): Promise<void>;
  /** Finds the irregular views of all days that nothing has touched within the look-back. */
  checkViews(): Promise<void>;
  /** Brings the sums in line with the verdicts on these suspects. */
  sumAgain(suspects: readonly SuspectName[]): Promise<void>;
  stop(): Promise<void>;
}

interface RollUpOptions {
  readonly store: FactStore;
  /** Everything acknowledged before `storedThrough` is in the store. */
  readonly journal: Pick<Journal, 'flush' | 'storedThrough'>;
  readonly verdicts: VerdictSource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<FactMetrics, 'rolledUp' | 'rollUpFailed'>;
  /** Overrides the usual. */
  readonly pace: Partial<RollUpPace>;
  readonly sharing?: RollUpSharing | undefined;
}

/** Among several processes: who sums, and how the others know. */
export interface RollUpSharing {
  /** Another one sums: this one looks how far it is, and sums only what it is asked to. */
  readonly follows?: boolean;
  /** With `follows`: how far, where that one tells it; else the store does. */
  readonly reported?: () => number;
  /** Others follow what is saved in the store. */
  readonly isFollowed?: boolean;
  /** Everything that the others acknowledged before this instant (ms) is in the store. */
  readonly othersStoredThrough?: () => number;
  /** With `follows`: it answers no questions, so that it is ready without any sums. */
  readonly needsNoSums?: boolean;
}

export function startRollUp(options: RollUpOptions): RollUp {
  const { store, verdicts, clock, sharing = {} } = options;
  const { isFollowed = false } = sharing;
  const pace = { ...usualPace, ...options.pace };
  const { lookBackMs } = pace;
  const stopping = new AbortController();
  const { promise: firstRun, resolve: noteRun } = Promise.withResolvers<void>();
  const unsettled = createUnsettledDays();
  const unsettledPeaks = createUnsettledDays();
  // The look-back is longer where the clocks of several servers may differ.
  const skewMs = Math.max(0, lookBackMs - usualPace.lookBackMs);
  const of = { store, clock, everyMs: pace.daysEveryMs, lookBackMs };
  const followVerdicts = createFollowVerdicts(store, verdicts);
  const toSettle = { unsettled, unsettledPeaks };
  const journal = { ...options.journal, storedThrough: () => storedThrough(options) };
  const following = { followVerdicts, isFollowed };
  const slotSums = createSlotSums({ ...of, ...toSettle, ...following, skewMs, journal });
  const daySums = createSettleDays({
    ...{ ...of, unsettled, quietMs: pace.daysEveryMs * quietShare },
    settle: (days) => sumDays(store, days),
  });
  const ofPeaks = { unsettled: unsettledPeaks, verdicts: slotSums.verdicts };
  const peaks = createPeakJob({ ...of, ...ofPeaks });
  const views = createViewJob({ ...of, verdicts });
  const followed = followSums(options, { lookBackMs, skewMs });

  // Two at once would only repeat work.
  const inTurn = oneAtATime();
  const run = (settleDays: readonly (() => Promise<void>)[]) =>
    inTurn(async () => {
      await slotSums.sum();
      // Until the others are heard of, something acknowledged may be missing.
      if (slotSums.completeThrough() > 0) noteRun();
      for (const settle of settleDays) await settle();
      await slotSums.keepProgress();
      await followed?.look();
    });
  // One of the two: what was reported just now must not wait for both.
  const keepDays = async () => {
    if (!(await daySums.some())) await peaks.keepSome();
  };
  const follow = async ({ look, completeThrough }: FollowedSums) => {
    await look();
    if (sharing.needsNoSums || completeThrough() > 0) noteRun();
  };
  const turn = followed ? () => inTurn(() => follow(followed)) : () => run([keepDays]);

  const loops = startLoops(
    { ...options, everyMs: pace.everyMs, stopping: stopping.signal },
    turn,
    views,
  );
  void loops.summing.then(noteRun);

  return {
    completeThrough: followed?.completeThrough ?? slotSums.completeThrough,
    ranOnce: () => firstRun,
    whyFailing: loops.whyFailing,
    unsettledDays: followed?.unsettledDays ?? unsettled.of,
    unsettledPeaks: followed?.unsettledDays ?? unsettledPeaks.of,
    run: () => run([daySums.allDue, peaks.keepAllDue]),
    runWhole: () => run([daySums.all, peaks.keepAll]),
    checkViews: views.checkAll,
    sumAgain: (suspects) => inTurn(() => slotSums.sumAgain(suspects)),
    async stop() {
      stopping.abort();
      await Promise.all([loops.summing, loops.checking]);
    },
  };
}

/** `options.metrics` as of the one that sums: who follows another process does neither. */
function startLoops(
  { sharing, ...options }: Omit<Repeating, 'job'> & Pick<RollUpOptions, 'sharing'>,
  turn: () => Promise<void>,
  views: ViewJob,
) {
  const follows = sharing?.follows ?? false;
  const metrics = follows ? undefined : options.metrics;
  let failing: string | undefined;
  const noteOutcome = (failure: string | undefined) => {
    failing = failure;
  };
  return {
    whyFailing: () => failing,
    summing: repeat(turn, { ...options, job: 'roll-up', metrics, noteOutcome }),
    // Beside the sums, which must not wait for it.
    checking: follows
      ? undefined
      : repeat(views.checkSome, { ...options, job: 'check of views', metrics: undefined }),
  };
}

interface Repeating extends Pick<RollUpOptions, 'clock' | 'logger'> {
  readonly job: string;
  readonly metrics: RollUpOptions['metrics'] | undefined;
  readonly everyMs: number;
  readonly stopping: AbortSignal;
  /** Gets why a turn failed, and undefined if it did not. */
  readonly noteOutcome?: (failure: string | undefined) => void;
}

async function repeat(turn: () => Promise<void>, options: Repeating): Promise<void> {
  const { job, clock, logger, metrics, everyMs, stopping, noteOutcome } = options;
  while (!stopping.aborted) {
    const startedAt = clock.monotonic();
    const failure = await turn().then(
      () => undefined,
      (error) => {
        metrics?.rollUpFailed();
        const reason = findReason(error);
        logger.error({ reason }, `${job} failed, trying again`);
        return reason;
      },
    );
    const tookMs = clock.monotonic() - startedAt;
    if (failure === undefined) metrics?.rolledUp(tookMs / 1_000);
    noteOutcome?.(failure);
    // After a long one, a pause just as long: a large import must not monopolise the store.
    const leastMs = failure === undefined ? everyMs : retryPauseMs;
    await sleep(clock, Math.max(leastMs, tookMs), stopping);
  }
}

function followSums(
  { store, verdicts, clock, sharing }: RollUpOptions,
  looking: { readonly lookBackMs: number; readonly skewMs: number },
): FollowedSums | undefined {
  if (!sharing?.follows) return undefined;
  const { reported } = sharing;
  return createFollowedSums({ store, verdicts, clock, ...looking, reported });
}

/** Everything that any process acknowledged before this instant (ms) is in the store. */
function storedThrough({ journal, sharing }: RollUpOptions): number {
  return Math.min(journal.storedThrough(), sharing?.othersStoredThrough?.() ?? Infinity);
}
