/** Counts what each subject does in a minute: an address, a key. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const windowSeconds = 60;

export interface LimitState {
  /** In this minute, with what was refused; beyond the limit's points: refuse it. */
  readonly consumed: number;
  readonly msBeforeNext: number;
}

export interface Limiter {
  /** What one subject may do in a minute. */
  readonly points: number;
  /** Counts one. */
  consume(subject: string): Promise<LimitState>;
  /** Counts none. */
  look(subject: string): Promise<LimitState | undefined>;
  /** Counts one that was done, whether or not it is beyond the limit. */
  note(subject: string): Promise<void>;
}

/**
 * Each has a name of its own, under which all processes that share it count together. One that is
 * not exact may refuse a little too early or late, for which it costs far less.
 */
export type LimiterOf = (name: string, points: number, accuracy: 'exact' | 'cheap') => Limiter;

/** Counts in this process alone. */
export const limiterOfProcess: LimiterOf = (_name, points) => {
  const limiter = new RateLimiterMemory({ points, duration: windowSeconds });
  return {
    points,
    consume: (subject) => limiter.consume(subject).then(stateOf, stateOfRejected),
    async look(subject) {
      const state = await limiter.get(subject);
      return state === null ? undefined : stateOf(state);
    },
    async note(subject) {
      await limiter.penalty(subject);
    },
  };
};

/** The limiter rejects with the same record that it resolves with. */
function stateOfRejected(rejected: unknown): LimitState {
  if (rejected instanceof RateLimiterRes) return stateOf(rejected);
  throw rejected;
}

function stateOf({ consumedPoints: consumed, msBeforeNext }: RateLimiterRes): LimitState {
  return { consumed, msBeforeNext };
}
