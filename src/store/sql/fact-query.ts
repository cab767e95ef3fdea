import type { Readable } from 'node:stream';
import type { BoundParameters } from './bound-array.ts';
import type { BoundCondition } from './erased-facts.ts';

export interface FactQuery {
  /** The statement's name in logs and metrics; never contains input. */
  readonly name: string;
  readonly sql: string;
  readonly parameters: BoundParameters;
  /** Whether it groups many facts by slot: in the order in which they lie that is quicker. */
  readonly groupsBySlot?: boolean;
}

/** Which facts of a range count. */
export interface Counted {
  /** The accepted suspects with facts in it: of all suspects, only theirs count. */
  readonly accepted: readonly string[];
  /** These do not. */
  readonly erased?: BoundCondition | undefined;
  /** All are merged while they are read; else only those in slots that are in several parts. */
  readonly mergesAll: boolean;
}

/** Forms in which the store writes rows. */
export type RowFormat = 'csv' | 'csv without header' | 'jsonl' | 'parquet';

/** Rows as the store writes them. It has made them all before the first byte is sent. */
export interface WrittenRows {
  readonly rows: number;
  readonly bytes: Readable;
}
