/**
 * Compares this machine's clock with what the statistics store knows. Where it is behind, right
 * beacons would be refused as of the future, for good.
 */
import type { Logger } from '../lib/logger.ts';
import type { Clock } from '../lib/time/clock.ts';
import { readPeriodically } from '../lib/time/periodic-reading.ts';
import { createThrottle } from '../lib/time/throttled-notice.ts';
import { behindMs, behindRemedy } from '../maintenance/doctor/clocks.ts';
import type { StoreHealth } from '../store/facts.ts';
import { Fault } from '../vocabulary/faults.ts';

const logEveryMs = 60_000;
const retryAfterSeconds = 10;

interface ClockWatch {
  /** Undefined while the clock is not known to be behind. */
  whyBehind(): string | undefined;
  /** Throws UNAVAILABLE if the clock is behind, or the store has not been asked yet. */
  requireRight(): void;
  stop(): void;
}

interface ClockWatchOptions {
  readonly health: () => Promise<Pick<StoreHealth, 'latestAheadMs'>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function watchClock({ health, clock, logger }: ClockWatchOptions): ClockWatch {
  /** What the clock must show at least, and when that was so. */
  let known: { readonly ms: number; readonly at: number } | undefined;
  let wasBehind = false;
  const seldom = createThrottle(clock, logEveryMs);
  // A clock that is set back between two looks is noticed at once.
  const behind = () => (known ? known.ms + clock.monotonic() - known.at - clock.now() : 0);
  const whyBehind = () => {
    const ms = behind();
    if (ms < behindMs) return undefined;
    return `This machine's clock is ${Math.round(ms / 1_000)} s behind the statistics`;
  };
  const looks = readPeriodically(async () => {
    const { latestAheadMs } = await health();
    known = { ms: clock.now() + latestAheadMs, at: clock.monotonic() };
    const reason = whyBehind();
    if (reason) {
      const remedy = behindRemedy;
      seldom(() => logger.error({ reason, remedy }, 'the clock is behind: beacons are refused'));
    } else if (wasBehind) logger.info('the clock is right again');
    wasBehind = reason !== undefined;
  }, clock);
  return {
    whyBehind,
    requireRight() {
      const detail = known ? whyBehind() : 'The clock has not been compared with the store yet';
      if (detail === undefined) return;
      throw new Fault('UNAVAILABLE', detail, { retryAfterSeconds, reason: 'clock' });
    },
    stop: looks.stop,
  };
}
