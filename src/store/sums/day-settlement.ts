/**
 * Settles unsettled days, a few at a time, so that the sums by slot, which are read first, are not
 * held up.
 */
import type { Clock } from '../../lib/time/clock.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import type { AccountDay } from '../facts.ts';
import type { UnsettledDays } from './unsettled-days.ts';

/** Days per statement are chosen so that it takes about this long. */
const portionMs = 200;
const mostDaysOfPortion = 500;
/** At most a quarter of the time. */
const restPerWork = 3;

export interface SettleDays {
  /** Some of the days that have been unsettled for long enough; whether there were any. */
  some(): Promise<boolean>;
  allDue(): Promise<void>;
  /** Also those touched just now. */
  all(): Promise<void>;
}

interface SettleDaysOptions {
  readonly unsettled: UnsettledDays;
  readonly clock: Clock;
  /** How long a day may stay unsettled. */
  readonly everyMs: number;
  /** How long a day that is over may stay unsettled if nothing touches it: an import passed it. */
  readonly quietMs?: number;
  /** Of which the first statement has so many days; default 32. */
  readonly firstPortion?: number;
  settle(days: readonly AccountDay[]): Promise<void>;
}

export function createSettleDays(options: SettleDaysOptions): SettleDays {
  const { unsettled, clock, everyMs, quietMs = everyMs, firstPortion = 32, settle } = options;
  let portion = firstPortion;
  let restUntil = Number.NEGATIVE_INFINITY;

  const settlePortion = async (leastAgeMs = everyMs): Promise<boolean> => {
    const startedAt = clock.monotonic();
    const isOver = (day: number) => day + dayMs <= clock.now();
    const days = unsettled.due(
      ({ day, sinceMs, lastMs }) =>
        sinceMs <= startedAt - leastAgeMs || (lastMs <= startedAt - quietMs && isOver(day)),
      portion,
    );
    if (days.length === 0) return false;
    await settle(days);
    unsettled.settle(days);
    const tookMs = clock.monotonic() - startedAt;
    restUntil = clock.monotonic() + restPerWork * tookMs;
    if (tookMs > portionMs) portion = Math.max(1, Math.floor(portion / 2));
    else if (days.length === portion) portion = Math.min(mostDaysOfPortion, portion * 2);
    return true;
  };

  return {
    async some() {
      return clock.monotonic() >= restUntil && settlePortion();
    },
    async allDue() {
      while (await settlePortion());
    },
    async all() {
      while (await settlePortion(0));
    },
  };
}
