import type { Scope } from '../wire/scopes.ts';
import type { Folders, Packages, Thumbnails, Videos, YesNo } from './library.ts';
import type { Snapshots } from './snapshots.ts';

export type * from './library.ts';
export { videoBatchLimit } from './library.ts';
export type * from './snapshots.ts';
export * from './video-information.ts';

/** What can be asked and written, also inside a transaction. */
export interface CatalogParts {
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly folders: Folders;
  readonly videos: Videos;
  readonly thumbnails: Thumbnails;
  readonly packages: Packages;
  readonly publications: Publications;
  readonly snapshots: Snapshots;
}

/** What facts are about. All other parts see the catalog through these interfaces only. */
export interface Catalog extends CatalogParts {
  readonly idempotentWrites: IdempotentWrites;
  /** Resolves once the database answers; rejects with the reason otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface Account {
  readonly accountId: number;
  readonly name: string;
  /** IANA name; dates and hours of the account's statistics are those of this zone. */
  readonly timeZone: string;
}

export interface Accounts {
  create(account: { name: string; timeZone: string }): Promise<Account>;
  find(accountId: number): Promise<Account | undefined>;
  change(
    accountId: number,
    changes: { name?: string | undefined; timeZone?: string | undefined },
  ): Promise<Account>;
  list(): Promise<Account[]>;
}

/** Who asks: an account by one of its keys. */
export interface Caller extends Account {
  readonly keyId: number;
  readonly scopes: readonly Scope[];
}

export interface Key {
  readonly keyId: number;
  readonly accountId: number;
  /** The beginning of the secret, enough to tell keys apart. */
  readonly prefix: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
}

/** A key of one account. */
export interface KeyName {
  readonly accountId: number;
  readonly keyId: number;
}

export interface Keys {
  /** The secret is in the answer once; only its hash is stored. */
  create(key: {
    accountId: number;
    scopes: readonly Scope[];
    expiresAt?: Date | undefined;
  }): Promise<{ keyId: number; secret: string }>;
  /**
   * Undefined where the key is unknown, revoked or expired. Answered from a bounded cache: a
   * revocation holds at once where it was made, and within a second in other processes.
   */
  authenticate(secret: string): Promise<Caller | undefined>;
  list(accountId: number): Promise<Key[]>;
  /** A new key with the same scopes; the old one works on for `overlapMs`, so that nobody waits. */
  rotate(key: KeyName, overlapMs: number): Promise<{ keyId: number; secret: string }>;
  /** Revoking again changes nothing. */
  revoke(key: KeyName): Promise<void>;
}

export interface PublicationNumbers {
  readonly accountId: number;
  readonly packageId: number;
  readonly videoId: number;
}

/** A publication: one video in one package, named on the wire by its videoKey. */
export interface Publication extends PublicationNumbers {
  /** Sites from which playback is taken; empty: all. */
  readonly allowedOrigins: readonly string[];
}

/** A publication as its owner manages it. */
export interface PublicationRecord extends PublicationNumbers {
  readonly videoKey: string;
  /** Y: is served. N: is paused. */
  readonly serviceAble: YesNo;
}

/** One video in one package of an account. */
export interface PublicationName {
  readonly accountId: number;
  readonly packageId: number;
  readonly accessKey: string;
}

export interface Publications {
  /** What each known videoKey names; unknown ones are absent. Served from a bounded cache. */
  identify(videoKeys: Iterable<string>): Promise<ReadonlyMap<string, Publication>>;
  /** The same, named by accessKey and packageId inside one account. */
  identifyWithin(
    accountId: number,
    accessKey: string,
    packageId: number,
  ): Promise<Publication | undefined>;
  /** The same, where the caller knows all three numbers: whether they belong together. */
  identifyByNumbers(numbers: PublicationNumbers): Promise<Publication | undefined>;
  /** A video's id, also when it was deleted since: its statistics are kept. */
  findVideoId(accountId: number, accessKey: string): Promise<number | undefined>;
  /** Whether this videoKey was valid once: players of it should stop for good. */
  isRetired(videoKey: string): Promise<boolean>;
  /** Puts a video into a package. Doing it again answers the publication that is there. */
  publish(name: PublicationName): Promise<PublicationRecord>;
  find(name: PublicationName): Promise<PublicationRecord | undefined>;
  setServiceAble(name: PublicationName, serviceAble: YesNo): Promise<PublicationRecord>;
  /** Takes the video out of the package: its videoKey is retired, its statistics are kept. */
  retire(name: PublicationName): Promise<void>;
}

/** A write that its sender may repeat: which key sent it where, and what it called it. */
export interface WriteName {
  readonly keyId: number;
  readonly address: string;
  readonly idempotencyKey: string;
}

export interface KeptWrite {
  /** Of what was sent the first time. */
  readonly fingerprint: string;
  readonly answer: Uint8Array;
}

export interface IdempotentWrites {
  /**
   * Runs the write and keeps its answer in one transaction, or gives the kept answer: also where
   * the process died in between, or both come at once. A write that faults leaves nothing.
   */
  once(
    name: WriteName,
    fingerprint: string,
    run: (catalog: CatalogParts) => Promise<Uint8Array>,
  ): Promise<KeptWrite>;
  /** Lets go of answers that are a day old; answers how many. */
  purge(): Promise<number>;
}
