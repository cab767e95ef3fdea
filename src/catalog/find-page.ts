/** The ids of one page of a list, in order: found in indexes, before any whole row is read. */
import { type RawBuilder, sql } from 'kysely';
import { cutPage, type FoundPage } from './cut-page.ts';
import type { VideoQuery } from './library.ts';
import { type KeywordSearch, scanTitles } from './scan-titles.ts';
import { normalizeText } from './search-text.ts';
import type { Store } from './store.ts';
import type { Rows, VideoList } from './video-list.ts';
import { walkOrder } from './walk-order.ts';

/** So many found videos are sorted on their own; more are picked while walking the order. */
const sortLimit = 1_000;

export async function findPage(
  store: Store,
  list: VideoList,
  query: VideoQuery,
): Promise<FoundPage> {
  const { keyword, searchItem } = query;
  const { countOnce } = list;
  if (keyword === '') {
    return cutPage(store, query, list, await countOnce('all', () => countRows(store, list)));
  }
  if (searchItem === 'cid') {
    const found = {
      id: list.id,
      from: sql`${list.from} and ${list.id} in (${byCid(list, query)})`,
    };
    return cutPage(store, query, found, await countRows(store, found));
  }
  const normalized = normalizeText(keyword);
  const matches = store.search.matches(list.scopes, searchItem, normalized);
  const isQuick = () =>
    countOnce(`quick ${normalized}`, () =>
      store.search.findsQuickly(store.kysely, list.scopes, searchItem, normalized),
    );
  const titles = searchItem === 'title' && !(await isQuick()) ? list.titles : undefined;
  const { totalCount, rows } = titles
    ? await scanTitles(store, { ...list, from: titles }, query, { normalized, matches })
    : await lookUp(store, list, query, { normalized, matches });
  const ids = await walkOrder(store, list, query, { field: searchItem, normalized, totalCount });
  return ids ? { ids, totalCount } : cutPage(store, query, rows, totalCount);
}

/** What the search index finds, as rows that have the wanted order. */
async function lookUp(
  store: Store,
  list: VideoList,
  { searchItem, sortItem }: VideoQuery,
  { normalized, matches }: KeywordSearch,
): Promise<{ totalCount: number; rows: Rows }> {
  const found = { id: sql<number>`id`, from: sql`(${matches}) as found` };
  const count = () => countRows(store, found);
  const totalCount = await list.countOnce(`${searchItem} ${normalized}`, count);
  if (sortItem === 'id' || store.search.hasSortColumns) return { totalCount, rows: found };
  const among = isAmong(store, list, matches, totalCount);
  return { totalCount, rows: { id: list.id, from: sql`${list.from} ${among}` } };
}

async function countRows({ kysely }: Store, { from }: Rows): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${from}`.execute(
    kysely,
  );
  return rows[0]?.count ?? 0;
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
  matches: RawBuilder<unknown>,
  totalCount: number,
): RawBuilder<unknown> {
  // TRICKY: the plus keeps SQLite from starting at what was found, so that it walks the index
  // that has the order; sorting a hundred thousand found videos takes it five times as long.
  const isWalked = engine === 'sqlite' && totalCount > sortLimit;
  return isWalked ? sql`and +${id} in (${matches})` : sql`and ${id} in (${matches})`;
}
