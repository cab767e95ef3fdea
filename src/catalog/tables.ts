import type { Generated } from 'kysely';

/**
 * The catalog's tables as Kysely sees them; the columns are their names in snake_case.
 * Instants are milliseconds since 1970 and flags are 0 or 1, because both databases keep those
 * alike. Rows that statistics refer to are never removed: `deletedAtMs` hides them.
 */
export interface Tables {
  accounts: AccountsTable;
  apiKeys: ApiKeysTable;
  folders: FoldersTable;
  videos: VideosTable;
  thumbnails: ThumbnailsTable;
  packages: PackagesTable;
  publications: PublicationsTable;
  snapshots: SnapshotsTable;
  idempotentWrites: IdempotentWritesTable;
  changeCount: ChangeCountTable;
}

interface AccountsTable {
  id: Generated<number>;
  name: string;
  timeZone: string;
  createdAtMs: number;
  /** Counts what was written to its videos and packages; see kept-counts.ts. */
  libraryChanges: Generated<number>;
}

interface ApiKeysTable {
  id: Generated<number>;
  accountId: number;
  /** The part of the secret that may be shown; not unique by rule, only in practice. */
  prefix: string;
  /** SHA-256 of the whole secret, as hexadecimal text. */
  secretHash: string;
  /** Scopes, by commas. */
  scopes: string;
  createdAtMs: number;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
}

interface FoldersTable {
  id: Generated<number>;
  accountId: number;
  name: string;
  createdAtMs: number;
  deletedAtMs: number | null;
}

export interface VideosTable {
  id: Generated<number>;
  accountId: number;
  folderId: number;
  accessKey: string;
  cid: string | null;
  content: string | null;
  tag: string;
  durationMs: number;
  createdAtMs: number;
  fileSizeBytes: number;
  height: number;
  width: number;
  frameRate: number;
  title: string;
  /** What titles are sorted by; see search-text.ts. */
  titleOrder: string;
  series: string | null;
  author: string | null;
  copyright: string | null;
  rate: string | null;
  etc: string | null;
  encodingSuccess: 'Y' | 'N' | null;
  deletedAtMs: number | null;
}

interface ThumbnailsTable {
  videoId: number;
  seq: number;
  url: string;
  playTimeMs: number;
  selected: 0 | 1;
}

interface PackagesTable {
  id: Generated<number>;
  accountId: number;
  name: string;
  type: string;
  /** By spaces; empty: all. */
  allowedOrigins: Generated<string>;
  createdAtMs: number;
  deletedAtMs: number | null;
}

/** Holds copies of what a package's list is sorted by, so that an index can have its order. */
interface PublicationsTable {
  id: Generated<number>;
  accountId: number;
  packageId: number;
  videoId: number;
  videoKey: string;
  serviceAble: 'Y' | 'N';
  titleOrder: string;
  durationMs: number;
  fileSizeBytes: number;
  createdAtMs: number;
  retiredAtMs: number | null;
}

interface SnapshotsTable {
  requestId: string;
  accountId: number;
  address: string;
  rowCount: number;
  /** Null once expired: the row then only tells an expired request from an unknown one. */
  body: Uint8Array | null;
  asOfMs: number;
  completeThroughMs: number;
  expiresAtMs: number;
}

interface IdempotentWritesTable {
  keyId: number;
  address: string;
  idempotencyKey: string;
  fingerprint: string;
  /** Null only inside the transaction that writes it. */
  answer: Uint8Array | null;
  createdAtMs: number;
}

/** One row; see change-watch.ts. */
interface ChangeCountTable {
  id: 1;
  count: number;
}
