/**
 * Checks the days of accounts with many plays for irregular views (regular-views.ts), and counts
 * them (audience-days.ts), now and then and a part of the time: until then questions read facts.
 */
import type { Clock } from '../../lib/time/clock.ts';
import type { FactStore } from '../client/store-client.ts';
import { countSomeDays } from '../days/day-counts.ts';
import { checkViews, readDaysToCheck } from '../days/regular-views.ts';
import type { VerdictSource } from '../facts.ts';
import { leastPlaysToCheck } from '../sql/regular-view.ts';

/** At most a quarter of the time. */
const restPerWork = 3;
const lookEveryMs = 60_000;
/** Late beacons of a day come for as long as devices were offline, most of them soon. */
const quietMs = 10 * 60_000;

export interface ViewJob {
  /** Some of the days that are due. */
  checkSome(): Promise<void>;
  /** All days of all accounts that are over and that nothing has touched within the look-back. */
  checkAll(): Promise<void>;
}

interface ViewUpkeepOptions {
  readonly store: FactStore;
  readonly verdicts: Pick<VerdictSource, 'current'>;
  readonly clock: Clock;
  readonly lookBackMs: number;
}

export function createViewJob(options: ViewUpkeepOptions): ViewJob {
  const { store, verdicts, clock, lookBackMs } = options;
  let restUntil = Number.NEGATIVE_INFINITY;

  const check = async (toCheck: { leastPlays: number; quietMs: number }): Promise<boolean> => {
    const startedAt = clock.monotonic();
    // Also after a failure.
    restUntil = startedAt + lookEveryMs;
    const days = await readDaysToCheck(store, toCheck);
    if (days.length > 0) await checkViews(store, days, lookBackMs);
    else if (!(await countSomeDays(store, verdicts))) return false;
    restUntil = clock.monotonic() + restPerWork * (clock.monotonic() - startedAt);
    return true;
  };

  return {
    async checkSome() {
      if (clock.monotonic() >= restUntil) await check({ leastPlays: leastPlaysToCheck, quietMs });
    },
    async checkAll() {
      while (await check({ leastPlays: 0, quietMs: lookBackMs }));
    },
  };
}
