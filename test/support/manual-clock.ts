import type { Clock } from '../../src/lib/time/clock.ts';

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** What it shows, for a whole service: that waits in real time, and would else wait for ever. */
  readonly readings: Pick<Clock, 'now' | 'monotonic'>;
  /** What is due by then runs in its order, each at its own instant. */
  advance(byMs: number): void;
  /** Sets the wall clock alone, as somebody does who corrects it. */
  set(nowMs: number): void;
  /** How many pieces of work wait for their instant. */
  waiting(): number;
}

interface Waiting {
  readonly dueMs: number;
  readonly work: () => void;
}

export function manualClock(startMs = Date.UTC(2026, 10, 20, 12)): ManualClock {
  let nowMs = startMs;
  let monotonicMs = 0;
  const waiting = new Set<Waiting>();
  const moveTo = (untilMs: number): void => {
    nowMs += untilMs - monotonicMs;
    monotonicMs = untilMs;
  };
  const nextBy = (untilMs: number): Waiting | undefined =>
    [...waiting]
      .filter(({ dueMs }) => dueMs <= untilMs)
      .sort((one, other) => one.dueMs - other.dueMs)[0];
  const readings = { now: () => nowMs, monotonic: () => monotonicMs };
  return {
    ...readings,
    readings,
    after(delayMs, work) {
      const own = { dueMs: monotonicMs + Math.max(0, delayMs), work };
      waiting.add(own);
      return () => waiting.delete(own);
    },
    advance(byMs) {
      const untilMs = monotonicMs + byMs;
      for (let next = nextBy(untilMs); next !== undefined; next = nextBy(untilMs)) {
        waiting.delete(next);
        moveTo(Math.max(next.dueMs, monotonicMs));
        next.work();
      }
      if (byMs > 0) moveTo(untilMs);
      else nowMs += byMs;
    },
    set(to) {
      nowMs = to;
    },
    waiting: () => waiting.size,
  };
}
