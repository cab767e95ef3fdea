/** Where a sender takes its time from. */
export interface Clock {
  /** Milliseconds of a clock that never jumps, from any beginning. */
  monotonicMs(): number;
  /** Milliseconds since the epoch by the device's clock, which may be wrong, and set anew. */
  dateMs(): number;
}

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  dateMs: () => Date.now(),
};
