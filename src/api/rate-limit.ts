import type { FastifyReply } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../catalog/catalog.ts';
import { Fault } from '../wire/faults.ts';
import type { LimitReason } from '../wire/ledger.ts';

const windowSeconds = 60;

/** Counts a request of a key, sets the headers, and throws RATE_LIMITED beyond the limit. */
export type RateLimit = (caller: Caller, reply: FastifyReply) => Promise<void>;

/** Shows the account that a request of a key was restricted, and why. */
export type NoteLimited = (caller: Caller, reason: LimitReason) => void;

/** Each node counts for itself. Headers: IETF draft-ietf-httpapi-ratelimit-headers. */
export function createRateLimit(perMinute: number, noteLimited: NoteLimited): RateLimit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds });
  return async (caller, reply) => {
    // The limiter rejects with the same record that it resolves with.
    const state = await limiter.consume(caller.keyId).catch((rejected: unknown) => rejected);
    if (!(state instanceof RateLimiterRes)) throw state;
    const resetSeconds = Math.ceil(state.msBeforeNext / 1_000);
    reply.header('ratelimit-policy', `"key";q=${perMinute};w=${windowSeconds}`);
    reply.header('ratelimit', `"key";r=${Math.max(0, state.remainingPoints)};t=${resetSeconds}`);
    if (state.consumedPoints <= perMinute) return;
    noteLimited(caller, 'A_MINUTE');
    throw new Fault('RATE_LIMITED', `This key may send ${perMinute} requests a minute`, {
      retryAfterSeconds: resetSeconds,
    });
  };
}
