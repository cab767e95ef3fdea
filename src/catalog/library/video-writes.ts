import { isDeepStrictEqual } from 'node:util';
import { assert } from '../../lib/assert.ts';
import { accept, type Result } from '../../lib/result.ts';
import { findAccount } from '../access/accounts.ts';
import { noteChange } from '../audit/change-entry.ts';
import { countChange } from '../database/change-watch.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { lockRows } from '../database/row-locks.ts';
import type { NewVideoRow, VideoRow } from '../database/tables.ts';
import { type StoredVideo, type Videos, type VideoToPut, videoBatchLimit } from '../library.ts';
import { type CatalogRefusal, refused } from '../refusal.ts';
import { noteLibraryChange } from '../search/list-counts.ts';
import { toIndexedVideo } from '../search/search-index.ts';
import { chooseSearchIndex, indexVideo } from '../search/video-index.ts';
import { holdFolder } from './folders.ts';
import { notedMembers, rowOfNewVideo } from './video-row.ts';

interface Candidate {
  readonly row: NewVideoRow;
  readonly given: VideoToPut;
}

/** New videos are added many at a time; existing ones are written one by one. */
export function createPutMany(database: Database): Videos['putMany'] {
  return async (accountId, videos) => {
    assert(videos.length <= videoBatchLimit, `a batch is at most ${videoBatchLimit} videos`);
    return database.kysely.transaction().execute(async (transaction) => {
      if (!(await findAccount(transaction, accountId))) {
        return videos.map(() => refused('NO_ACCOUNT'));
      }
      const held = await holdFolders(database, transaction, accountId, videos);
      const nowMs = database.clock.now();
      const candidates = videos.map((given) =>
        held.has(given.folderId)
          ? accept({ row: rowOfNewVideo(accountId, given, nowMs), given })
          : refused('NO_FOLDER'),
      );
      const rows = candidates.flatMap((candidate) => (candidate.ok ? candidate.value.row : []));
      const added = await addVideos(database, transaction, rows);
      const newKeys = new Set(added.map((row) => row.accessKey));
      const keys = rows.map((row) => row.accessKey).filter((key) => !newKeys.has(key));
      const present = await readPresent(database, transaction, accountId, keys);
      const before = new Map(present);
      for (const row of added) present.set(row.accessKey, row);
      const results: Result<StoredVideo, CatalogRefusal>[] = [];
      const urls = new Map<number, string>();
      const lengths = new Map([...present.values()].map(({ id, durationMs }) => [id, durationMs]));
      for (const one of candidates) {
        const result = one.ok
          ? await settle(database, transaction, present, newKeys, one.value)
          : one;
        results.push(result);
        const url = one.ok ? one.value.given.thumbnailUrl : undefined;
        if (result.ok && url !== undefined) urls.set(result.value.videoId, url);
      }
      const replaced = await putThumbnails(transaction, urls);
      if (results.some((result) => result.ok && result.value.isChanged)) {
        await noteLibraryChange(transaction, accountId);
      }
      // Collectors hold reported positions to the length.
      const ends = [...present.values()];
      if (ends.some(({ id, durationMs }) => lengths.get(id) !== durationMs)) {
        await countChange(transaction);
      }
      const stored = results.map((result) =>
        result.ok && replaced.has(result.value.videoId)
          ? accept({ ...result.value, isChanged: true })
          : result,
      );
      const pictures = new Map([...urls].filter(([videoId]) => replaced.has(videoId)));
      const noted = { accountId, stored, before, after: present, pictures };
      await noteStored(database, transaction, noted);
      return stored;
    });
  };
}

interface Noted {
  readonly accountId: number;
  readonly stored: readonly Result<StoredVideo, CatalogRefusal>[];
  /** Rows by accessKey; new ones only after it. */
  readonly before: ReadonlyMap<string, VideoRow>;
  readonly after: ReadonlyMap<string, VideoRow>;
  /** New URLs of representative thumbnails, by videoId. */
  readonly pictures: ReadonlyMap<number, string>;
}

/** One video is noted with its fields; of more there is one entry, with their number. */
async function noteStored(
  database: Database,
  transaction: Connection,
  { accountId, stored, before, after, pictures }: Noted,
): Promise<void> {
  const changed = stored.flatMap((result) =>
    result.ok && result.value.isChanged ? result.value : [],
  );
  const [first, ...further] = changed;
  if (first === undefined) return;
  if (further.length > 0) {
    const created = changed.filter(({ isNew }) => isNew).length;
    const counts = { created, changed: changed.length - created };
    const change = { accountId, action: 'VIDEOS_IMPORTED', after: counts } as const;
    return noteChange(database, transaction, change);
  }
  const { accessKey } = first;
  const [was, is] = [before.get(accessKey), after.get(accessKey)];
  await noteChange(database, transaction, {
    action: first.isNew ? 'VIDEO_CREATED' : 'VIDEO_CHANGED',
    accountId,
    object: accessKey,
    before: was && notedMembers(was),
    after: is && { ...notedMembers(is), thumbnailUrl: pictures.get(is.id) },
  });
}

