/**
 * A page of what a common keyword finds: the list is walked in the wanted order, and its texts
 * are looked at, until the page is full. Sorting a hundred thousand found videos for the first
 * thirty of them would take a hundred times as long.
 */
import { inReadingOrder, placeOf, readIds } from './cut-page.ts';
import type { VideoQuery } from './library.ts';
import type { SearchedField } from './search-index.ts';
import { normalizeText } from './search-text.ts';
import type { Store } from './store.ts';
import type { Rows } from './video-list.ts';

/** Sorting so few is as quick. */
const commonFrom = 1_000;
const walkLimit = 1_000;
const videosPerStep = 200;

interface Search {
  readonly field: SearchedField;
  readonly normalized: string;
  readonly totalCount: number;
}

/** Undefined where the page lies too far for a walk, or would. */
export async function walkOrder(
  store: Store,
  list: Rows,
  query: VideoQuery,
  { field, normalized, totalCount }: Search,
): Promise<readonly number[] | undefined> {
  const place = placeOf(query, totalCount);
  const wanted = place.offset + place.size;
  if (totalCount < commonFrom || place.size === 0 || wanted > walkLimit) return undefined;
  const found: number[] = [];
  for (let walked = 0; walked < walkLimit; walked += videosPerStep) {
    // As common as it was so far, it would not fill the page.
    if (found.length * walkLimit < wanted * walked) return undefined;
    const ids = await readIds(store, list, { ...place, offset: walked, size: videosPerStep });
    const holding = await holders(store, ids, field, normalized);
    found.push(...ids.filter((id) => holding.has(id)));
    if (found.length < wanted) continue;
    return inReadingOrder(place, found.slice(place.offset, wanted));
  }
  return undefined;
}

/** Of the videos, those whose text holds the keyword. */
async function holders(
  { kysely }: Store,
  ids: readonly number[],
  field: SearchedField,
  normalized: string,
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await kysely
    .selectFrom('videos')
    .select(['id', `${field} as text`])
    .where('id', 'in', ids)
    .execute();
  const holding = rows.filter(({ text }) => normalizeText(text ?? '').includes(normalized));
  return new Set(holding.map(({ id }) => id));
}
