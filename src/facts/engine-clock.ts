/**
 * How far the roll-up may say that it has come when somebody sets the engine's clock. What arrives
 * is stamped by that clock, so after a step stamps are older or younger than those before it.
 */

/** A difference smaller than this is no step, only a busy machine. */
const stepMs = 1_000;

export interface EngineClock {
  /**
   * The instant from which on, less the look-back, the next roll-up has to look, given the engine's
   * time now and the process's own time, which nobody sets (both ms). Whole milliseconds, as the
   * engine takes them, although the process tells fractions.
   */
  through(engineNow: number, processNow: number): number;
}

/** `holdMs`: as long as an insert may be under way that was stamped before a step. */
export function createEngineClock(holdMs: number): EngineClock {
  let last: { engineNow: number; processNow: number } | undefined;
  let held: { through: number; untilProcess: number } | undefined;
  return {
    through(engineNow, processNow) {
      if (last !== undefined) {
        const elapsedMs = processNow - last.processNow;
        const jumpMs = engineNow - last.engineNow - elapsedMs;
        if (Math.abs(jumpMs) > stepMs) {
          // Back: whatever was stamped since the step. Forward: whatever was under way at it.
          const through = jumpMs < 0 ? Math.floor(engineNow - elapsedMs) : last.engineNow;
          const earliest = Math.min(through, held?.through ?? through);
          held = { through: earliest, untilProcess: processNow + holdMs };
        }
      }
      last = { engineNow, processNow };
      if (held === undefined) return engineNow;
      if (processNow < held.untilProcess) return Math.min(held.through, engineNow);
      held = undefined;
      return engineNow;
    },
  };
}
