/** The ids of one page of a list, in order: found in indexes, before any whole row is read. */
import { type RawBuilder, sql } from 'kysely';
import type { VideoQuery } from './library.ts';
import { scanTitles } from './scan-titles.ts';
import { normalizeText } from './search-text.ts';
import type { Store } from './store.ts';
import type { Rows, VideoList } from './video-list.ts';

/** So many found videos are sorted on their own; more are picked while walking the order. */
const sortLimit = 1_000;

const sortColumns = {
  title: 'title_order',
  duration: 'duration_ms',
  filesize: 'file_size_bytes',
} as const;

export interface FoundPage {
  readonly ids: readonly number[];
  readonly totalCount: number;
}

export async function findPage(
  store: Store,
  list: VideoList,
  query: VideoQuery,
): Promise<FoundPage> {
  const { keyword, searchItem } = query;
  if (keyword === '') return cutPage(store, query, list, await countRows(store, list));
  if (searchItem === 'cid') {
    const found = {
      id: list.id,
      from: sql`${list.from} and ${list.id} in (${byCid(list, query)})`,
    };
    return cutPage(store, query, found, await countRows(store, found));
  }
  const normalized = normalizeText(keyword);
  const matches = store.search.matches(list.scopes, searchItem, normalized);
  let little: Promise<boolean> | undefined;
  const isLittle = () => {
    little ??= store.search.findsLittle(store.kysely, list.scopes, searchItem, normalized);
    return little;
  };
  if (searchItem === 'title' && list.titles && !(await isLittle())) {
    const scan = await scanTitles(store, { ...list, titles: list.titles }, { normalized, matches });
    const { page, pageSize, sortItem } = query;
    return cutPage(store, query, scan.rowsFor(page * pageSize, sortItem), scan.totalCount);
  }
  const isSortable = query.sortItem === 'id' || store.search.hasSortColumns;
  const among = (ids: RawBuilder<unknown>, isMuch: boolean): Rows => ({
    id: list.id,
    from: sql`${list.from} ${isAmong(store, list, ids, isMuch)}`,
  });
  if (query.page === 1) {
    const sought = { id: sql<number>`id`, from: sql`sought` };
    const rows = isSortable ? sought : among(sql`select id from sought`, !(await isLittle()));
    return cutFirstPage(store, query, rows, matches);
  }
  const found = { id: sql<number>`id`, from: sql`(${matches}) as found` };
  const totalCount = await countRows(store, found);
  const rows = isSortable ? found : among(matches, totalCount > sortLimit);
  return cutPage(store, query, rows, totalCount);
}

/** What matches, `sought`, is gone through once: for the page and for the count. */
async function cutFirstPage(
  { kysely }: Store,
  query: VideoQuery,
  { from, id }: Rows,
  matches: RawBuilder<unknown>,
): Promise<FoundPage> {
  const direction = query.sortDirection === 'desc' ? sql`desc` : sql`asc`;
  const { rows } = await sql<{ id: number; total: number }>`
    with sought as materialized (${matches})
    select ${id} as id, (select count(*) from sought) as total from ${from}
    order by ${columnOf(query, id)} ${direction}, ${id} ${direction} limit ${query.pageSize}
  `.execute(kysely);
  return { ids: rows.map((row) => row.id), totalCount: rows[0]?.total ?? 0 };
}

function columnOf({ sortItem }: VideoQuery, id: RawBuilder<number>): RawBuilder<unknown> {
  return sortItem === 'id' ? id : sql.ref(sortColumns[sortItem]);
}

async function countRows({ kysely }: Store, { from }: Rows): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${from}`.execute(
    kysely,
  );
  return rows[0]?.count ?? 0;
}

async function cutPage(
  { kysely }: Store,
  query: VideoQuery,
  { from, id }: Rows,
  totalCount: number,
): Promise<FoundPage> {
  const { pageSize, page, sortDirection } = query;
  const offset = (page - 1) * pageSize;
  if (offset >= totalCount) return { ids: [], totalCount };
  const size = Math.min(pageSize, totalCount - offset);
  // A page near the end is nearer from there: the same order, walked backwards.
  const isNearEnd = offset > totalCount / 2;
  const isDescending = (sortDirection === 'desc') !== isNearEnd;
  const direction = isDescending ? sql`desc` : sql`asc`;
  const { rows } = await sql<{ id: number }>`
    select ${id} as id from ${from} order by ${columnOf(query, id)} ${direction}, ${id} ${direction}
    limit ${size} offset ${isNearEnd ? totalCount - offset - size : offset}
  `.execute(kysely);
  const ids = rows.map((row) => row.id);
  return { ids: isNearEnd ? ids.toReversed() : ids, totalCount };
}

function byCid({ accountId }: VideoList, { keyword }: VideoQuery): RawBuilder<unknown> {
  // PostgreSQL takes no NUL; no cid holds one.
  const cid = keyword.replaceAll('\0', '\ufffd').toWellFormed();
  return sql`select videos.id from videos
    where account_id = ${accountId} and cid = ${cid} and deleted_at_ms is null`;
}

function isAmong(
  { engine }: Store,
  { id }: VideoList,
  ids: RawBuilder<unknown>,
  isMuch: boolean,
): RawBuilder<unknown> {
  // TRICKY: the plus keeps SQLite from starting at what was found, so that it walks the index
  // that has the order; sorting a hundred thousand found videos takes it five times as long.
  const isWalked = engine === 'sqlite' && isMuch;
  return isWalked ? sql`and +${id} in (${ids})` : sql`and ${id} in (${ids})`;
}
