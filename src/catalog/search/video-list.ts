import type { RawBuilder } from 'kysely';
import type { CountOnce } from './list-counts.ts';
import type { SearchScope } from './search-index.ts';

/** A list, before any search. */
export interface VideoList extends Rows {
  readonly accountId: number;
  /** The scopes of the list: a video in all of them is in the list. */
  readonly scopes: readonly SearchScope[];
  /** The same rows through the index of titles; absent if two scopes are joined. */
  readonly titles: RawBuilder<unknown> | undefined;
  /** For this list alone. */
  readonly countOnce: CountOnce;
}

/** Rows from which a page is cut: a video's id and the columns that lists sort by. */
export interface Rows {
  /** The part of a query after `from`. */
  readonly from: RawBuilder<unknown>;
  readonly id: RawBuilder<number>;
}
