/**
 * Checks the days of accounts with many plays for irregular views (regular-views.ts), now and then
 * and a part of the time: until then questions tell all views of a day apart.
 */
import type { Clock } from '../lib/clock.ts';
import type { Traces } from '../lib/traces.ts';
import type { FactStore } from './fact-store.ts';
import type { AccountDay } from './facts.ts';
import { checkViews, readDaysToCheck } from './regular-views.ts';

/** Below it telling views apart takes less than everything else. */
export const leastPlaysToCheck = 250_000;

/** Days per statement are chosen so that it takes about this long: each reads all facts. */
const portionMs = 2_000;
const mostDaysOfPortion = 32;
/** At most a quarter of the time. */
const restPerWork = 3;
const lookEveryMs = 60_000;
/** Late beacons of a day come for as long as devices were offline, most of them soon. */
const quietMs = 10 * 60_000;

export interface ViewUpkeep {
  /** Some of the days that are due. */
  checkSome(): Promise<void>;
  /** All days of all accounts that are over and that nothing has touched within the look-back. */
  checkAll(): Promise<void>;
}

interface ViewUpkeepOptions {
  readonly store: FactStore;
  readonly clock: Clock;
  readonly lookBackMs: number;
  readonly traces: Pick<Traces, 'job'>;
}

export function createViewUpkeep(options: ViewUpkeepOptions): ViewUpkeep {
  const { store, clock, lookBackMs, traces } = options;
  let due: readonly AccountDay[] = [];
  let portion = 4;
  let restUntil = Number.NEGATIVE_INFINITY;
  let lookAgainAt = Number.NEGATIVE_INFINITY;

  const check = async (days: readonly AccountDay[]): Promise<void> => {
    const startedAt = clock.monotonic();
    const isWhole = days.length === portion;
    // Should it fail for want of memory, fewer may do.
    portion = Math.max(1, Math.floor(portion / 2));
    await traces.job('check views', () => checkViews(store, days, lookBackMs));
    const tookMs = clock.monotonic() - startedAt;
    restUntil = clock.monotonic() + restPerWork * tookMs;
    if (tookMs > portionMs) return;
    portion = Math.min(mostDaysOfPortion, portion * (isWhole ? 4 : 2));
  };

  return {
    async checkSome() {
      if (clock.monotonic() < restUntil) return;
      if (due.length === 0) {
        if (clock.monotonic() < lookAgainAt) return;
        due = await readDaysToCheck(store, { leastPlays: leastPlaysToCheck, quietMs });
        if (due.length === 0) {
          lookAgainAt = clock.monotonic() + lookEveryMs;
          return;
        }
      }
      await check(due.slice(0, portion));
      due = due.slice(portion);
    },
    async checkAll() {
      for (;;) {
        const days = await readDaysToCheck(store, { leastPlays: 0, quietMs: lookBackMs });
        if (days.length === 0) return;
        await check(days.slice(0, portion));
      }
    },
  };
}
