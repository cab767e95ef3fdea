import type { Clock } from '../time/clock.ts';

/** Less is how a clock is corrected all the time, and how finely it is read. */
const leastStepMs = 1_000;
/** Within which both clocks are read. */
const togetherMs = 100;

/** Gives an instant of the wall clock (ms) as that shows it now: somebody may have set it. */
export function followSteps(clock: Clock, instantMs: number): () => number {
  const offsetMs = measureOffset(clock);
  return () => {
    const stepMs = measureOffset(clock) - offsetMs;
    return Math.abs(stepMs) < leastStepMs ? instantMs : Math.floor(instantMs + stepMs);
  };
}

/**
 * Of the wall clock from the one that never jumps. A process that is held up for seconds between
 * reading the two, on a machine with far too much to do, would take that for a step.
 */
function measureOffset(clock: Clock): number {
  for (;;) {
    const beforeMs = clock.monotonic();
    const offsetMs = clock.now() - beforeMs;
    if (clock.monotonic() - beforeMs < togetherMs) return offsetMs;
  }
}
