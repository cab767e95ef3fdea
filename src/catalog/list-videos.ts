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
  id: 'videos.id',
  title: 'videos.title_order',
  duration: 'videos.duration_ms',
  filesize: 'videos.file_size_bytes',
} as const;

export function createVideoLists(store: Store): VideoLists {
  const { kysely } = store;
  return {
    async listFolder(accountId, folderId, query) {
      const folder = await selectFolder(kysely, accountId, folderId).executeTakeFirst();
      if (!folder) throw new Fault('NOT_FOUND', 'There is no such folder');
      const list = sql`videos where videos.folder_id = ${folderId}
        and videos.deleted_at_ms is null`;
      const scope = { folderId };
      const target = { accountId, list, scope, isScope: true };
      const { ids, totalCount } = await findPage(store, target, query);
      return { videos: await readVideos(kysely, ids), totalCount };
    },

    async listPackage(accountId, packageId, { folderId, ...query }) {
      const found = await selectPackage(kysely, accountId, packageId).executeTakeFirst();
      if (!found) throw new Fault('NOT_FOUND', 'There is no such package');
      const list = sql`publications join videos on videos.id = publications.video_id
        where publications.package_id = ${packageId} and publications.retired_at_ms is null
        ${folderId === undefined ? sql`` : sql`and videos.folder_id = ${folderId}`}`;
      const scope = folderId === undefined ? { accountId } : { folderId };
      const target = { accountId, list, scope, isScope: false };
      const { ids, totalCount } = await findPage(store, target, query);
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

interface VideoList {
  readonly accountId: number;
  /** The part of a query after `from`, as far as the list goes without a search. */
  readonly list: RawBuilder<unknown>;
  readonly scope: SearchScope;
  /** Whether the scope is just this list, so that whatever is found in it counts. */
  readonly isScope: boolean;
}

/** The ids of one page, in order: counted and walked in indexes, before any whole row is read. */
async function findPage(
  store: Store,
  { accountId, list, scope, isScope }: VideoList,
  query: VideoQuery,
): Promise<{ ids: number[]; totalCount: number }> {
  const { kysely } = store;
  const { searchItem, keyword, pageSize, page } = query;
  const sought = keyword === '' ? undefined : narrow(store, accountId, scope, searchItem, keyword);
  const counted =
    isScope && sought?.matches
      ? sql`(${sought.matches}) as found`
      : sql`${list} ${sought?.few ?? sql``}`;
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
  const column = sql.raw(sortColumns[query.sortItem]);
  const condition = totalCount > sortLimit ? sought?.many : sought?.few;
  const { rows } = await sql<{ id: number }>`
    select videos.id from ${list} ${condition ?? sql``}
    order by ${column} ${direction}, videos.id ${direction}
    limit ${size} offset ${isNearEnd ? totalCount - offset - size : offset}
  `.execute(kysely);
  const ids = rows.map((row) => row.id);
  return { ids: isNearEnd ? ids.toReversed() : ids, totalCount };
}

/** The search as a condition, for few and for many found. */
function narrow(
  { engine, search }: Store,
  accountId: number,
  scope: SearchScope,
  searchItem: VideoQuery['searchItem'],
  keyword: string,
) {
  if (searchItem === 'cid') {
    // PostgreSQL takes no NUL; no cid holds one.
    const cid = keyword.replaceAll('\0', '\ufffd').toWellFormed();
    const isCid = sql`and videos.account_id = ${accountId} and videos.cid = ${cid}`;
    return { matches: undefined, few: isCid, many: isCid };
  }
  const matches = search.matches(scope, searchItem, normalizeText(keyword));
  const few = sql`and videos.id in (${matches})`;
  // TRICKY: the plus keeps SQLite from starting at what was found, so that it walks the index
  // that has the order; sorting a hundred thousand found videos takes it five times as long.
  return { matches, few, many: engine === 'sqlite' ? sql`and +videos.id in (${matches})` : few };
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
