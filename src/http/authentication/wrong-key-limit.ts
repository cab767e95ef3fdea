/**
 * Limits how often one IP address may try wrong keys. Nobody guesses 256 bits, but every try costs
 * a look into the catalog.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Limiter, LimiterOf } from '../../lib/limits/limiter.ts';
import { addressesOfSite, networkOf, siteOf } from '../../lib/network/address-network.ts';
import { type AnswerHeaders, addressIsOver } from '../limits/address-limit.ts';

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
  const wereRight = new LRUCache<string, true>({ max: rememberedKeys });
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

  function placesOf(address: string): Place[] {
    const own = { network: networkOf(address), limiter };
    const site = siteOf(address);
    return site === undefined ? [own] : [own, { network: site, limiter: siteLimiter }];
  }

  return async ({ secret, address }, answer, lookUp) => {
    const [places, key] = [placesOf(address), digest(secret)];
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
