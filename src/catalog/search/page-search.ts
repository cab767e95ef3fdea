/** The ids of one page of a list, in order: found in indexes, before any whole row is read. */

import { type RawBuilder, sql } from 'kysely';
import { onlyRow } from '../../lib/assert.ts';
import { normalizeText } from '../../lib/values/text-normalization.ts';
import type { Dialect } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import type { VideoQuery } from '../library.ts';
import type { CountOnce } from './list-counts.ts';
import type { SearchedField, SearchScope } from './search-index.ts';
import { titleOrderLength } from './search-text.ts';
import { chooseSearchIndex } from './video-index.ts';

/** Up to this many matches are sorted; more are picked while walking the order. */
const sortLimit = 1_000;

export async function findPage(
  database: Database,
  list: VideoList,
  query: VideoQuery,
): Promise<FoundPage> {
  const { keyword, searchItem } = query;
  const { countOnce } = list;
  if (keyword === '') {
    return cutPage(database, query, list, await countOnce('all', () => countRows(database, list)));
  }
  if (searchItem === 'cid') {
    const found = {
      id: list.id,
      from: sql`${list.from} and ${list.id} in (${byCid(list, query)})`,
    };
    return cutPage(database, query, found, await countRows(database, found));
  }
  const normalized = normalizeText(keyword);
  const search = chooseSearchIndex(database);
  const found = search.matches(list.scopes, searchItem, normalized);
  // The index knows no list that is pinned to several packages.
  const matches = list.pinned
    ? sql<{ id: number }>`select * from (${found}) as found where id in (${list.pinned})`
    : found;
  const isQuick = () =>
    countOnce(`quick ${normalized}`, () =>
      search.findsQuickly(database.kysely, list.scopes, searchItem, normalized),
    );
  const titles = searchItem === 'title' && !(await isQuick()) ? list.titles : undefined;
  const { totalCount, rows } = titles
    ? await scanTitles(database, { ...list, from: titles }, query, { normalized, matches })
    : await lookUp(database, list, query, { normalized, matches });
  const ids = await walkOrder(database, list, query, { field: searchItem, normalized, totalCount });
  return ids ? { ids, totalCount } : cutPage(database, query, rows, totalCount);
}

/** The matches of the search index, as rows in the wanted order. */
async function lookUp(
  database: Database,
  list: VideoList,
  { searchItem, sortItem }: VideoQuery,
  { normalized, matches }: KeywordSearch,
): Promise<{ totalCount: number; rows: Rows }> {
  const found = { id: sql<number>`id`, from: sql`(${matches}) as found` };
  const count = () => countRows(database, found);
  const totalCount = await list.countOnce(`${searchItem} ${normalized}`, count);
  if (sortItem === 'id' || chooseSearchIndex(database).hasSortColumns)
    return { totalCount, rows: found };
  const among = isAmong(database, list, matches, totalCount);
  return { totalCount, rows: { id: list.id, from: sql`${list.from} ${among}` } };
}

