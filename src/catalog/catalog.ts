import type { Result } from '../lib/result.ts';
import type { Scope } from '../vocabulary/scopes.ts';
import type { SigningMode } from '../vocabulary/view-token.ts';
import type { ViewerMode } from '../vocabulary/viewers.ts';
import type { Deliveries, Rules } from './alerts.ts';
import type { Annotations } from './annotations.ts';
import type { Labels, Salts } from './audience.ts';
import type { Actor, Audit } from './audit.ts';
import type { Erasures } from './erasures.ts';
import type { Folders, Names, Packages, Thumbnails, Videos, YesNo } from './library.ts';
import type { LimitWindows } from './limits/limit-windows.ts';
import type { CatalogVerification } from './maintenance/catalog-verification.ts';
import type {
  BegunSession,
  Invitations,
  Memberships,
  People,
  PersonSession,
  SessionPlace,
  SignedPerson,
  Standing,
} from './people.ts';
import type { CatalogRefusal } from './refusal.ts';
import type { Snapshots } from './responses/snapshots.ts';
import type { Exports, ScheduledRuns } from './runs.ts';
import type { SavedViews } from './saved-views.ts';
import type { Shares } from './shares.ts';
import type { SigningKeys } from './signing.ts';
import type { Verdicts } from './verdicts/verdicts.ts';

export type * from './alerts.ts';
export type * from './annotations.ts';
export type * from './audience.ts';
export type * from './audit.ts';
export type * from './erasures.ts';
export type * from './library.ts';
export { videoBatchLimit } from './library.ts';
export type * from './limits/limit-windows.ts';
export type * from './maintenance/catalog-move.ts';
export type * from './maintenance/catalog-verification.ts';
export type * from './people.ts';
export type * from './refusal.ts';
export { countLimits, mostOpenErasures, mostSavedViews } from './refusal.ts';
export type * from './responses/snapshots.ts';
export type * from './runs.ts';
export { everyDay, runLeaseMs } from './runs.ts';
export type * from './saved-views.ts';
export type * from './shares.ts';
export type * from './signing.ts';
export type * from './verdicts/verdicts.ts';

/** The result of a write: a refusal is a value, never thrown. */
type Outcome<Value> = Promise<Result<Value, CatalogRefusal>>;

/** Reads and writes, also usable inside a transaction. */
export interface CatalogParts {
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly sessions: Sessions;
  readonly people: People;
  readonly memberships: Memberships;
  readonly invitations: Invitations;
  readonly folders: Folders;
  readonly videos: Videos;
  readonly thumbnails: Thumbnails;
  readonly packages: Packages;
  readonly publications: Publications;
  readonly names: Names;
  readonly signingKeys: SigningKeys;
  readonly snapshots: Snapshots;
  readonly audit: Audit;
  readonly verdicts: Verdicts;
  readonly salts: Salts;
  readonly labels: Labels;
  readonly erasures: Erasures;
  readonly shares: Shares;
  readonly annotations: Annotations;
  readonly savedViews: SavedViews;
  readonly rules: Rules;
  readonly deliveries: Deliveries;
  readonly exports: Exports;
  readonly backups: ScheduledRuns;
  readonly verifications: ScheduledRuns;
}

/** What facts are about. All other parts see the catalog through these interfaces only. */
export interface Catalog extends CatalogParts {
  readonly upkeep: CatalogVerification;
  readonly idempotentWrites: IdempotentWrites;
  /** Undefined in SQLite, whose catalog belongs to one node. */
  readonly limitWindows: LimitWindows | undefined;
  /** The same catalog, whose changes are noted as those of this actor; otherwise of the service. */
  as(actor: Actor): Catalog;
  /** Resolves once the database answers; rejects with the reason otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface Account {
  readonly accountId: number;
  readonly name: string;
  /** IANA name of the zone for the dates and hours of the account's statistics. */
  readonly timeZone: string;
  /** Whether sessions of player logs count whose `uid` and `cs` the service did not give. */
  readonly takesUnsealed: boolean;
  /** How it tells viewers apart. */
  readonly viewers: ViewerMode;
  /** For how many months single facts are kept. */
  readonly factsMonths: number;
  /** Whether sums stay when facts are erased by their age. */
  readonly keepsSums: boolean;
  /** Undefined while it is open. */
  readonly closedAt: Date | undefined;
}

type AccountChanges = {
  readonly [Name in keyof Omit<Account, 'accountId' | 'closedAt'>]?: Account[Name] | undefined;
};

export type NewAccount = Pick<Account, 'name' | 'timeZone'>;

