/** What the catalog keeps of viewers (docs/decisions/viewers.md) and labels (labels.md there). */
import type { Result } from '../lib/result.ts';
import type { CatalogRefusal } from './refusal.ts';

type Outcome<Value> = Promise<Result<Value, CatalogRefusal>>;

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

/** A name under which beacons may report values; its number is that of its column. */
export interface Label {
  readonly labelId: number;
  readonly accountId: number;
  /** 1 to 10. */
  readonly number: number;
  readonly name: string;
  /** When it was declared, or first declared. */
  readonly declaredAt: Date;
}

/** A label of one account. */
export interface LabelName {
  readonly accountId: number;
  readonly labelId: number;
}

export interface KnownLabel extends Pick<Label, 'labelId' | 'number'> {
  /** Whether values may have been collected under it. */
  readonly isUsed: boolean;
}

/**
 * Values that were collected are only ever seen under the name that they were reported under, or
 * the one it was changed into: once used, a number stays with its label, also when that is deleted.
 */
export interface Labels {
  /** In the order of their numbers. */
  list(accountId: number): Promise<Label[]>;
  /** By name. From a bounded cache; changes of other processes are seen within a second. */
  known(accountId: number): Promise<ReadonlyMap<string, KnownLabel>>;
  /** To be awaited before the first value of a label is kept; `known` then has what is left. */
  markUsed(labelIds: readonly number[]): Promise<void>;
  /** A name that was deleted comes back with its values. */
  create(accountId: number, name: string): Outcome<Label>;
  rename(label: LabelName, name: string): Outcome<Label>;
  delete(label: LabelName): Outcome<void>;
}