async function countRows({ kysely }: Database, { from }: Rows): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${from}`.execute(
    kysely,
  );
  return onlyRow(rows).count;
}

function byCid({ accountId }: VideoList, { keyword }: VideoQuery): RawBuilder<unknown> {
  // PostgreSQL accepts no NUL; no cid contains one.
  const cid = keyword.replaceAll('\0', '\ufffd').toWellFormed();
  return sql`select videos.id from videos
    where account_id = ${accountId} and cid = ${cid} and deleted_at_ms is null`;
}

function isAmong(
  { dialect }: Database,
  { id }: VideoList,
  matches: RawBuilder<unknown>,
  totalCount: number,
): RawBuilder<unknown> {
  // TRICKY: the plus keeps SQLite from starting at the matches, so that it walks the index
  // that has the order; sorting a hundred thousand matches takes it five times as long.
  const isWalked = dialect === 'sqlite' && totalCount > sortLimit;
  return isWalked ? sql`and +${id} in (${matches})` : sql`and ${id} in (${matches})`;
}

/** Sorting this few is as quick. */
const commonFrom = 1_000;
const walkLimit = 1_000;
const videosPerStep = 200;

interface Search {
  readonly field: SearchedField;
  readonly normalized: string;
  readonly totalCount: number;
}

/**
 * A page of the matches of a common keyword: walks the list in the wanted order and checks its
 * texts until the page is full. Sorting a hundred thousand matches for the first thirty of them
 * would take a hundred times as long. Undefined if the page is too far for a walk.
 */
async function walkOrder(
  database: Database,
  list: Rows,
  query: VideoQuery,
  { field, normalized, totalCount }: Search,
): Promise<readonly number[] | undefined> {
  const place = selectPlace(query, totalCount);
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

/** A keyword, and its matches in the search index. */
interface KeywordSearch {
  readonly normalized: string;
  readonly matches: RawBuilder<{ id: number }>;
}

interface TitleCounts {
  readonly found: number;
  readonly long: number;
}

/** The rows of a list, read through the index of titles. */
type Titles = Rows & Pick<VideoList, 'countOnce'>;

/**
 * Common keywords in titles: scans all titles of a list, in the index that they are sorted by. That
 * takes the same time for every keyword, 25 ms for 200,000 videos; a search index must read all
 * entries of a common one, which takes many times as long.
 */
async function scanTitles(
  { kysely, dialect }: Database,
  titles: Titles,
  { sortItem }: Pick<VideoQuery, 'sortItem'>,
  { normalized, matches }: KeywordSearch,
): Promise<{ totalCount: number; rows: Rows }> {
  const { from, id, countOnce } = titles;
  const isPart = sql`title_order ${createPattern(dialect, normalized)}`;
  // The column has only the beginning of a long title; the keyword may be in the rest.
  const isLong = sql`octet_length(title_order) >= ${titleOrderLength}`;
  const isInRest = sql`${isLong} and ${id} in (select id from (${matches}) as matched)`;
  const count = async (isFound: RawBuilder<unknown>): Promise<TitleCounts> => {
    const counted = sql<TitleCounts>`
      select count(*) filter (where ${isFound}) as found,
        count(*) filter (where ${isLong}) as long from ${from}`;
    return (await counted.execute(kysely)).rows[0] ?? { found: 0, long: 0 };
  };
  const short = await countOnce(`titles ${normalized}`, () => count(isPart));
  // Left out if possible: with the search index, PostgreSQL considers a statement expensive.
  const isFound = short.long > 0 ? sql`(${isPart} or (${isInRest}))` : isPart;
  const countLong = () => countOnce(`long titles ${normalized}`, () => count(isFound));
  const { found } = short.long > 0 ? await countLong() : short;
  const rows = { id, from: sql`${from} and ${isFound}` };
  // The order of titles is that of the index itself.
  if (sortItem === 'title') return { totalCount: found, rows };
  // TRICKY: `offset 0` keeps planners from walking another index and reading every row.
  const columns = sql`${id} as id, title_order, duration_ms, file_size_bytes`;
  const limits = dialect === 'sqlite' ? sql`limit -1 offset 0` : sql`offset 0`;
  const sorted = sql`(select ${columns} from ${rows.from} ${limits}) as found`;
  return { totalCount: found, rows: { id: sql`id`, from: sorted } };
}

function createPattern(dialect: Dialect, keyword: string): RawBuilder<unknown> {
  // SQLite's LIKE would fold case once more.
  if (dialect === 'sqlite') return sql`glob ${`*${keyword.replaceAll(/[*?[]/g, '[$&]')}*`}`;
  return sql`like ${`%${keyword.replaceAll(/[%_\\]/g, '\\$&')}%`}`;
}

const sortColumns = {
  title: 'title_order',
  duration: 'duration_ms',
  filesize: 'file_size_bytes',
} as const;

interface FoundPage {
  readonly ids: readonly number[];
  readonly totalCount: number;
}

/** Some rows in an order. */
interface Place {
  readonly sortItem: VideoQuery['sortItem'];
  readonly isDescending: boolean;
  readonly offset: number;
  readonly size: number;
}

/** A page in the second half is read backwards from the end. */
interface PagePlace extends Place {
  readonly isFromEnd: boolean;
}

/** Size 0: past the end. */
function selectPlace(
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

async function cutPage(
  database: Database,
  query: VideoQuery,
  rows: Rows,
  totalCount: number,
): Promise<FoundPage> {
  const place = selectPlace(query, totalCount);
  if (place.size === 0) return { ids: [], totalCount };
  return { ids: inReadingOrder(place, await readIds(database, rows, place)), totalCount };
}

async function readIds(
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

function inReadingOrder({ isFromEnd }: PagePlace, ids: readonly number[]) {
  return isFromEnd ? ids.toReversed() : ids;
}

/** A list, before any search. */
interface VideoList extends Rows {
  readonly accountId: number;
  /** The scopes of the list: a video in all of them is in the list. */
  readonly scopes: readonly SearchScope[];
  /** The ids to which the list is pinned, if it is. */
  readonly pinned?: RawBuilder<number>;
  /** The same rows through the index of titles; absent if two scopes are joined. */
  readonly titles: RawBuilder<unknown> | undefined;
  /** For this list alone. */
  readonly countOnce: CountOnce;
}

/** Rows from which a page is cut: a video's id and the columns that lists sort by. */
interface Rows {
  /** The part of a query after `from`. */
  readonly from: RawBuilder<unknown>;
  readonly id: RawBuilder<number>;
}
