/** States that hold for a minute from when they are first asked for. */
import type { Clock } from './clock.ts';

const windowMs = 60_000;

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

  return {
    of(subject: string): { readonly state: State; readonly msBeforeNext: number } {
      const nowMs = clock.monotonic();
      // In all no more than the subjects of two minutes.
      if (nowMs >= sweepAtMs) sweep(nowMs);
      let window = windows.get(subject);
      if (window === undefined || window.untilMs <= nowMs) {
        window = { state: begin(), untilMs: nowMs + windowMs };
        windows.set(subject, window);
      }
      return { state: window.state, msBeforeNext: window.untilMs - nowMs };
    },
    /** Ends the subject's window when another one ends. */
    end(subject: string, inMs: number): void {
      const window = windows.get(subject);
      if (window) window.untilMs = clock.monotonic() + inMs;
    },
  };
}