export interface Accounts {
  /** What `create` would refuse, without creating it. */
  check(account: NewAccount): Result<NewAccount, CatalogRefusal>;
  create(account: NewAccount): Outcome<Account>;
  /** All of them in one transaction; none if one is refused. */
  createMany(accounts: readonly NewAccount[]): Outcome<readonly Account[]>;
  /** One that is closed too. */
  find(accountId: number): Promise<Account | undefined>;
  /**
   * Its keys, members, shares and players are strangers from then on, at once here and within a
   * second on other nodes; whoever is a member nowhere else is signed out. What is stored stays.
   */
  close(accountId: number): Outcome<void>;
  /** Everything is again as it was; refused to one that is open. */
  reopen(accountId: number): Outcome<void>;
  createdAt(accountId: number): Promise<Date | undefined>;
  change(accountId: number, changes: AccountChanges): Outcome<Account>;
  /** Those that are closed too. */
  list(): Promise<Account[]>;
}

/** The account that a request is about. */
type AccountSummary = Pick<Account, 'accountId' | 'name' | 'timeZone'>;

/** The sender of a request: a key of the account, or a person who is a member. */
export type Caller = KeyCaller | PersonCaller;

export interface KeyCaller extends AccountSummary {
  readonly keyId: number;
  readonly keyName: string;
  readonly scopes: readonly Scope[];
}

export interface PersonCaller extends AccountSummary, Standing {
  readonly personId: number;
  readonly personName: string;
  /** Since when they may do this. */
  readonly memberSince: Date;
}

export interface Key {
  readonly keyId: number;
  readonly accountId: number;
  /** The beginning of the secret, enough to recognise a key. */
  readonly prefix: string;
  /** Given by whoever made it; may be empty. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
  readonly revokedAt: Date | undefined;
  /** To the minute, and written a few seconds later. */
  readonly lastUsedAt: Date | undefined;
  /** As in the audit; undefined: made before this was kept. */
  readonly createdBy: string | undefined;
  readonly createdByName: string | undefined;
}

/** A key of one account. */
export interface KeyName {
  readonly accountId: number;
  readonly keyId: number;
}

export interface NewKey {
  readonly keyId: number;
  readonly secret: string;
}

export interface Keys {
  /**
   * Only this answer contains the secret; its hash is stored. A key makes no key with more scopes
   * or a later end than its own.
   */
  create(key: {
    accountId: number;
    name?: string | undefined;
    scopes: readonly Scope[];
    expiresAt?: Date | undefined;
  }): Outcome<NewKey>;
  /**
   * Undefined if the key is unknown, revoked or expired. Answered from a bounded cache: a
   * revocation takes effect at once in this process, and within a second in others.
   */
  authenticate(secret: string): Promise<KeyCaller | undefined>;
  list(accountId: number): Promise<Key[]>;
  /**
   * A new key with the same name, scopes and end; the old one keeps working for `overlapMs`.
   * Refused to a key that could not create such a one.
   */
  rotate(key: KeyName, overlapMs: number): Outcome<NewKey>;
  /** The key as it is then; it works as before. */
  rename(key: KeyName, name: string): Outcome<Key>;
  /** Revoking again changes nothing. */
  revoke(key: KeyName): Outcome<void>;
}

