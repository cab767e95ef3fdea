/** The ids of a page, read from rows whose order an index has. */
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { VideoQuery } from '../library.ts';
import type { Rows } from './video-list.ts';

const sortColumns = {
  title: 'title_order',
  duration: 'duration_ms',
  filesize: 'file_size_bytes',
} as const;

export interface FoundPage {
  readonly ids: readonly number[];
  readonly totalCount: number;
}

/** Some rows in an order. */
export interface Place {
  readonly sortItem: VideoQuery['sortItem'];
  readonly isDescending: boolean;
  readonly offset: number;
  readonly size: number;
}

/** A page in the second half is read backwards from the end. */
export interface PagePlace extends Place {
  readonly isFromEnd: boolean;
}

/** Size 0: past the end. */
export function placeOf(
  { pageSize, page, sortItem, sortDirection }: VideoQuery,
  totalCount: number,
): PagePlace {
  const offset = (page - 1) * pageSize;
  const size = Math.max(0, Math.min(pageSize, totalCount - offset));
  const isFromEnd = offset > totalCount / 2;
  return {
    sortItem,
    isDescending: (sortDirection === 'desc') !== isFromEnd,
    offset: isFromEnd ? totalCount - offset - size : offset,
    size,
    isFromEnd,
  };
}

export async function cutPage(
  database: Database,
  query: VideoQuery,
  rows: Rows,
  totalCount: number,
): Promise<FoundPage> {
  const place = placeOf(query, totalCount);
  if (place.size === 0) return { ids: [], totalCount };
  return { ids: inReadingOrder(place, await readIds(database, rows, place)), totalCount };
}

export async function readIds(
  { kysely }: Database,
  { from, id }: Rows,
  { sortItem, isDescending, offset, size }: Place,
): Promise<number[]> {
  const direction = isDescending ? sql`desc` : sql`asc`;
  const column = sortItem === 'id' ? id : sql.ref(sortColumns[sortItem]);
  const { rows } = await sql<{ id: number }>`
    select ${id} as id from ${from} order by ${column} ${direction}, ${id} ${direction}
    limit ${size} offset ${offset}
  `.execute(kysely);
  return rows.map((row) => row.id);
}

export function inReadingOrder({ isFromEnd }: PagePlace, ids: readonly number[]) {
  return isFromEnd ? ids.toReversed() : ids;
}
