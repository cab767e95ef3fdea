/**
 * Rates: how many requests a key, a share or an IP address may send in a minute, and how many wrong
 * keys an address may try.
 */
import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Caller, KeyCaller, PersonCaller } from '../../catalog/catalog.ts';
import type { Limiter, LimiterOf, LimitState } from '../../lib/limits/limiter.ts';
import { addressesOfSite, findNetwork, findSite } from '../../lib/network/address-network.ts';
import { createFairTurns } from '../../lib/tasks/fair-turns.ts';
import { createLruCache } from '../../lib/values/lru-cache.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { LimitReason } from '../../wire/beacons/ledger.ts';
import type { SenderAddress } from '../server/sender-address.ts';

const windowSeconds = 60;

/**
 * Whose requests are counted together: those of a key and its sessions, those of a person, or those
 * of a share from one address. The link of a public share is no identity: many who don't know each
 * other have it.
 */
type Counted =
  | Pick<KeyCaller, 'accountId' | 'keyId'>
  | Pick<PersonCaller, 'accountId' | 'personId'>
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
    const [kind, id] = countedAs(caller);
    const state = await limiter.consume(`${kind} ${id}`);
    const resetSeconds = Math.ceil(state.msBeforeNext / 1_000);
    reply.header('ratelimit-policy', `"${kind}";q=${perMinute};w=${windowSeconds}`);
    reply.header(
      'ratelimit',
      `"${kind}";r=${Math.max(0, perMinute - state.consumed)};t=${resetSeconds}`,
    );
    if (state.consumed <= perMinute) return;
    noteLimited(caller, 'A_MINUTE');
    const [who, what] = namesOfCounted[kind];
    throw new Fault('RATE_LIMITED', `${who} may send ${perMinute} ${what} a minute`, {
      retryAfterSeconds: resetSeconds,
      limit: name,
    });
  };
}

const namesOfCounted = {
  key: ['This key', 'requests'],
  person: ['One person', 'requests'],
  share: ['One IP address', 'requests by this link'],
} as const;

function countedAs(caller: Counted): [kind: keyof typeof namesOfCounted, id: number | string] {
  if ('keyId' in caller) return ['key', caller.keyId];
  if ('personId' in caller) return ['person', caller.personId];
  return ['share', `${caller.shareId} ${findNetwork(caller.address)}`];
}

/* By the address of the sender. */

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
    const site = findSite(address);
    const state = limiter.consume(findNetwork(address));
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

/* Pages, scripts and media: anybody may ask for them, and many are large. They have a limit by
 * address, and take turns, so that a player waits for a single one at most.
 */

interface PageBounds {
  readonly pageLimit: AddressLimit;
  readonly addressOf: SenderAddress;
}

/** A turn takes in one new connection: players who come wait for an eighth as many pages. */
const everyTurns = 8;

/** For all routes of this scope. */
export function boundPages(pages: FastifyInstance, { pageLimit, addressOf }: PageBounds): void {
  const takeTurn = createFairTurns(everyTurns);
  pages.addHook('onRequest', async (request, reply) => {
    // Who is refused waits too: a refusal costs nearly as much as a small page.
    await takeTurn();
    await pageLimit(addressOf(request.raw), reply.raw);
  });
}

/* Wrong keys: nobody guesses 256 bits, but every try costs a look into the catalog. */

const rememberedKeys = 10_000;

export interface Attempt {
  readonly secret: string;
  readonly address: string;
}

interface Place {
  readonly network: string;
  /** How many wrong keys may be tried from it. */
  readonly limiter: Limiter;
}

/** Looks the key up, unless its address may not try another one: then it throws RATE_LIMITED. */
export type LimitWrongKeys = <Found>(
  attempt: Attempt,
  answer: AnswerHeaders,
  lookUp: () => Promise<Found | undefined>,
) => Promise<Found | undefined>;

export function limitWrongKeys(
  perMinute: number,
  limiterOf: LimiterOf,
  name = 'wrong key',
): LimitWrongKeys {
  const limiter = limiterOf(name, perMinute, 'exact');
  const siteLimiter = limiterOf(name, perMinute * addressesOfSite, 'exact');
  // A key that was right before is let through: others share its address behind a router.
  const wereRight = createLruCache<string, true>(rememberedKeys);
  const tries = createTries();

  async function enter(
    places: readonly Place[],
    key: string,
    answer: AnswerHeaders,
  ): Promise<() => void> {
    const looked = await Promise.all(
      places.map(async (place) => ({ ...place, ...(await place.limiter.look(place.network)) })),
    );
    // TRICKY: nothing may be awaited between looking and beginning.
    for (const { network, limiter, consumed, msBeforeNext } of looked) {
      const most = limiter.points;
      // Those that are being looked up may be wrong: requests that come at once pass no more often.
      const tried = consumed + tries.besides(network, key);
      if (tried < most) continue;
      const detail = `One IP address may try ${perMinute} wrong keys a minute`;
      throw addressIsOver({ limit: name, perMinute: most }, { msBeforeNext }, answer, detail);
    }
    const leaves = places.map(({ network }) => tries.begin(network, key));
    return () => {
      for (const leave of leaves) leave();
    };
  }

  function findPlaces(address: string): Place[] {
    const own = { network: findNetwork(address), limiter };
    const site = findSite(address);
    return site === undefined ? [own] : [own, { network: site, limiter: siteLimiter }];
  }

  return async ({ secret, address }, answer, lookUp) => {
    const [places, key] = [findPlaces(address), digest(secret)];
    const leave = wereRight.has(key) ? undefined : await enter(places, key, answer);
    try {
      const found = await lookUp();
      if (found !== undefined) {
        wereRight.set(key, true);
        return found;
      }
      wereRight.delete(key);
      await Promise.all(places.map(({ limiter, network }) => limiter.note(network)));
      return undefined;
    } finally {
      leave?.();
    }
  };
}

/** Which keys are being looked up for which network. Requests with one key are one try. */
function createTries() {
  const ofNetwork = new Map<string, Map<string, number>>();
  return {
    /** How many other keys are being looked up. */
    besides(network: string, key: string): number {
      const keys = ofNetwork.get(network);
      return keys === undefined ? 0 : keys.size - (keys.has(key) ? 1 : 0);
    },
    /** Returns what ends the try. */
    begin(network: string, key: string): () => void {
      const keys = ofNetwork.get(network) ?? new Map<string, number>();
      ofNetwork.set(network, keys.set(key, (keys.get(key) ?? 0) + 1));
      return () => {
        const others = (keys.get(key) ?? 0) - 1;
        if (others > 0) keys.set(key, others);
        else keys.delete(key);
        if (keys.size === 0) ofNetwork.delete(network);
      };
    },
  };
}

function digest(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
