import type { Clock } from './clock.ts';

/** Calls `say` with how often it came since the last time, or not: once in a while is enough. */
export type Throttle = (say: (count: number) => void) => void;

/** For what may come thousands of times a second, and is logged once in `everyMs` at most. */
export function createThrottle(clock: Pick<Clock, 'monotonic'>, everyMs: number): Throttle {
  let count = 0;
  let saidAtMs = Number.NEGATIVE_INFINITY;
  return (say) => {
    count += 1;
    const nowMs = clock.monotonic();
    if (nowMs - saidAtMs < everyMs) return;
    say(count);
    count = 0;
    saidAtMs = nowMs;
  };
}
