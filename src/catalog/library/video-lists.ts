import { type RawBuilder, sql } from 'kysely';
import { accept } from '../../lib/result.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import type { KnownVideo, PublishedVideo, Video, Videos } from '../library.ts';
import { refused } from '../refusal.ts';
import { type CountOnce, createKeptCounts } from '../search/list-counts.ts';
import { findPage } from '../search/page-search.ts';
import { createScopeToken, type SearchScope } from '../search/search-index.ts';
import { selectFolder } from './folders.ts';
import { selectPackage } from './packages.ts';
import { findVideoId, selectVideoRows, toVideo } from './video-row.ts';

/** As many as every database accepts in one statement. */
const idsPerStatement = 1_000;

type VideoLists = Pick<
  Videos,
  'listFolder' | 'listAll' | 'listPackage' | 'findInPackage' | 'known'
>;

export function createVideoLists(database: Database): VideoLists {
  const { kysely } = database;
  const keptCounts = createKeptCounts(database);
  const countsOf = async (
    accountId: number,
    scopes: readonly SearchScope[],
    within?: readonly number[],
  ) => {
    const countOnce = await keptCounts(accountId);
    const pin = within === undefined ? [] : [`within ${within.join(',')}`];
    const list = [...scopes.map(createScopeToken), ...pin].join(' ');
    const ofList: CountOnce = (name, count) => countOnce(`${list} ${name}`, count);
    return { scopes, countOnce: ofList };
  };
  return {
    async listFolder(accountId, folderId, query) {
      const folder = await selectFolder(kysely, accountId, folderId).executeTakeFirst();
      if (!folder) return refused('NO_FOLDER');
      const where = sql`where folder_id = ${folderId} and deleted_at_ms is null`;
      const list = {
        accountId,
        from: sql`videos ${where}`,
        id: sql<number>`id`,
        ...(await countsOf(accountId, [{ folderId }], query.within)),
        titles: sql`videos ${byTitle(database, 'videos_by_title')} ${where}`,
        ...pinnedTo(query.within, sql`videos ${where}`),
      };
      const { ids, totalCount } = await findPage(database, list, query);
      return accept({ videos: await readVideos(kysely, ids), totalCount });
    },

    async listAll(accountId, { accessKeys, ...query }) {
      const folderIds = await readFolderIds(kysely, accountId);
      if (folderIds.length === 0) return { videos: [], totalCount: 0 };
      const named = accessKeys ? sql` and access_key in (${sql.join(accessKeys)})` : sql``;
      const all = sql`videos where account_id = ${accountId} and deleted_at_ms is null${named}`;
      const list = {
        accountId,
        from: all,
        id: sql<number>`id`,
        ...(await countsOf(accountId, [{ accountId, folderIds }], query.within)),
        titles: undefined,
        ...(accessKeys && { countOnce: ((_, count) => count()) satisfies CountOnce }),
        ...pinnedTo(query.within, all),
      };
      const { ids, totalCount } = await findPage(database, list, query);
      return { videos: await readVideos(kysely, ids), totalCount };
    },

    async listPackage(accountId, packageId, { folderId, ...query }) {
      const found = await selectPackage(kysely, accountId, packageId).executeTakeFirst();
      if (!found) return refused('NO_PACKAGE');
      const inFolder = sql`and video_id in (select id from videos where folder_id = ${folderId})`;
      const where = sql`where package_id = ${packageId} and retired_at_ms is null`;
      const isWhole = folderId === undefined;
      const list = {
        accountId,
        from: sql`publications ${where} ${isWhole ? sql`` : inFolder}`,
        id: sql<number>`video_id`,
        ...(await countsOf(accountId, [{ packageId }, ...(isWhole ? [] : [{ folderId }])])),
        titles: isWhole
          ? sql`publications ${byTitle(database, 'publications_by_title')} ${where}`
          : undefined,
      };
      const { ids, totalCount } = await findPage(database, list, query);
      return accept({ videos: await readPublished(kysely, packageId, ids), totalCount });
    },

    async findInPackage(accountId, packageId, accessKey) {
      const videoId = await findVideoId(kysely, accountId, accessKey);
      if (videoId === undefined) return undefined;
      const [published] = await readPublished(kysely, packageId, [videoId]);
      return published;
    },

    known: (accountId, videoIds) => readAllKnown(kysely, accountId, videoIds),
  };
}

/** A list of videos, as far as they are in one of some packages. */
function pinnedTo(within: readonly number[] | undefined, from: RawBuilder<unknown>) {
  if (within === undefined) return {};
  const pinned = sql<number>`select video_id from publications
    where package_id in (${sql.join(within)}) and retired_at_ms is null`;
  return { from: sql`${from} and id in (${pinned})`, titles: undefined, pinned };
}

async function readFolderIds(connection: Connection, accountId: number): Promise<number[]> {
  const folders = await connection
    .selectFrom('folders')
    .select('id')
    .where('accountId', '=', accountId)
    .where('deletedAtMs', 'is', null)
    .execute();
  return folders.map(({ id }) => id);
}

async function readAllKnown(
  connection: Connection,
  accountId: number,
  videoIds: readonly number[],
): Promise<KnownVideo[]> {
  const known: KnownVideo[] = [];
  for (let start = 0; start < videoIds.length; start += idsPerStatement) {
    const ids = videoIds.slice(start, start + idsPerStatement);
    known.push(...(await readKnown(connection, accountId, ids)));
  }
  return known;
}

/** SQLite needs the hint; PostgreSQL finds by itself that the index has all it needs. */
function byTitle({ dialect }: Database, index: string): RawBuilder<unknown> {
  return dialect === 'sqlite' ? sql`indexed by ${sql.ref(index)}` : sql``;
}

function readKnown(connection: Connection, accountId: number, ids: readonly number[]) {
  return connection
    .selectFrom('videos')
    .select(['id as videoId', 'accessKey', 'folderId', 'title', 'durationMs'])
    .where('accountId', '=', accountId)
    .where('id', 'in', ids)
    .execute();
}

async function readVideos(connection: Connection, ids: readonly number[]): Promise<Video[]> {
  if (ids.length === 0) return [];
  const rows = await selectVideoRows(connection).where('videos.id', 'in', ids).execute();
  return inOrder(ids, rows.map(toVideo));
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
    .select('publications.createdAtMs as publishedAtMs')
    .where('videos.id', 'in', ids)
    .where('publications.packageId', '=', packageId)
    .where('publications.retiredAtMs', 'is', null)
    .execute();
  const published = rows.map(({ packageId, videoKey, serviceAble, publishedAtMs, ...row }) => ({
    ...toVideo(row),
    packageId,
    videoKey,
    serviceAble,
    publishedAt: new Date(publishedAtMs),
  }));
  return inOrder(ids, published);
}

/** Omits videos deleted since the ids were found. */
function inOrder<Item extends Video>(ids: readonly number[], videos: readonly Item[]): Item[] {
  const byId = new Map(videos.map((video) => [video.videoId, video]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
