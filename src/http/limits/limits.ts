/** All limits of requests but those of connections and bodies: rates, concurrency, unsent answers. */
import type { Registry } from 'prom-client';
import type { LimiterOf } from '../../lib/limits/limiter.ts';
import { createFairTurns, type TakeTurn } from '../../lib/tasks/fair-turns.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { createUnsentAnswers, type HoldUnsent } from './byte-limits.ts';
import { type ConcurrencyLimit, createConcurrencyLimits } from './concurrency-limits.ts';
import type { EngineBudget } from './engine-budget.ts';
import {
  type AddressLimit,
  createAddressLimit,
  createRateLimit,
  type LimitWrongKeys,
  limitWrongKeys,
  type NoteLimited,
  type RateLimit,
} from './rate-limits.ts';

export interface LimitSettings {
  readonly clock: Pick<Clock, 'after'>;
  readonly metrics: Registry;
  readonly requestsPerMinute: number;
  /** Requests to /manage with one key, and from one IP address. */
  readonly managesPerMinute: number;
  /** Requests that one IP address may send without a key. */
  readonly collectsPerMinute: number;
  /** Requests for pages, scripts and media from one IP address. */
  readonly pagesPerMinute: number;
  /** Of this node, which divide what each counts for itself; default: 1. */
  readonly processes?: number;
  readonly limiterOf: LimiterOf;
  readonly engineBudget: EngineBudget;
}

export interface ManageLimits {
  /** For each key, and for each IP address. */
  readonly ofKey: RateLimit;
  readonly ofAddress: AddressLimit;
  /** Awaited before each write: of many that arrive together, others wait for one at most. */
  readonly takeTurn: TakeTurn;
}

export interface Limits {
  readonly rateLimit: RateLimit;
  readonly limitQuestions: ConcurrencyLimit;
  readonly limitShareQuestions: ConcurrencyLimit;
  readonly limitImports: ConcurrencyLimit;
  readonly holdUnsent: HoldUnsent;
  readonly addressLimit: AddressLimit;
  readonly pageLimit: AddressLimit;
  readonly manageLimits: ManageLimits;
  /** Of links that sign in once, and of invitations. */
  readonly limitWrongLinks: LimitWrongKeys;
  readonly limitWrongPasswords: LimitWrongKeys;
}

const wrongLinksPerMinute = 10;
/** From one address, of all people together. */
const wrongPasswordsPerMinute = 20;

export function createLimits(settings: LimitSettings, noteLimited: NoteLimited): Limits {
  const { clock, metrics, managesPerMinute, limiterOf, processes = 1, engineBudget } = settings;
  return {
    rateLimit: createRateLimit(settings.requestsPerMinute, noteLimited, limiterOf),
    ...createConcurrencyLimits(noteLimited, { clock, metrics, processes, engineBudget }),
    holdUnsent: createUnsentAnswers(noteLimited),
    addressLimit: createAddressLimit(settings.collectsPerMinute, limiterOf, 'collect'),
    pageLimit: createAddressLimit(settings.pagesPerMinute, limiterOf, 'page'),
    manageLimits: {
      ofKey: createRateLimit(managesPerMinute, noteLimited, limiterOf, 'manage key'),
      ofAddress: createAddressLimit(managesPerMinute, limiterOf, 'manage'),
      takeTurn: createFairTurns(),
    },
    limitWrongLinks: limitWrongKeys(wrongLinksPerMinute, limiterOf, 'wrong link'),
    limitWrongPasswords: limitWrongKeys(wrongPasswordsPerMinute, limiterOf, 'wrong password'),
  };
}
