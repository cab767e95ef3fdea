/** The ids of one page of a list, in order: found in indexes, before any whole row is read. */
import { type RawBuilder, sql } from 'kysely';
import { normalizeText } from '../../lib/values/text-normalization.ts';
import type { Database } from '../database/database.ts';
import type { VideoQuery } from '../library.ts';
import { chooseSearchIndex } from './configured-search-index.ts';
import { cutPage, type FoundPage } from './page-cut.ts';
import { walkOrder } from './page-in-order.ts';
import { type KeywordSearch, scanTitles } from './title-scan.ts';
import type { Rows, VideoList } from './video-list.ts';

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
  const matches = search.matches(list.scopes, searchItem, normalized);
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
  return rows[0]?.count ?? 0;
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
