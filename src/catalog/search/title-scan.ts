/**
 * Common keywords in titles: scans all titles of a list, in the index that they are sorted
 * by. That takes the same time for every keyword, 25 ms for 200,000 videos; a search index must
 * read all entries of a common one, which takes many times as long.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import type { VideoQuery } from '../library.ts';
import { titleOrderLength } from './search-text.ts';
import type { Rows, VideoList } from './video-list.ts';

/** A keyword, and its matches in the search index. */
export interface KeywordSearch {
  readonly normalized: string;
  readonly matches: RawBuilder<{ id: number }>;
}

interface TitleCounts {
  readonly found: number;
  readonly long: number;
}

/** The rows of a list, read through the index of titles. */
type Titles = Rows & Pick<VideoList, 'countOnce'>;

export async function scanTitles(
  { kysely, dialect }: Database,
  titles: Titles,
  { sortItem }: Pick<VideoQuery, 'sortItem'>,
  { normalized, matches }: KeywordSearch,
): Promise<{ totalCount: number; rows: Rows }> {
  const { from, id, countOnce } = titles;
  const isPart = sql`title_order ${patternOf(dialect, normalized)}`;
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

function patternOf(dialect: Dialect, keyword: string): RawBuilder<unknown> {
  // SQLite's LIKE would fold case once more.
  if (dialect === 'sqlite') return sql`glob ${`*${keyword.replaceAll(/[*?[]/g, '[$&]')}*`}`;
  return sql`like ${`%${keyword.replaceAll(/[%_\\]/g, '\\$&')}%`}`;
}