/** Updates one video to what is given, after all new ones were added. */
async function settle(
  database: Database,
  transaction: Connection,
  present: Map<string, VideoRow>,
  newKeys: Set<string>,
  { row, given }: Candidate,
): Promise<Result<StoredVideo, CatalogRefusal>> {
  const { accessKey } = row;
  const before = present.get(accessKey);
  assert(before !== undefined, 'a video that was not added is there');
  if (before.deletedAtMs !== null) return refused('ACCESS_KEY_USED');
  const videoId = before.id;
  // The same accessKey a second time in one batch updates the video just added.
  if (newKeys.delete(accessKey)) {
    return accept({ videoId, accessKey, isNew: true, isChanged: true });
  }
  const createdAtMs = given.createdAt?.getTime() ?? before.createdAtMs;
  const after = { ...row, id: videoId, createdAtMs };
  // An import that is run again mostly finds its own rows.
  const isChanged = !isDeepStrictEqual({ ...before }, after);
  if (isChanged) await storeVideo(database, transaction, after);
  present.set(accessKey, after);
  return accept({ videoId, accessKey, isNew: false, isChanged });
}

async function readPresent(
  database: Database,
  transaction: Connection,
  accountId: number,
  accessKeys: readonly string[],
): Promise<Map<string, VideoRow>> {
  if (accessKeys.length === 0) return new Map();
  const present = transaction
    .selectFrom('videos')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('accessKey', 'in', accessKeys)
    // Always in one order, so that two imports at once cannot wait for each other.
    .orderBy('id');
  const rows = await lockRows(database, present);
  return new Map(rows.map((row) => [row.accessKey, row]));
}

/** The folders named by the videos that exist. */
async function holdFolders(
  database: Database,
  transaction: Connection,
  accountId: number,
  videos: readonly VideoToPut[],
): Promise<ReadonlySet<number>> {
  const held = new Set<number>();
  for (const folderId of new Set(videos.map((video) => video.folderId))) {
    if (await holdFolder(database, transaction, accountId, folderId)) held.add(folderId);
  }
  return held;
}

const rowsPerInsert = 200;

/** Writes new videos and what is derived from them; skips those whose accessKey was used before. */
export async function addVideos(
  database: Database,
  transaction: Connection,
  rows: readonly NewVideoRow[],
): Promise<VideoRow[]> {
  const added: VideoRow[] = [];
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const inserted = await transaction
      .insertInto('videos')
      .values(rows.slice(start, start + rowsPerInsert))
      .onConflict((conflict) => conflict.columns(['accountId', 'accessKey']).doNothing())
      .returningAll()
      .execute();
    // A new video is in no package yet.
    await chooseSearchIndex(database).add(
      transaction,
      inserted.map((row) => toIndexedVideo(row, [])),
    );
    added.push(...inserted);
  }
  return added;
}

/** Writes an existing video and what is derived from it. */
export async function storeVideo(
  database: Database,
  transaction: Connection,
  { id, ...columns }: VideoRow,
): Promise<void> {
  await transaction.updateTable('videos').set(columns).where('id', '=', id).execute();
  // A package's list is sorted by copies; see tables.ts.
  const { titleOrder, durationMs, fileSizeBytes } = columns;
  await transaction
    .updateTable('publications')
    .set({ titleOrder, durationMs, fileSizeBytes })
    .where('videoId', '=', id)
    .execute();
  await indexVideo(database, transaction, { id, ...columns });
}

/**
 * Makes the picture at a URL the only thumbnail of each video whose representative one has another
 * URL. Resolves to the videos that were changed.
 */
async function putThumbnails(
  transaction: Connection,
  urls: ReadonlyMap<number, string>,
): Promise<ReadonlySet<number>> {
  if (urls.size === 0) return new Set();
  const present = await transaction
    .selectFrom('thumbnails')
    .select(['videoId', 'url'])
    .where('videoId', 'in', [...urls.keys()])
    .where('selected', '=', 1)
    .execute();
  const urlBefore = new Map(present.map(({ videoId, url }) => [videoId, url]));
  const changed = [...urls].filter(([videoId, url]) => urlBefore.get(videoId) !== url);
  const outdated = changed.map(([videoId]) => videoId).filter((videoId) => urlBefore.has(videoId));
  if (outdated.length > 0) {
    await transaction.deleteFrom('thumbnails').where('videoId', 'in', outdated).execute();
  }
  if (changed.length > 0) {
    const rows = changed.map(([videoId, url]) => ({ videoId, seq: 0, url, playTimeMs: 0 }));
    await transaction
      .insertInto('thumbnails')
      .values(rows.map((row) => ({ ...row, selected: 1 as const })))
      .execute();
  }
  return new Set(changed.map(([videoId]) => videoId));
}
