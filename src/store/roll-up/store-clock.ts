/**
 * Up to when the roll-up may claim to be complete after somebody sets the store's clock. Arrivals
 * are stamped by that clock, so stamps after a step may be older or younger than those before it.
 */

/** A smaller difference is not a step but a busy machine. */
const stepMs = 1_000;

export interface StoreClock {
  /**
   * The instant from which, less the look-back, the next roll-up must look, given the store's
   * time now and the process's own time, which nobody sets (both ms). Whole milliseconds, as the
   * store expects them, although the process counts fractions.
   */
  through(storeNow: number, processNow: number): number;
}

/** `holdMs`: how long an insert that was stamped before a step may still be under way. */
export function createStoreClock(holdMs: number): StoreClock {
  let last: { storeNow: number; processNow: number } | undefined;
  let held: { through: number; untilProcess: number } | undefined;
  return {
    through(storeNow, processNow) {
      if (last !== undefined) {
        const elapsedMs = processNow - last.processNow;
        const jumpMs = storeNow - last.storeNow - elapsedMs;
        if (Math.abs(jumpMs) > stepMs) {
          // Back: everything stamped since the step. Forward: everything under way when it
          // happened.
          const through = jumpMs < 0 ? Math.floor(storeNow - elapsedMs) : last.storeNow;
          const earliest = Math.min(through, held?.through ?? through);
          held = { through: earliest, untilProcess: processNow + holdMs };
        }
      }
      last = { storeNow, processNow };
      if (held === undefined) return storeNow;
      if (processNow < held.untilProcess) return Math.min(held.through, storeNow);
      held = undefined;
      return storeNow;
    },
  };
}
