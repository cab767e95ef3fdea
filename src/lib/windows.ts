/** States that hold for a minute from when they are first asked for. */
import type { Clock } from './clock.ts';

export const windowMs = 60_000;

interface Window<State> {
  readonly state: State;
  untilMs: number;
}

export function createWindows<State>(clock: Pick<Clock, 'monotonic'>, begin: () => State) {
  const windows = new Map<string, Window<State>>();
  let sweepAtMs = clock.monotonic() + windowMs;

  const sweep = (nowMs: number): void => {
    sweepAtMs = nowMs + windowMs;
    for (const [subject, { untilMs }] of windows) if (untilMs <= nowMs) windows.delete(subject);
  };

  const openOne = (subject: string, nowMs: number): Window<State> | undefined => {
    const window = windows.get(subject);
    return window && window.untilMs > nowMs ? window : undefined;
  };

  return {
    of(subject: string): { readonly state: State; readonly msBeforeNext: number } {
      const nowMs = clock.monotonic();
      // In all no more than the subjects of two minutes.
      if (nowMs >= sweepAtMs) sweep(nowMs);
      let window = openOne(subject, nowMs);
      if (window === undefined) {
        window = { state: begin(), untilMs: nowMs + windowMs };
        windows.set(subject, window);
      }
      return { state: window.state, msBeforeNext: window.untilMs - nowMs };
    },
    /** Begins none; undefined if none is open. */
    find(subject: string): { readonly state: State; readonly msBeforeNext: number } | undefined {
      const nowMs = clock.monotonic();
      const window = openOne(subject, nowMs);
      return window && { state: window.state, msBeforeNext: window.untilMs - nowMs };
    },
    /** Ends the subject's window when another one ends. */
    end(subject: string, inMs: number): void {
      const window = windows.get(subject);
      if (window) window.untilMs = clock.monotonic() + inMs;
    },
  };
}
