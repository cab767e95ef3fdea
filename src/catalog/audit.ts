import type { AuditAction } from '../vocabulary/audit-actions.ts';

/** Who makes a change. */
export type Actor =
  | {
      readonly kind: 'KEY';
      readonly keyId: number;
      readonly keyName: string;
      /** IP address that the request came from. */
      readonly address: string;
    }
  | {
      readonly kind: 'PERSON';
      readonly personId: number;
      readonly personName: string;
      /** Null: not known any more. */
      readonly address: string | null;
    }
  | { readonly kind: 'COMMAND_LINE'; readonly userName: string }
  /** The service itself, at its first start. */
  | { readonly kind: 'SERVICE' };

/** Members of a record by name, without secrets. */
export type Members = Readonly<Record<string, unknown>>;

/** One change, as it was noted with it. */
export interface AuditEntry {
  readonly auditId: number;
  readonly at: Date;
  /** `KEY:12`, `PERSON:3`, `COMMAND_LINE` or `SERVICE`. */
  readonly actor: string;
  readonly actorName: string;
  readonly address: string | null;
  /** An entry of a later release may have an action unknown to this one. */
  readonly action: AuditAction | (string & {});
  readonly object: string | null;
  readonly before: Members | null;
  readonly after: Members | null;
}

/** The place of an entry in the order of time. */
export interface AuditPlace {
  readonly atMs: number;
  readonly auditId: number;
}

export interface AuditQuery {
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
  readonly action?: AuditAction | undefined;
  readonly actor?: string | undefined;
  /** Only what is older than this entry. */
  readonly olderThan?: AuditPlace | undefined;
  readonly limit: number;
}

/**
 * Entries are added by the changes themselves, in the same transaction. None ever changes; only the
 * purge deletes any.
 */
export interface Audit {
  /** Newest first. */
  list(accountId: number, query: AuditQuery): Promise<AuditEntry[]>;
  /** The same of no account: accounts and people themselves, and people who are in none. */
  listOfService(query: Pick<AuditQuery, 'olderThan' | 'limit'>): Promise<AuditEntry[]>;
  /**
   * Deletes a portion of the entries that are older than `keptMs`, or beyond the newest 100,000 of
   * their action in an account or the service. Goes through all once an hour; resolves to 0 when
   * nothing is left.
   */
  purge(keptMs: number): Promise<number>;
}
