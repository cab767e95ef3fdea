import { type Clock, sleep } from '../../lib/time/clock.ts';

/** Shorter work is not worth a timer: it is added to what follows. */
const leastWorkMs = 20;
const mostRestMs = 1_000;

/** Rests for as long as was worked since the last rest. */
export type Rest = () => Promise<void>;

/**
 * For long work beside a service on the same disk: what the service syncs meanwhile waits for a
 * portion at most, and the disk is its own for half of the time. Resolves at once after an abort.
 */
export function createRest(clock: Clock, signal: AbortSignal): Rest {
  let since = clock.monotonic();
  return async () => {
    const workedMs = clock.monotonic() - since;
    if (workedMs < leastWorkMs) return;
    await sleep(clock, Math.min(workedMs, mostRestMs), signal);
    since = clock.monotonic();
  };
}
