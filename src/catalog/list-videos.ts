import { type RawBuilder, sql } from 'kysely';
import { Fault } from '../wire/faults.ts';
import type { Connection } from './database.ts';
import { selectFolder } from './folders.ts';
import type { PublishedVideo, Video, VideoQuery, Videos } from './library.ts';
import { selectPackage } from './packages.ts';
import type { SearchScope } from './search-index.ts';
import { normalizeText } from './search-text.ts';
import { selectVideoRows } from './select-video-rows.ts';
import type { Store } from './store.ts';
import { videoOf } from './video-row.ts';

type VideoLists = Pick<Videos, 'listFolder' | 'listPackage' | 'findInPackage'>;

/** So many found videos are sorted on their own; more are picked while walking the order. */
const sortLimit = 5_000;

const sortColumns = {
  title: 'title_order',
  duration: 'duration_ms',
  filesize: 'file_size_bytes',
} as const;

export function createVideoLists(store: Store): VideoLists {
  const { kysely } = store;
  return {
    async listFolder(accountId, folderId, query) {
      const folder = await selectFolder(kysely, accountId, folderId).executeTakeFirst();
      if (!folder) throw new Fault('NOT_FOUND', 'There is no such folder');
      const from = sql`videos where folder_id = ${folderId} and deleted_at_ms is null`;
      const list = { accountId, from, id: sql<number>`id`, scopes: [{ folderId }] };
      const { ids, totalCount } = await findPage(store, list, query);
      return { videos: await readVideos(kysely, ids), totalCount };
    },

    async listPackage(accountId, packageId, { folderId, ...query }) {
      const found = await selectPackage(kysely, accountId, packageId).executeTakeFirst();
      if (!found) throw new Fault('NOT_FOUND', 'There is no such package');
      const inFolder = sql`and video_id in (select id from videos where folder_id = ${folderId})`;
      const from = sql`publications where package_id = ${packageId} and retired_at_ms is null
        ${folderId === undefined ? sql`` : inFolder}`;
      const scopes = [{ packageId }, ...(folderId === undefined ? [] : [{ folderId }])];
      const list = { accountId, from, id: sql<number>`video_id`, scopes };
      const { ids, totalCount } = await findPage(store, list, query);
      return { videos: await readPublished(kysely, packageId, ids), totalCount };
    },

    async findInPackage(accountId, packageId, accessKey) {
      const video = await kysely
        .selectFrom('videos')
        .select('id')
        .where('accountId', '=', accountId)
        .where('accessKey', '=', accessKey)
        .executeTakeFirst();
      const [published] = await readPublished(kysely, packageId, video ? [video.id] : []);
      return published;
    },
  };
}

/** A list, as far as it goes without a search. */
interface VideoList {
  readonly accountId: number;
  /** The part of a query after `from`. */
  readonly from: RawBuilder<unknown>;
  /** The column of the video's id. */
  readonly id: RawBuilder<number>;
  /** Together they are the list: whatever is found in all of them is in it. */
  readonly scopes: readonly SearchScope[];
}

/** The ids of one page, in order: counted and walked in indexes, before any whole row is read. */
async function findPage(
  store: Store,
  list: VideoList,
  query: VideoQuery,
): Promise<{ ids: number[]; totalCount: number }> {
  const { kysely } = store;
  const { pageSize, page, sortItem } = query;
  const matches = query.keyword === '' ? undefined : findMatches(store, list, query);
  const counted = matches ? sql`(${matches}) as found` : list.from;
  const one = await sql<{ count: number }>`select count(*) as count from ${counted}`.execute(
    kysely,
  );
  const totalCount = one.rows[0]?.count ?? 0;
  const offset = (page - 1) * pageSize;
  if (offset >= totalCount) return { ids: [], totalCount };
  const size = Math.min(pageSize, totalCount - offset);
  // A page near the end is nearer from there: the same order, walked backwards.
  const isNearEnd = offset > totalCount / 2;
  const isDescending = (query.sortDirection === 'desc') !== isNearEnd;
  const direction = isDescending ? sql`desc` : sql`asc`;
  const limits = sql`limit ${size} offset ${isNearEnd ? totalCount - offset - size : offset}`;
  const isSortable = sortItem === 'id' || store.search.hasSortColumns;
  const found = query.searchItem !== 'cid' && isSortable ? matches : undefined;
  const id = found ? sql`id` : list.id;
  const column = sortItem === 'id' ? id : sql.ref(sortColumns[sortItem]);
  const from = found ? counted : list.from;
  const condition = matches && !found ? isAmong(store, id, matches, totalCount) : sql``;
  const ordered = sql`select ${id} as id from ${from} ${condition}
    order by ${column} ${direction}, ${id} ${direction}`;
  const { rows } = await sql<{ id: number }>`${ordered} ${limits}`.execute(kysely);
  const ids = rows.map((row) => row.id);
  return { ids: isNearEnd ? ids.toReversed() : ids, totalCount };
}

/** A query for the ids in the list that hold the keyword. */
function findMatches(
  { search }: Store,
  { accountId, from, id, scopes }: VideoList,
  { searchItem, keyword }: VideoQuery,
): RawBuilder<{ id: number }> {
  if (searchItem !== 'cid') return search.matches(scopes, searchItem, normalizeText(keyword));
  // PostgreSQL takes no NUL; no cid holds one.
  const cid = keyword.replaceAll('\0', '\ufffd').toWellFormed();
  return sql`select ${id} as id from ${from} and ${id} in (
    select videos.id from videos
    where account_id = ${accountId} and cid = ${cid} and deleted_at_ms is null)`;
}

function isAmong(
  { engine }: Store,
  id: RawBuilder<unknown>,
  matches: RawBuilder<{ id: number }>,
  totalCount: number,
): RawBuilder<unknown> {
  // TRICKY: the plus keeps SQLite from starting at what was found, so that it walks the index
  // that has the order; sorting a hundred thousand found videos takes it five times as long.
  const isWalked = engine === 'sqlite' && totalCount > sortLimit;
  return isWalked ? sql`and +${id} in (${matches})` : sql`and ${id} in (${matches})`;
}

async function readVideos(connection: Connection, ids: readonly number[]): Promise<Video[]> {
  if (ids.length === 0) return [];
  const rows = await selectVideoRows(connection).where('videos.id', 'in', ids).execute();
  return inOrder(ids, rows.map(videoOf));
}

async function readPublished(
  connection: Connection,
  packageId: number,
  ids: readonly number[],
): Promise<PublishedVideo[]> {
  if (ids.length === 0) return [];
  const rows = await selectVideoRows(connection)
    .innerJoin('publications', 'publications.videoId', 'videos.id')
    .select(['publications.packageId', 'publications.videoKey', 'publications.serviceAble'])
    .where('videos.id', 'in', ids)
    .where('publications.packageId', '=', packageId)
    .where('publications.retiredAtMs', 'is', null)
    .execute();
  const published = rows.map(({ packageId, videoKey, serviceAble, ...row }) => ({
    ...videoOf(row),
    packageId,
    videoKey,
    serviceAble,
  }));
  return inOrder(ids, published);
}

/** What was deleted since the ids were found is left out. */
function inOrder<Item extends Video>(ids: readonly number[], videos: readonly Item[]): Item[] {
  const byId = new Map(videos.map((video) => [video.videoId, video]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
