/** The limits of requests, by address and key. */
import type { Registry } from 'prom-client';
import type { LimiterOf } from '../lib/limits/limiter.ts';
import { createFairTurns } from '../lib/tasks/fair-turns.ts';
import { type LimitWrongKeys, limitWrongKeys } from './authentication/wrong-key-limit.ts';
import { type AskInLine, createAccountQueues } from './limits/account-queue.ts';
import { type AddressLimit, createAddressLimit } from './limits/address-limit.ts';
import { createRateLimit, type NoteLimited, type RateLimit } from './limits/rate-limit.ts';
import { createUnsentAnswers, type HoldUnsent } from './limits/unsent-answers.ts';
import type { ManageParts } from './management/management-routes.ts';

export interface LimitSettings {
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
}

export interface Limits {
  readonly rateLimit: RateLimit;
  readonly askInLine: AskInLine;
  readonly askInLineOfShares: AskInLine;
  readonly importInLine: AskInLine;
  readonly holdUnsent: HoldUnsent;
  readonly addressLimit: AddressLimit;
  readonly pageLimit: AddressLimit;
  readonly manageLimits: ManageParts['manageLimits'];
  /** Those that sign in once. */
  readonly limitWrongLinks: LimitWrongKeys;
}

const wrongLinksPerMinute = 10;

export function createLimits(settings: LimitSettings, noteLimited: NoteLimited): Limits {
  const { metrics, managesPerMinute, limiterOf, processes = 1 } = settings;
  return {
    rateLimit: createRateLimit(settings.requestsPerMinute, noteLimited, limiterOf),
    ...createAccountQueues(noteLimited, { metrics, processes }),
    holdUnsent: createUnsentAnswers(noteLimited),
    addressLimit: createAddressLimit(settings.collectsPerMinute, limiterOf, 'collect'),
    pageLimit: createAddressLimit(settings.pagesPerMinute, limiterOf, 'page'),
    manageLimits: {
      ofKey: createRateLimit(managesPerMinute, noteLimited, limiterOf, 'manage key'),
      ofAddress: createAddressLimit(managesPerMinute, limiterOf, 'manage'),
      takeTurn: createFairTurns(),
    },
    limitWrongLinks: limitWrongKeys(wrongLinksPerMinute, limiterOf, 'wrong link'),
  };
}
