import { type Clock, systemClock } from '../../src/lib/time/clock.ts';

const hurriedMs = 500;

/** Of the system's clock: what waits for one of these times is due soon, and all else as usual. */
export function hurriedClock(...delaysMs: readonly number[]): Pick<Clock, 'after'> {
  return {
    after: (delayMs, work) =>
      systemClock.after(delaysMs.includes(delayMs) ? hurriedMs : delayMs, work),
  };
}
