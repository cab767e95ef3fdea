/**
 * How far the sums are, for a process that leaves the roll-up to another one: that one saves its
 * progress beside the facts, and the notes of touched slots show which days it has not settled.
 */
import type { Clock } from '../../lib/time/clock.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AccountDay, VerdictSource } from '../facts.ts';
import { readTouchedDays } from '../sums/touched-slots.ts';
import { readProgress } from './roll-up-progress.ts';

export interface FollowedSums {
  /** Reads how far the other process is. */
  look(): Promise<void>;
  /** Everything acknowledged before this instant (ms, this process's clock) has been summed. */
  completeThrough(): number;
  /** UTC days (ms) of which only the slots may be summed, ascending. */
  unsettledDays(accountId: number): readonly number[];
}

interface FollowedSumsOptions {
  readonly store: FactStore;
  readonly verdicts: Pick<VerdictSource, 'current'>;
  readonly clock: Clock;
  readonly lookBackMs: number;
  /** By how much the clocks of the store's servers may differ. */
  readonly skewMs: number;
  /** The same as `completeThrough`, as another process reports it; undefined: ask the store. */
  readonly reported: (() => number) | undefined;
}

export function createFollowedSums(options: FollowedSumsOptions): FollowedSums {
  const { store, verdicts, clock, lookBackMs, skewMs, reported } = options;
  let completeThrough = 0;
  let unsettled = new Map<number, readonly number[]>();

  return {
    async look() {
      // Taken before the days are read, so that these include all days touched before it.
      const reportedThrough = reported?.();
      const askedAt = clock.now();
      await verdicts.current();
      const { through, daysThrough, storeNow } = await readProgress(store);
      const from = Math.max(0, daysThrough - lookBackMs);
      unsettled = daysOfAccounts(await readTouchedDays(store, { from, batches: undefined }));
      const ageMs = storeNow - through + skewMs;
      completeThrough = reportedThrough ?? (through === 0 ? 0 : askedAt - ageMs);
    },
    completeThrough: () => completeThrough,
    unsettledDays: (accountId) => unsettled.get(accountId) ?? [],
  };
}

function daysOfAccounts(touched: readonly AccountDay[]): Map<number, readonly number[]> {
  const days = new Map<number, number[]>();
  for (const { accountId, day } of touched) {
    const own = days.get(accountId);
    if (own) own.push(day);
    else days.set(accountId, [day]);
  }
  for (const own of days.values()) own.sort((one, other) => one - other);
  return days;
}
