/** What the catalog keeps of shares: views of the dashboard that a link shows to anybody. */
import type { Result } from '../lib/result.ts';
import type { ShareComparison } from '../wire/management/shares.ts';
import type { CatalogRefusal } from './refusal.ts';

type Outcome<Value> = Promise<Result<Value, CatalogRefusal>>;

/** Fixed days, or those that end today, by the clock of the share's zone. */
export type SharePeriod =
  /** yyyy-mm-dd, both included. */
  { readonly from: string; readonly to: string } | { readonly lastDays: number };

/** What is answered to whoever has the link, whatever they ask. */
export interface ShareScope {
  /** The video, if the share shows one; otherwise it shows the overview. */
  readonly accessKey: string | undefined;
  readonly packageId: number | undefined;
  /** To which all is pinned, if a narrowed member made it; undefined: the whole account. */
  readonly packageIds?: readonly number[] | undefined;
  /** As the parameter `filters` of a question; '': none. */
  readonly filters: string;
  readonly period: SharePeriod;
  readonly compare: ShareComparison;
  /** IANA name of the zone for its days and hours. */
  readonly timeZone: string;
}

export interface Share extends ShareScope {
  readonly shareId: number;
  readonly accountId: number;
  readonly name: string;
  /** Origins whose pages may embed it; empty: none. */
  readonly origins: readonly string[];
  readonly createdAt: Date;
  /** Undefined: never. */
  readonly expiresAt: Date | undefined;
  /** As in the audit. */
  readonly createdBy: string;
  readonly createdByName: string;
}

export interface NewShare extends Omit<ShareScope, 'timeZone'> {
  readonly accountId: number;
  readonly name: string;
  /** That of the account if undefined. */
  readonly timeZone: string | undefined;
  readonly origins: readonly string[];
  readonly expiresAt: Date | undefined;
}

/** A share of one account. */
export interface ShareName {
  readonly accountId: number;
  readonly shareId: number;
}

/** In its link the start stands in the path, and the secret in the fragment. */
export interface ShareToken {
  readonly start: string;
  readonly secret: string;
}

export interface Shares {
  /**
   * Only this answer contains the token; its hash is stored. A key makes no share unless it may
   * read statistics, and none that lasts longer than itself.
   */
  create(share: NewShare): Outcome<{ readonly share: Share; readonly token: ShareToken }>;
  /** Those that have expired as well, for 30 days. */
  list(accountId: number): Promise<Share[]>;
  /** From then on its link shows nothing; nothing is left of it but the audit. */
  revoke(share: ShareName): Outcome<void>;
  /**
   * By start and secret, one after the other. Undefined if it is unknown, or the share revoked or
   * expired. From a bounded cache: a revocation takes effect at once in this process, and within a
   * second in others.
   */
  find(token: string): Promise<Share | undefined>;
  /** The origins that may embed the share whose token begins so; none if there is no such share. */
  originsOf(tokenStart: string): Promise<readonly string[]>;
  /** Deletes a portion of those that expired 30 days ago; resolves to 0 if nothing is left. */
  purge(): Promise<number>;
}
