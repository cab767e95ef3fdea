/**
 * Keeps the peaks of slots in line with their facts. That needs the stretches in order, which costs
 * more than their sums. So it is done less often, for whole days, and only for their touched slots.
 * Until then questions read the facts of these days instead.
 */
import type { Clock } from '../../lib/time/clock.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import { createSettleDays } from '../sums/day-settlement.ts';
import { readAccountsOfSums, readDaysWithoutPeaks } from '../sums/missing-peaks.ts';
import { keepPeaks, keepTouchedPeaks } from '../sums/peak-insert.ts';
import { createUnsettledDays, type UnsettledDays } from '../sums/unsettled-days.ts';

export interface PeakJob {
  /** Some of what is due, and some of what earlier releases left. */
  keepSome(): Promise<void>;
  keepAllDue(): Promise<void>;
  /** Also of days touched just now. */
  keepAll(): Promise<void>;
}

interface PeakUpkeepOptions {
  readonly store: FactStore;
  /** Days whose peaks may lag behind. */
  readonly unsettled: UnsettledDays;
  /** Those that the sums follow. */
  readonly verdicts: () => CurrentVerdicts;
  readonly clock: Clock;
  /** How long a day may stay unsettled. */
  readonly everyMs: number;
  readonly lookBackMs: number;
}

export function createPeakJob(options: PeakUpkeepOptions): PeakJob {
  const { store, unsettled, verdicts, clock, everyMs, lookBackMs } = options;
  const touched = createSettleDays({
    ...{ unsettled, clock, everyMs, firstPortion: 4 },
    async settle(days) {
      const through = unsettled.oldestThrough(days) ?? 0;
      const from = Math.max(0, through - lookBackMs);
      await keepTouchedPeaks(store, days, { from, verdicts: verdicts() });
    },
  });
  const unkept = createUnsettledDays();
  const former = createSettleDays({
    ...{ unsettled: unkept, clock, everyMs: 0, firstPortion: 1 },
    settle: (days) => keepPeaks(store, days, verdicts()),
  });
  let accounts: number[] | undefined;

  /** Of one account after the other, each once: what is stored from now on has its peaks. */
  const findFormer = async (): Promise<void> => {
    accounts ??= await readAccountsOfSums(store);
    const [accountId] = accounts;
    if (accountId === undefined) return;
    const days = await readDaysWithoutPeaks(store, accountId);
    unkept.add(days, { sinceMs: Number.NEGATIVE_INFINITY, through: 0 });
    accounts.shift();
  };

  return {
    async keepSome() {
      if (await touched.some()) return;
      if (unkept.oldestThrough() === undefined) await findFormer();
      await former.some();
    },
    keepAllDue: touched.allDue,
    keepAll: touched.all,
  };
}
