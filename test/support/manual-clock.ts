import type { Clock } from '../../src/lib/clock.ts';

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  advance(byMs: number): void;
}

export function manualClock(startMs = Date.UTC(2026, 10, 20, 12)): ManualClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance(byMs) {
      nowMs += byMs;
    },
  };
}