/** Only this answer contains the token; its hash is stored. */
export interface NewSession {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Who is signed in at a browser: a person, or somebody with a key, who acts with the rights of that
 * key, and no longer than it lives.
 */
export interface Sessions {
  /** Of one key the newest 50 go on. */
  begin(keyId: number): Promise<NewSession>;
  /** Likewise of one person. Ends after 30 days, and after 7 without use. */
  beginFor(personId: number, place: SessionPlace): Promise<BegunSession>;
  /**
   * Undefined if it has ended, its key is revoked or expired, or its person removed. From a
   * bounded cache.
   */
  find(token: string): Promise<KeyCaller | SignedPerson | undefined>;
  /** Ending again changes nothing. */
  end(token: string): Promise<void>;
  /** What signs in without the key, once, within a day: for the URL of a first start. */
  createLink(keyId: number): Promise<string>;
  /** Begins a session, and the link is void; undefined if it was before. */
  followLink(link: string): Promise<NewSession | undefined>;
  /** By which a person signs in once and sets a password, which voids all others. */
  createPersonLink(personId: number, validMs: number): Promise<string>;
  /** Whose link it is; undefined if it is void. */
  findPersonLink(link: string): Promise<number | undefined>;
  /** The same, and from then on it is void: of two who follow it at once, for one. */
  spendPersonLink(link: string): Promise<number | undefined>;
  /** Those of a person that have not ended, the newest first. */
  listOf(personId: number): Promise<PersonSession[]>;
  endOf(personId: number, sessionId: number): Outcome<void>;
  /** Deletes a portion of those expired; resolves to how many, 0 if none is left. */
  purge(): Promise<number>;
}

export interface PublicationNumbers {
  readonly accountId: number;
  readonly packageId: number;
  readonly videoId: number;
}

/** A publication: one video in one package, named on the wire by its videoKey. */
export interface Publication extends PublicationNumbers {
  readonly videoKey: string;
  /** Origins whose playback is accepted; empty: all. */
  readonly allowedOrigins: readonly string[];
  /** Length of the video; 0: unknown. */
  readonly durationMs: number;
  /** See Account. */
  readonly takesUnsealed: boolean;
  /** What becomes of playback without a valid token. */
  readonly signing: SigningMode;
  /** See Account. */
  readonly viewers: ViewerMode;
  /** Whether any playback of its account was erased. */
  readonly isErased?: true;
}

/** A publication as its owner manages it. */
export interface PublicationRecord extends PublicationNumbers {
  readonly videoKey: string;
  /** Y: is served. N: is paused. */
  readonly serviceAble: YesNo;
  /** When it was first put into the package. */
  readonly publishedAt: Date;
}

/** One video in one package of an account. */
export interface PublicationName {
  readonly accountId: number;
  readonly packageId: number;
  readonly accessKey: string;
}

/** What names views of a publication, even of one that was retired. */
export interface PublicationKey extends Omit<PublicationNumbers, 'accountId'> {
  readonly publicationId: number;
  readonly videoKey: string;
}

export interface Publications {
  /** All that an account ever had, by id: those after this one, at most 10,000. */
  keysAfter(accountId: number, publicationId: number): Promise<PublicationKey[]>;
  /**
   * The publication of each known videoKey; unknown ones are absent. From a bounded cache: nearly
   * always there is nothing to wait for.
   */
  identify(
    videoKeys: Iterable<string>,
  ): Promise<ReadonlyMap<string, Publication>> | ReadonlyMap<string, Publication>;
  /** The same, by accessKey and packageId within one account. */
  identifyWithin(
    accountId: number,
    accessKey: string,
    packageId: number,
  ): Promise<Publication | undefined>;
  /** The same, if the caller knows all three ids: checks that they belong together. */
  identifyByNumbers(numbers: PublicationNumbers): Promise<Publication | undefined>;
  /** A video's id, even if it has been deleted: its statistics are kept. */
  findVideoId(accountId: number, accessKey: string): Promise<number | undefined>;
  /** The same by accessKey, in portions; unknown ones are absent. */
  findVideoIds(accountId: number, keys: ReadonlySet<string>): Promise<ReadonlyMap<string, number>>;
  /** Whether this videoKey was once valid: its players should stop sending. */
  isRetired(videoKey: string): Promise<boolean>;
  isRetiredByNumbers(numbers: PublicationNumbers): Promise<boolean>;
  /**
   * Adds a video to a package, or finds it there. A video that was removed comes back under the
   * videoKey that it had.
   */
  publish(name: PublicationName): Outcome<PublicationRecord>;
  /** The same for at most `videoBatchLimit` videos, in one transaction; one result for each. */
  publishMany(
    accountId: number,
    packageId: number,
    accessKeys: readonly string[],
  ): Promise<Result<PublicationRecord, CatalogRefusal>[]>;
  find(name: PublicationName): Promise<PublicationRecord | undefined>;
  /** All of one video, by package. */
  listOfVideo(accountId: number, accessKey: string): Promise<PublicationRecord[]>;
  /** How many packages each video is in, or how many of some; those in none are absent. */
  countByVideo(
    accountId: number,
    videoIds: readonly number[],
    among?: readonly number[],
  ): Promise<ReadonlyMap<number, number>>;
  /** How many videos in a package have a length. */
  countWithLength(accountId: number, packageId: number): Promise<number>;
  /** Whether a video is or was in one of some packages. */
  wasIn(videoId: number, packageIds: readonly number[]): Promise<boolean>;
  setServiceAble(name: PublicationName, serviceAble: YesNo): Outcome<PublicationRecord>;
  /** Removes the video from the package and retires its videoKey; statistics are kept. */
  retire(name: PublicationName): Outcome<void>;
}

/** A write that may be repeated: the sender, the path, and the Idempotency-Key. */
export interface WriteName {
  readonly accountId: number;
  /** As the audit names who sent it. */
  readonly actor: string;
  readonly path: string;
  readonly idempotencyKey: string;
}

export interface IdempotentAnswer {
  /** Of what was sent the first time. */
  readonly fingerprint: string;
  readonly answer: Uint8Array;
}

export interface IdempotentWrites {
  /**
   * Runs the write and stores its answer in one transaction, or returns the stored answer: also if
   * the process died in between, or both come at once. A write that faults leaves nothing. Of an
   * account's answers the newest 50,000 are stored, for a day.
   */
  once(
    name: WriteName,
    fingerprint: string,
    run: (catalog: CatalogParts) => Promise<Uint8Array>,
  ): Promise<IdempotentAnswer>;
  /** Deletes a portion of the answers that are a day old; resolves to how many, 0 at the end. */
  purge(): Promise<number>;
}
