import type { LimiterOf, LimitState } from '../../lib/limits/limiter.ts';
import { addressesOfSite, networkOf, siteOf } from '../../lib/network/address-network.ts';
import { Fault } from '../../vocabulary/faults.ts';

const windowSeconds = 60;
export interface AnswerHeaders {
  setHeader(name: string, value: string): unknown;
}

/**
 * Counts a request of the sender's IP address. Beyond the limit, sets the rate limit headers and
 * throws RATE_LIMITED. To be awaited; a promise only where other processes are asked.
 */
export type AddressLimit = (address: string, answer: AnswerHeaders) => Promise<void> | undefined;

/** Call it before the body is read, so that a flood is cheap. */
export function createAddressLimit(
  perMinute: number,
  limiterOf: LimiterOf,
  name = 'address',
): AddressLimit {
  const limiter = limiterOf(name, perMinute, 'cheap');
  const siteLimiter = limiterOf(name, perMinute * addressesOfSite, 'cheap');
  const refuseBeyond = (
    state: LimitState,
    ofSite: LimitState | undefined,
    answer: AnswerHeaders,
  ) => {
    if (ofSite && ofSite.consumed > siteLimiter.points) {
      const detail = `One IPv6 /48 network may send ${siteLimiter.points} requests a minute`;
      throw addressIsOver({ limit: name, perMinute: siteLimiter.points }, ofSite, answer, detail);
    }
    if (state.consumed <= perMinute) return;
    const detail = `One IP address may send ${perMinute} requests a minute`;
    throw addressIsOver({ limit: name, perMinute }, state, answer, detail);
  };
  return (address, answer) => {
    const site = siteOf(address);
    const state = limiter.consume(networkOf(address));
    const ofSite = site === undefined ? undefined : siteLimiter.consume(site);
    if (!(state instanceof Promise || ofSite instanceof Promise)) {
      refuseBeyond(state, ofSite, answer);
      return undefined;
    }
    return Promise.all([state, ofSite]).then((states) => refuseBeyond(...states, answer));
  };
}

/** The fault of an address beyond its limit; sets the rate limit headers. */
export function addressIsOver(
  { limit, perMinute }: { readonly limit: string; readonly perMinute: number },
  { msBeforeNext }: Pick<LimitState, 'msBeforeNext'>,
  answer: AnswerHeaders,
  detail: string,
): Fault {
  const resetSeconds = Math.ceil(msBeforeNext / 1_000);
  answer.setHeader('ratelimit-policy', `"address";q=${perMinute};w=${windowSeconds}`);
  answer.setHeader('ratelimit', `"address";r=0;t=${resetSeconds}`);
  return new Fault('RATE_LIMITED', detail, { retryAfterSeconds: resetSeconds, limit });
}
