/** Of facts: what they are about. */
export interface NameOfFacts {
  readonly packageId: number;
  readonly videoId: number;
}

/** What the operator's verbs do with the catalog. */
export interface CatalogUpkeep {
  /** Those of the names that are no publication of the account, not even one that was retired. */
  unknownOf<Name extends NameOfFacts>(accountId: number, names: readonly Name[]): Promise<Name[]>;
  /** What the database finds wrong with itself. PostgreSQL checks its references at all times. */
  damage(): Promise<string[]>;
}
