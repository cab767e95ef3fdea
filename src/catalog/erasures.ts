import type { Result } from '../lib/result.ts';
import type { ErasureState, ErasureTarget } from '../vocabulary/erasures.ts';
import type { CatalogRefusal } from './refusal.ts';

/** How much an erasure found. */
export interface ErasedCounts {
  readonly views: number;
  readonly facts: number;
}

/** The receipt of an erasure. No viewer and no view stands in it under the name that was sent. */
export interface Erasure extends Omit<ErasureTarget, 'views'>, ErasedCounts {
  /** Its id, a UUID. */
  readonly receipt: string;
  readonly state: ErasureState;
  readonly at: Date;
  /** As in the audit. */
  readonly actor: string;
  readonly actorName: string;
  /** When it was done. */
  readonly endedAt: Date | undefined;
}

/** What was erased. Its names are kept for good, so that nothing of it comes back. */
export interface Erasures {
  /**
   * From then on nothing of it is stored any more; see `ErasureState` for what follows. `counts`:
   * as found before; the views of a viewer are found later.
   */
  record(target: ErasureTarget, counts: ErasedCounts): Promise<Result<Erasure, CatalogRefusal>>;
  /** An erasure of another copy of this catalog, to be carried out here; unknown ones only. */
  takeOver(erasure: Erasure, views: readonly string[]): Promise<Result<boolean, CatalogRefusal>>;
  find(receipt: string): Promise<Erasure | undefined>;
  /** Those of an account, or of all; the newest first, at most 10,000. */
  list(accountId?: number): Promise<Erasure[]>;
  /** Those that are not done, of all accounts; the oldest first, at most 100. */
  open(): Promise<Erasure[]>;
  /** Ids of the views that it erases by themselves. */
  viewsOf(receipt: string): Promise<string[]>;
  addViews(receipt: string, views: readonly string[]): Promise<void>;
  /**
   * Begins its next state. With `summing` the account's epoch rises and its snapshots are void;
   * counts are kept where they are larger. Does nothing in another state than `from`.
   */
  advance(
    receipt: string,
    states: { readonly from: ErasureState; readonly to: ErasureState },
    counts?: ErasedCounts,
  ): Promise<void>;
  /** See `ErasureBook` of the facts. */
  erasedUntil(accountId: number, names: readonly string[]): Promise<ReadonlyMap<string, number>>;
}
