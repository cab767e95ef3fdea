/** Of facts: what they are about. */
export interface NameOfFacts {
  readonly packageId: number;
  readonly videoId: number;
}

/** How much the catalog holds. */
export interface CatalogSize {
  /** Of its database. */
  readonly bytes: number;
  /** People signed in to the dashboard. */
  readonly sessions: number;
  /** Erasures that are not carried out yet. */
  readonly openErasures: number;
}

/**
 * How far a catalog is: tells an earlier state of it, and another catalog. Ids are never given
 * twice, and rows that statistics refer to are never removed, so each of these only grows.
 */
export interface CatalogMark {
  /** When its first account was made; 0: there is none. It stays the same. */
  readonly beganAtMs: number;
  /** The highest ids. */
  readonly accounts: number;
  readonly packages: number;
  readonly videos: number;
  readonly publications: number;
  /** How often something was taken back; see ChangeWatch. */
  readonly changes: number;
}

/** What the operator's verbs do with the catalog. */
export interface CatalogVerification {
  /** Those of the names that are no publication of the account, not even one that was retired. */
  unknownOf<Name extends NameOfFacts>(accountId: number, names: readonly Name[]): Promise<Name[]>;
  /**
   * What the database finds wrong with itself. PostgreSQL checks references at all times: of these,
   * those that it was set not to check.
   */
  damage(): Promise<string[]>;
  /** Name and version of the database. */
  version(): Promise<string>;
  /** The time of its server's clock, ms; undefined if it has no server. */
  serverMs(): Promise<number | undefined>;
  /** Reads little: for monitoring. */
  size(): Promise<CatalogSize>;
}
