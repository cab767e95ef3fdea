import type { FastifyReply } from 'fastify';
import type { Caller } from '../../catalog/catalog.ts';
import type { LimiterOf } from '../../lib/limits/limiter.ts';
import { networkOf } from '../../lib/network/address-network.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { LimitReason } from '../../wire/beacons/ledger.ts';

const windowSeconds = 60;

/**
 * Whose requests are counted together: those of a key and its sessions, or those of a share from
 * one address. The link of a public share is no identity: many who don't know each other have it.
 */
type Counted =
  | Pick<Caller, 'accountId' | 'keyId'>
  | { readonly accountId: number; readonly shareId: number; readonly address: string };

/** Counts a request, sets the headers, and throws RATE_LIMITED beyond the limit. */
export type RateLimit = (caller: Counted, reply: FastifyReply) => Promise<void>;

/** Shows the account that a request of a key was restricted, and why. */
export type NoteLimited = (caller: Pick<Caller, 'accountId'>, reason: LimitReason) => void;

/** Headers: IETF draft-ietf-httpapi-ratelimit-headers. */
export function createRateLimit(
  perMinute: number,
  noteLimited: NoteLimited,
  limiterOf: LimiterOf,
  name = 'key',
): RateLimit {
  const limiter = limiterOf(name, perMinute, 'exact');
  return async (caller, reply) => {
    const [kind, id] =
      'keyId' in caller
        ? ['key', caller.keyId]
        : ['share', `${caller.shareId} ${networkOf(caller.address)}`];
    const state = await limiter.consume(`${kind} ${id}`);
    const resetSeconds = Math.ceil(state.msBeforeNext / 1_000);
    reply.header('ratelimit-policy', `"${kind}";q=${perMinute};w=${windowSeconds}`);
    reply.header(
      'ratelimit',
      `"${kind}";r=${Math.max(0, perMinute - state.consumed)};t=${resetSeconds}`,
    );
    if (state.consumed <= perMinute) return;
    noteLimited(caller, 'A_MINUTE');
    const who = kind === 'key' ? 'This key' : 'One IP address';
    const what = kind === 'key' ? 'requests' : 'requests by this link';
    throw new Fault('RATE_LIMITED', `${who} may send ${perMinute} ${what} a minute`, {
      retryAfterSeconds: resetSeconds,
      limit: name,
    });
  };
}
