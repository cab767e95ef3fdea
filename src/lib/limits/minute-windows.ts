/** States that hold for a minute from when they are first asked for. */
import type { Clock } from '../time/clock.ts';

export const windowMs = 60_000;

interface Window<State> {
  readonly state: State;
  untilMs: number;
}

export function createWindows<State>(clock: Pick<Clock, 'monotonic'>, begin: () => State) {
  // Those touched in this minute, and in the one before: a sweep of all would hold the event loop.
  let newer = new Map<string, Window<State>>();
  let older = newer;
  let turnAtMs = clock.monotonic() + windowMs;

  /** Forgets what was last touched more than a minute ago, and has ended. */
  const turn = (nowMs: number): void => {
    if (nowMs < turnAtMs) return;
    older = newer;
    newer = new Map();
    turnAtMs = nowMs + windowMs;
  };

  const openOne = (subject: string, nowMs: number): Window<State> | undefined => {
    const window = newer.get(subject) ?? older.get(subject);
    return window && window.untilMs > nowMs ? window : undefined;
  };

  return {
    of(subject: string): { readonly state: State; readonly msBeforeNext: number } {
      const nowMs = clock.monotonic();
      // In all no more than the subjects of two minutes.
      turn(nowMs);
      let window = openOne(subject, nowMs);
      if (window === undefined) {
        window = { state: begin(), untilMs: nowMs + windowMs };
        newer.set(subject, window);
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
      const window = newer.get(subject) ?? older.get(subject);
      if (window === undefined) return;
      window.untilMs = clock.monotonic() + inMs;
      newer.set(subject, window);
    },
  };
}
