/** The table of links to views; part of tables.ts. */
import type { Generated } from 'kysely';
import type { ShareComparison } from '../../wire/management/shares.ts';

export interface SharesTable {
  id: Generated<number>;
  accountId: number;
  /** The part of the token that stands in its path. */
  tokenStart: string;
  /** SHA-256 of the whole token, as hexadecimal text. */
  tokenHash: string;
  name: string;
  accessKey: string | null;
  packageId: number | null;
  filters: string;
  /** Either both days, or how many last days. */
  fromDay: string | null;
  toDay: string | null;
  lastDays: number | null;
  compare: ShareComparison;
  timeZone: string;
  /** Separated by spaces; empty: none. */
  origins: string;
  expiresAtMs: number | null;
  createdAtMs: number;
  actor: string;
  actorName: string;
}
