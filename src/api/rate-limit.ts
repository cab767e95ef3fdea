import type { FastifyReply } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../catalog/catalog.ts';
import { Fault } from '../wire/faults.ts';

const windowSeconds = 60;

/** Counts a request of a key, sets the headers, and faults with RATE_LIMITED beyond the limit. */
export type RateLimit = (caller: Caller, reply: FastifyReply) => Promise<void>;

/** Each node counts for itself. Headers: IETF draft-ietf-httpapi-ratelimit-headers. */
export function createRateLimit(perMinute: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds });
  return async ({ keyId }, reply) => {
    // The limiter rejects with the same record that it resolves with.
    const state = await limiter.consume(keyId).catch((rejected: unknown) => rejected);
    if (!(state instanceof RateLimiterRes)) throw state;
    const resetSeconds = Math.ceil(state.msBeforeNext / 1_000);
    reply.header('ratelimit-policy', `"key";q=${perMinute};w=${windowSeconds}`);
    reply.header('ratelimit', `"key";r=${Math.max(0, state.remainingPoints)};t=${resetSeconds}`);
    if (state.consumedPoints <= perMinute) return;
    throw new Fault('RATE_LIMITED', `This key may ask ${perMinute} times a minute`, {
      retryAfterSeconds: resetSeconds,
    });
  };
}
