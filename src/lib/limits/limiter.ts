/** Counts what each subject does in a minute: an address, a key. */
import type { Clock } from '../time/clock.ts';

export interface LimitState {
  /** In this minute, with what was refused; beyond the limit's points: refuse it. */
  readonly consumed: number;
  readonly msBeforeNext: number;
}

/** What it answers is a promise only where other processes are asked. */
export interface Limiter {
  /** What one subject may do in a minute. */
  readonly points: number;
  /** Counts one. */
  consume(subject: string): LimitState | Promise<LimitState>;
  /** Counts none. */
  look(subject: string): LimitState | Promise<LimitState>;
  /** Counts one that was done, whether or not it is beyond the limit. */
  note(subject: string): void | Promise<void>;
}

/**
 * Each has a name of its own, under which all processes that share it count together. One that is
 * not exact may refuse a little too early or late, for which it costs far less.
 */
export type LimiterOf = (name: string, points: number, accuracy: 'exact' | 'cheap') => Limiter;

/** Counts in this process alone. */
export function createProcessLimiters(clock: Pick<Clock, 'monotonic'>): LimiterOf {
  return (_name, points) => {
    const windows = createWindows(clock, () => ({ consumed: 0 }));
    const consume = (subject: string): LimitState => {
      const { state, msBeforeNext } = windows.of(subject);
      state.consumed += 1;
      return { consumed: state.consumed, msBeforeNext };
    };
    return {
      points,
      consume,
      look(subject) {
        const { state, msBeforeNext } = windows.find(subject) ?? {};
        return { consumed: state?.consumed ?? 0, msBeforeNext: msBeforeNext ?? windowMs };
      },
      note: (subject) => void consume(subject),
    };
  };
}

export const windowMs = 60_000;

interface Window<State> {
  readonly state: State;
  untilMs: number;
}

/** States that hold for a minute from when they are first asked for. */
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
