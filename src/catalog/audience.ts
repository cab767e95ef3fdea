/** What the catalog keeps for telling viewers apart. See docs/decisions/viewers.md. */

/** A day of an account, by the clock of its time zone. */
export interface SaltDay {
  /** Milliseconds since the epoch; its end is excluded. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** What the anonymous viewers of the day are hashed with; undefined once it is over. */
  readonly salt: Uint8Array | undefined;
}

export interface Salts {
  /**
   * The day of an account with this instant in it. Its salt is made by whoever first asks while it
   * may be used. Days never overlap, also if the account's time zone changes: an instant that has a
   * salt keeps it.
   */
  dayOf(accountId: number, atMs: number): Promise<SaltDay>;
  /** Destroys a portion of the salts whose time is over; resolves to how many, 0 at the end. */
  purge(): Promise<number>;
}
