/**
 * Limits how often one IP address may try wrong keys. Nobody guesses 256 bits, but every try costs
 * a look into the catalog.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { networkOf } from '../lib/network-of.ts';
import { type AnswerHeaders, addressIsOver } from './address-limit.ts';

const windowSeconds = 60;
const rememberedKeys = 10_000;

export interface Attempt {
  readonly secret: string;
  readonly address: string;
}

/** Looks the key up, unless its address may not try another one: then it throws RATE_LIMITED. */
export type LimitWrongKeys = <Found>(
  attempt: Attempt,
  answer: AnswerHeaders,
  lookUp: () => Promise<Found | undefined>,
) => Promise<Found | undefined>;

/** Each node counts for itself. */
export function limitWrongKeys(perMinute: number): LimitWrongKeys {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds });
  // A key that was right before is let through: others share its address behind a router.
  const wereRight = new LRUCache<string, true>({ max: rememberedKeys });
  const tries = createTries();

  async function enter(network: string, key: string, answer: AnswerHeaders): Promise<() => void> {
    const state = await limiter.get(network);
    // Those that are being looked up may be wrong: requests that come at once pass no more often.
    const tried = (state?.consumedPoints ?? 0) + tries.besides(network, key);
    if (tried < perMinute) return tries.begin(network, key);
    const detail = `One IP address may try ${perMinute} wrong keys a minute`;
    const msBeforeNext = state?.msBeforeNext ?? 1_000;
    throw addressIsOver(perMinute, { msBeforeNext }, answer, detail);
  }

  return async ({ secret, address }, answer, lookUp) => {
    const [network, key] = [networkOf(address), digest(secret)];
    const leave = wereRight.has(key) ? undefined : await enter(network, key, answer);
    try {
      const found = await lookUp();
      if (found !== undefined) {
        wereRight.set(key, true);
        return found;
      }
      wereRight.delete(key);
      await limiter.penalty(network);
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
