import { isIPv6 } from 'node:net';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
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

/** For IPv6 the first 64 bits: the owner of one address there owns all the others too. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
