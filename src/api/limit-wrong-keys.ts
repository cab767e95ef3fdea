/**
 * Limits how often one IP address may try wrong keys. Nobody guesses 256 bits, but every try costs
 * a look into the catalog.
 */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { type AnswerHeaders, addressIsOver, networkOf } from './address-limit.ts';

const windowSeconds = 60;
const rememberedKeys = 10_000;

export interface Attempt {
  readonly secret: string;
  readonly address: string;
}

interface WrongKeys {
  /** Before the key is looked up: throws RATE_LIMITED if the address may not try another one. */
  check(attempt: Attempt, answer: AnswerHeaders): Promise<void>;
  note(attempt: Attempt, isRight: boolean): Promise<void>;
}

/** Each node counts for itself. */
export function limitWrongKeys(perMinute: number): WrongKeys {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: windowSeconds });
  // A key that was right before is let through: others share its address behind a router.
  const wereRight = new LRUCache<string, true>({ max: rememberedKeys });
  return {
    async check({ secret, address }, answer) {
      if (wereRight.has(digest(secret))) return;
      const state = await limiter.get(networkOf(address));
      if (state === null || state.consumedPoints < perMinute) return;
      const detail = `One IP address may try ${perMinute} wrong keys a minute`;
      throw addressIsOver(perMinute, state, answer, detail);
    },
    async note({ secret, address }, isRight) {
      if (isRight) {
        wereRight.set(digest(secret), true);
        return;
      }
      wereRight.delete(digest(secret));
      await limiter.penalty(networkOf(address));
    },
  };
}

function digest(secret: string): string {
  return hash('sha256', secret, 'base64url');
}
