/** The source of time. Tests use a clock that they move by hand. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. Jumps when somebody sets the system's clock. */
  now(): number;
  /** Milliseconds that never jump: for measuring durations and for timeouts. */
  monotonic(): number;
  /** Runs `work` once after a delay by `monotonic`; call the returned function to cancel it. */
  after(delayMs: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Resolves after the delay, or as soon as `signal` aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(delayMs, end);
    signal?.addEventListener('abort', end);
  });
}
