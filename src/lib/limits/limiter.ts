/** Counts what each subject does in a minute: an address, a key. */
import type { Clock } from '../time/clock.ts';
import { createWindows, windowMs } from './minute-windows.ts';

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
