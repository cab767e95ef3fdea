/** The facts at rest. All other parts see them through these interfaces only. */

/** A slot is a quarter of an hour in UTC: every time zone's hours and days are made of slots. */
export const slotMs = 15 * 60 * 1_000;

/**
 * The part of one stretch that lies in one slot. Everything but `plays` and `playMs` is its
 * identity; these two only ever grow, so writing a fact again changes nothing.
 */
export interface StretchFact {
  readonly accountId: number;
  /** Start of the slot, milliseconds since the epoch. */
  readonly slotStart: number;
  readonly packageId: number;
  readonly videoId: number;
  readonly os: string;
  readonly osVersion: string;
  /** The view's id, hashed into the form of a UUID. */
  readonly view: string;
  readonly stretch: number;
  /** 1 where the view's one play was counted in this slot, else 0. */
  readonly plays: number;
  readonly playMs: number;
}

export interface FactWriter {
  /** Resolves when the facts are durable. After a rejection they may be or not: write again. */
  write(facts: readonly StretchFact[]): Promise<void>;
  /** Undefined while the store takes facts; else why not. */
  whyNotReady(): string | undefined;
}

/** Whether the store of the facts answers: for those who watch the service. */
export interface FactHealth {
  /** Undefined while it does; else why not. */
  whyNotReady(): string | undefined;
  /** Rejects with the reason where it does not answer. */
  ping(): Promise<void>;
}

export interface FactQuery {
  readonly sql: string;
  /** Bound by the store under {name:Type}; never part of the text. */
  readonly parameters: Readonly<Record<string, string | number | readonly number[]>>;
}

export interface FactReader {
  read<Row>(query: FactQuery): Promise<Row[]>;
  /** The UTC days (ms) of an account whose sums by day may lack something. */
  unsettledDays(accountId: number): Promise<number[]>;
  /** Everything acknowledged before this instant (ms) is in what `read` answers from now on. */
  completeThrough(): number;
}
