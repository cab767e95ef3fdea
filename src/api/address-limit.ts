import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { networkOf } from '../lib/network-of.ts';
import { Fault } from '../wire/faults.ts';

const windowSeconds = 60;

export interface AnswerHeaders {
  setHeader(name: string, value: string): unknown;
}

/**
 * Counts a request of the sender's IP address. Beyond the limit, sets the rate limit headers and
 * throws RATE_LIMITED.
 */
export type AddressLimit = (address: string, answer: AnswerHeaders) => Promise<void>;

/** Each node counts for itself. Call it before the body is read, so that a flood is cheap. */
export function createAddressLimit(perMinute: number): AddressLimit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds });
  return async (address, answer) => {
    // The limiter rejects with the same record that it resolves with.
    const state = await limiter.consume(networkOf(address)).catch((rejected) => rejected);
    if (!(state instanceof RateLimiterRes)) throw state;
    if (state.consumedPoints <= perMinute) return;
    const detail = `One IP address may send ${perMinute} requests a minute`;
    throw addressIsOver(perMinute, state, answer, detail);
  };
}

/** The fault of an address beyond its limit; sets the rate limit headers. */
export function addressIsOver(
  perMinute: number,
  { msBeforeNext }: Pick<RateLimiterRes, 'msBeforeNext'>,
  answer: AnswerHeaders,
  detail: string,
): Fault {
  const resetSeconds = Math.ceil(msBeforeNext / 1_000);
  answer.setHeader('ratelimit-policy', `"address";q=${perMinute};w=${windowSeconds}`);
  answer.setHeader('ratelimit', `"address";r=0;t=${resetSeconds}`);
  return new Fault('RATE_LIMITED', detail, { retryAfterSeconds: resetSeconds });
}
