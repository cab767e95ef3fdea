/** Sums by slot: finds new notes of touched slots, and sums those slots again. */

import { followSteps } from '../../lib/tasks/clock-steps.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { CurrentVerdicts, SuspectName } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { Journal } from '../journal/journal.ts';
import { isEpochRisen, noVerdicts } from '../sql/verdicts.ts';
import { sumTouched } from '../sums/sum-insert.ts';
import {
  type Batches,
  divideNotes,
  type Notes,
  readBatches,
  readTouchedDays,
  type UnsettledDays,
  unseenNotes,
} from '../sums/touched-days.ts';
import type { FollowVerdicts } from '../sums/verdict-changes.ts';
import { levelTouched } from '../sums/view-levels.ts';
import {
  createStoreClock,
  doubtProgress,
  dropTouched,
  type Progress,
  readProgress,
  saveProgress,
} from './progress.ts';

const progressEveryMs = 10_000;

export interface SlotSums {
  sum(): Promise<void>;
  /** Brings the sums in line with the verdicts on these suspects, and with all that are new. */
  sumAgain(suspects: readonly SuspectName[]): Promise<void>;
  /** Everything acknowledged before this instant (ms, the service's clock) has been summed. */
  completeThrough(): number;
  /** Those that the sums follow. */
  verdicts(): CurrentVerdicts;
  /** Saves the progress for the next start, now and then. */
  keepProgress(): Promise<void>;
}

interface SlotSumsOptions {
  readonly store: FactStore;
  readonly journal: Pick<Journal, 'flush' | 'storedThrough'>;
  /** Receives the days of the slots that were summed. */
  readonly unsettled: UnsettledDays;
  /** The same for the peaks of these days. */
  readonly unsettledPeaks: UnsettledDays;
  readonly followVerdicts: FollowVerdicts;
  readonly clock: Clock;
  readonly lookBackMs: number;
  /** By how much the clocks of the store's servers may differ. */
  readonly skewMs: number;
  /** Saves the progress each time, for processes that follow it. */
  readonly isFollowed: boolean;
}

export function createSlotSums(options: SlotSumsOptions): SlotSums {
  const { store, journal, followVerdicts, clock, lookBackMs, skewMs, isFollowed } = options;
  let completeThrough = () => 0;
  /** How far slots and days are summed, by the store's clock (ms). */
  let progress: Progress | undefined;
  /** What the last look found; older notes are beyond the look-back. */
  let seen: Batches = new Map();
  let isUnsaved = false;
  /** Whether it is still to be saved that the store's clock was set back. */
  let isDoubtUnsaved = false;
  let savedAt = Number.NEGATIVE_INFINITY;
  const lookBack = lookBackBy(lookBackMs);
  const storeClock = createStoreClock(lookBackMs);
  let verdicts = noVerdicts;
  const unsettle = unsettleIn(options);

  const sum = async (): Promise<void> => {
    // What waits would wait for another turn. The journal reports its failures, and tries again.
    await journal.flush().catch(() => {});
    const stored = followSteps(clock, journal.storedThrough());
    const { now, isRisen } = await followed(verdicts, followVerdicts);
    verdicts = now;
    if (isRisen) seen = new Map();
    progress ??= await begin(options, unsettle);
    let from = lookBack(progress.through);
    let found = await readBatches(store, from);
    const through = storeClock.through(found.storeNow, clock.monotonic());
    const since = Math.min(through, progress.through);
    if (since < progress.through) {
      // The store's clock was set back: notes since then look older than those already seen. Kept
      // at once: `storeClock` may have forgotten the step when what follows has failed.
      progress = { ...progress, through: since };
      isDoubtUnsaved = true;
    }
    if (isDoubtUnsaved) {
      // Of what is saved, a start's look-back covers as much as the clocks of servers may differ.
      await doubtProgress(store, since + skewMs);
      isDoubtUnsaved = false;
      from = lookBack(since);
      found = await readBatches(store, from);
    }
    let notes = unseenNotes(from, found.batches, seen);
    if (notes !== undefined && (await levelNotes(store, notes, verdicts))) {
      // What arrived meanwhile is summed with it, but levelled by the next turn only: it stays unseen.
      notes = unseenNotes(from, (await readBatches(store, from)).batches, seen);
    }
    if (notes !== undefined) {
      for (const some of await divideNotes(store, notes)) await sumTouched(store, some, verdicts);
      await unsettle(notes, since);
      isUnsaved = true;
    }
    seen = found.batches;
    progress = { ...progress, through };
    completeThrough = stored;
  };

  const keepProgress = async (): Promise<void> => {
    if (progress === undefined) return;
    const isDue = isUnsaved && clock.monotonic() - savedAt >= progressEveryMs;
    if (!isDue && !isFollowed) return;
    const { through } = progress;
    const unsettledThrough = oldestThrough(options);
    const daysThrough = Math.min(through, unsettledThrough ?? through);
    progress = { through, daysThrough };
    await saveProgress(store, progress);
    if (!isDue) return;
    await dropTouched(store, progress);
    savedAt = clock.monotonic();
    isUnsaved = unsettledThrough !== undefined;
  };

  return {
    sum,
    async sumAgain(suspects) {
      verdicts = await followVerdicts(suspects);
    },
    completeThrough: () => completeThrough(),
    verdicts: () => verdicts,
    keepProgress,
  };
}

function lookBackBy(lookBackMs: number) {
  return (from: number) => Math.max(0, from - lookBackMs);
}

/** Whether anything was written. */
async function levelNotes(
  store: FactStore,
  notes: Notes,
  verdicts: CurrentVerdicts,
): Promise<boolean> {
  let isUneven = false;
  for (const some of await divideNotes(store, notes)) {
    if (await levelTouched(store, some, verdicts)) isUneven = true;
  }
  return isUneven;
}

/** Left by an earlier run: days of which only the slots were summed. */
async function begin(
  { store, lookBackMs, skewMs }: SlotSumsOptions,
  unsettle: ReturnType<typeof unsettleIn>,
): Promise<Progress> {
  const saved = await readProgress(store, skewMs);
  // Until it is saved anew: the clock may have passed it before the next start.
  if (saved.isAhead) await doubtProgress(store, saved.storeNow);
  const notes = { from: lookBackBy(lookBackMs)(saved.daysThrough), batches: undefined };
  await unsettle(notes, saved.daysThrough);
  return saved;
}

/** If an epoch has risen, who made it rise may not have seen what was summed here meanwhile. */
async function followed(before: CurrentVerdicts, followVerdicts: FollowVerdicts) {
  const now = await followVerdicts([]);
  return { now, isRisen: isEpochRisen(before, now) };
}

/** Days of which only the slots are summed, since a progress (ms). */
function unsettleIn({ store, unsettled, unsettledPeaks, clock }: SlotSumsOptions) {
  return async (notes: Notes, through: number): Promise<void> => {
    const touch = { sinceMs: clock.monotonic(), through };
    const days = await readTouchedDays(store, notes);
    unsettled.add(days, touch);
    unsettledPeaks.add(days, touch);
  };
}

function oldestThrough({ unsettled, unsettledPeaks }: SlotSumsOptions): number | undefined {
  const waiting = [unsettled.oldestThrough(), unsettledPeaks.oldestThrough()];
  const oldest = Math.min(...waiting.map((through) => through ?? Infinity));
  return oldest === Infinity ? undefined : oldest;
}
