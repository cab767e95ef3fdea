import type { RawBuilder } from 'kysely';
import type { CountOnce } from './kept-counts.ts';
import type { SearchScope } from './search-index.ts';

/** A list, as far as it goes without a search. */
export interface VideoList extends Rows {
  readonly accountId: number;
  /** Together they are the list: whatever is found in all of them is in it. */
  readonly scopes: readonly SearchScope[];
  /** The same rows by way of the index that holds titles; not where two scopes are joined. */
  readonly titles: RawBuilder<unknown> | undefined;
  /** For this list alone. */
  readonly countOnce: CountOnce;
}

/** What a page is cut from: rows with a video's id and the columns that lists are sorted by. */
export interface Rows {
  /** The part of a query after `from`. */
  readonly from: RawBuilder<unknown>;
  readonly id: RawBuilder<number>;
}
