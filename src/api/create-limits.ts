/** The limits of requests, by address and key. */
import type { Registry } from 'prom-client';
import type { LimiterOf } from '../lib/limiter.ts';
import type { Traces } from '../lib/traces.ts';
import { createTurns } from '../lib/turns.ts';
import { type AskInLine, createAccountLines } from './account-line.ts';
import { type AddressLimit, createAddressLimit } from './address-limit.ts';
import { type LimitWrongKeys, limitWrongKeys } from './limit-wrong-keys.ts';
import type { ManageParts } from './manage/manage-route.ts';
import { createRateLimit, type NoteLimited, type RateLimit } from './rate-limit.ts';
import { createUnsentAnswers, type HoldUnsent } from './unsent-answers.ts';

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
  /** Default: none. */
  readonly traces?: Traces | undefined;
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
  const { metrics, managesPerMinute, limiterOf, processes = 1, traces } = settings;
  return {
    rateLimit: createRateLimit(settings.requestsPerMinute, noteLimited, limiterOf),
    ...createAccountLines(noteLimited, { metrics, processes, traces }),
    holdUnsent: createUnsentAnswers(noteLimited),
    addressLimit: createAddressLimit(settings.collectsPerMinute, limiterOf, 'collect'),
    pageLimit: createAddressLimit(settings.pagesPerMinute, limiterOf, 'page'),
    manageLimits: {
      ofKey: createRateLimit(managesPerMinute, noteLimited, limiterOf, 'manage key'),
      ofAddress: createAddressLimit(managesPerMinute, limiterOf, 'manage'),
      takeTurn: createTurns(),
    },
    limitWrongLinks: limitWrongKeys(wrongLinksPerMinute, limiterOf, 'wrong link'),
  };
}
