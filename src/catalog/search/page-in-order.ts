/**
 * A page of the matches of a common keyword: walks the list in the wanted order and checks its
 * texts until the page is full. Sorting a hundred thousand matches for the first thirty of them
 * would take a hundred times as long.
 */

import { normalizeText } from '../../lib/values/text-normalization.ts';
import type { Database } from '../database/database.ts';
import type { VideoQuery } from '../library.ts';
import { inReadingOrder, placeOf, readIds } from './page-cut.ts';
import type { SearchedField } from './search-index.ts';
import type { Rows } from './video-list.ts';

/** Sorting this few is as quick. */
const commonFrom = 1_000;
const walkLimit = 1_000;
const videosPerStep = 200;

interface Search {
  readonly field: SearchedField;
  readonly normalized: string;
  readonly totalCount: number;
}

/** Undefined if the page is too far for a walk. */
export async function walkOrder(
  database: Database,
  list: Rows,
  query: VideoQuery,
  { field, normalized, totalCount }: Search,
): Promise<readonly number[] | undefined> {
  const place = placeOf(query, totalCount);
  const wanted = place.offset + place.size;
  if (totalCount < commonFrom || place.size === 0 || wanted > walkLimit) return undefined;
  const found: number[] = [];
  for (let walked = 0; walked < walkLimit; walked += videosPerStep) {
    // At its frequency so far, the keyword would not fill the page.
    if (found.length * walkLimit < wanted * walked) return undefined;
    const ids = await readIds(database, list, { ...place, offset: walked, size: videosPerStep });
    const holding = await holders(database, ids, field, normalized);
    found.push(...ids.filter((id) => holding.has(id)));
    if (found.length < wanted) continue;
    return inReadingOrder(place, found.slice(place.offset, wanted));
  }
  return undefined;
}

/** Those of the videos whose text contains the keyword. */
async function holders(
  { kysely }: Database,
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
