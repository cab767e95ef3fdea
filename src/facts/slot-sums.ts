/** Sums by slot: finds new notes of touched slots, and sums those slots again. */
import type { Clock } from '../lib/clock.ts';
import type { CurrentVerdicts, SuspectName } from '../wire/suspects.ts';
import type { FactStore } from './fact-store.ts';
import type { AccountDay, VerdictSource } from './facts.ts';
import { createFollowVerdicts } from './follow-verdicts.ts';
import type { Journal } from './journal.ts';
import { dropTouched, type Progress, readProgress, saveProgress } from './roll-up-progress.ts';
import { createStoreClock } from './store-clock.ts';
import { sumTouched } from './sum-touched.ts';
import { type Batches, readBatches, readTouchedDays, unseenNotes } from './touched-notes.ts';
import type { UnsettledDays } from './unsettled-days.ts';
import { noVerdicts } from './verdicts.ts';

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
  readonly journal: Pick<Journal, 'storedThrough'>;
  /** Receives the days of the slots that were summed. */
  readonly unsettled: UnsettledDays;
  /** The same for the peaks of these days. */
  readonly unsettledPeaks: UnsettledDays;
  readonly verdicts: VerdictSource;
  readonly clock: Clock;
  readonly lookBackMs: number;
}

export function createSlotSums(options: SlotSumsOptions): SlotSums {
  const { store, journal, clock, lookBackMs } = options;
  let completeThrough = 0;
  /** How far slots and days are summed, by the store's clock (ms). */
  let progress: Progress | undefined;
  /** What the last look found; older notes are beyond the look-back. */
  let seen: Batches = new Map();
  let isUnsaved = false;
  let savedAt = Number.NEGATIVE_INFINITY;
  const lookBack = (from: number) => Math.max(0, from - lookBackMs);
  const storeClock = createStoreClock(lookBackMs);
  let verdicts = noVerdicts;
  const unsettle = unsettleIn(options);
  const followVerdicts = createFollowVerdicts(store, options.verdicts);

  /** Left by an earlier run: days of which only the slots were summed. */
  const begin = async (): Promise<Progress> => {
    const saved = await readProgress(store);
    const notes = { from: lookBack(saved.daysThrough), batches: undefined };
    unsettle(await readTouchedDays(store, notes), saved.daysThrough);
    return saved;
  };

  const sum = async (): Promise<void> => {
    const stored = journal.storedThrough();
    verdicts = await followVerdicts([]);
    progress ??= await begin();
    let from = lookBack(progress.through);
    let found = await readBatches(store, from);
    const through = storeClock.through(found.storeNow, clock.monotonic());
    const since = Math.min(through, progress.through);
    if (since < progress.through) {
      // The store's clock was set back: notes since then look older than those already seen.
      from = lookBack(since);
      found = await readBatches(store, from);
    }
    const notes = unseenNotes(from, found.batches, seen);
    if (notes !== undefined) {
      await sumTouched(store, notes, verdicts);
      unsettle(await readTouchedDays(store, notes), since);
      isUnsaved = true;
    }
    seen = found.batches;
    progress = { ...progress, through };
    completeThrough = stored;
  };

  const keepProgress = async (): Promise<void> => {
    if (progress === undefined || !isUnsaved) return;
    if (clock.monotonic() - savedAt < progressEveryMs) return;
    const { through } = progress;
    const unsettledThrough = oldestThrough(options);
    const daysThrough = Math.min(through, unsettledThrough ?? through);
    progress = { through, daysThrough };
    await saveProgress(store, progress);
    await dropTouched(store, progress);
    savedAt = clock.monotonic();
    isUnsaved = unsettledThrough !== undefined;
  };

  return {
    sum,
    async sumAgain(suspects) {
      verdicts = await followVerdicts(suspects);
    },
    completeThrough: () => completeThrough,
    verdicts: () => verdicts,
    keepProgress,
  };
}

/** Days of which only the slots are summed, since a progress (ms). */
function unsettleIn({ unsettled, unsettledPeaks, clock }: SlotSumsOptions) {
  return (days: readonly AccountDay[], through: number): void => {
    const touch = { sinceMs: clock.monotonic(), through };
    unsettled.add(days, touch);
    unsettledPeaks.add(days, touch);
  };
}

function oldestThrough({ unsettled, unsettledPeaks }: SlotSumsOptions): number | undefined {
  const found = [unsettled, unsettledPeaks].map((days) => days.oldestThrough() ?? Infinity);
  const oldest = Math.min(...found);
  return oldest === Infinity ? undefined : oldest;
}
