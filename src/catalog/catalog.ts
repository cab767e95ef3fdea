import type { Scope } from '../wire/scopes.ts';

/** What facts are about. All other parts see the catalog through these interfaces only. */
export interface Catalog {
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly publications: Publications;
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
  list(): Promise<Account[]>;
}

/** Who asks: an account by one of its keys. */
export interface Caller extends Account {
  readonly keyId: number;
  readonly scopes: readonly Scope[];
}

export interface Keys {
  /** The secret is in the answer once; only its hash is stored. */
  create(key: {
    accountId: number;
    scopes: readonly Scope[];
    expiresAt?: Date | undefined;
  }): Promise<{ keyId: number; secret: string }>;
  /** Undefined where the key is unknown, revoked or expired. */
  authenticate(secret: string): Promise<Caller | undefined>;
}

/** A publication: one video in one package, named on the wire by its videoKey. */
export interface Publication {
  readonly accountId: number;
  readonly packageId: number;
  readonly videoId: number;
}

export interface Publications {
  /** What each known videoKey names; unknown ones are absent. Served from a bounded cache. */
  identify(videoKeys: readonly string[]): Promise<ReadonlyMap<string, Publication>>;
  /** The same, named by accessKey and packageId inside one account. */
  identifyWithin(
    accountId: number,
    accessKey: string,
    packageId: number,
  ): Promise<Publication | undefined>;
  /** A video's id, also when it was deleted since: its statistics are kept. */
  findVideoId(accountId: number, accessKey: string): Promise<number | undefined>;
}
