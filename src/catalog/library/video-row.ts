import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { forPortions } from '../../lib/tasks/work-portions.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { lockRows } from '../database/row-locks.ts';
import type { NewVideoRow, VideoRow } from '../database/tables.ts';
import type { NewVideo, Video, VideoChanges } from '../library.ts';
import { createTitleOrder } from '../search/search-text.ts';

export function rowOfNewVideo(
  accountId: number,
  video: NewVideo & { readonly accessKey: string },
  nowMs: number,
): NewVideoRow {
  return {
    accountId,
    folderId: video.folderId,
    accessKey: video.accessKey,
    cid: video.cid ?? null,
    content: video.content ?? null,
    tag: video.tag ?? '',
    durationMs: video.durationMs ?? 0,
    createdAtMs: video.createdAt?.getTime() ?? nowMs,
    fileSizeBytes: video.fileSizeBytes ?? 0,
    height: video.height ?? 0,
    width: video.width ?? 0,
    frameRate: video.frameRate ?? 0,
    title: video.title,
    titleOrder: createTitleOrder(video.title),
    series: video.series ?? null,
    author: video.author ?? null,
    copyright: video.copyright ?? null,
    rate: video.rate ?? null,
    etc: video.etc ?? null,
    encodingSuccess: video.encodingSuccess ?? null,
    deletedAtMs: null,
  };
}

/** The row as it is after a change. */
export function changeRow(row: VideoRow, changes: VideoChanges): VideoRow {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const changed = { ...row, ...Object.fromEntries(given) };
  return { ...changed, titleOrder: createTitleOrder(changed.title) };
}

/** What the audit says of a video. */
export function notedMembers(row: NewVideoRow): object {
  const { accountId: _, accessKey: __, titleOrder: ___, deletedAtMs: ____, ...fields } = row;
  const { createdAtMs, ...others } = fields;
  return { ...others, createdAt: new Date(createdAtMs) };
}

/** The record of a row, for the rest of the service. */
export function toVideo(row: VideoRow & { thumbnailUrl: string | null }): Video {
  const { id, createdAtMs, deletedAtMs: _, titleOrder: __, thumbnailUrl, ...fields } = row;
  return {
    ...fields,
    videoId: id,
    createdAt: new Date(createdAtMs),
    thumbnailUrl: thumbnailUrl ?? '',
  };
}

/** Whole rows of videos, each with the URL of its representative thumbnail. */
export function selectVideoRows(connection: Connection) {
  return connection
    .selectFrom('videos')
    .selectAll('videos')
    .select((builder) =>
      builder
        .selectFrom('thumbnails')
        .select('url')
        .whereRef('thumbnails.videoId', '=', 'videos.id')
        .where('selected', '=', 1)
        .as('thumbnailUrl'),
    );
}

export function selectVideo(connection: Connection, accountId: number, accessKey: string) {
  return selectVideoRows(connection)
    .where('accountId', '=', accountId)
    .where('accessKey', '=', accessKey)
    .where('deletedAtMs', 'is', null);
}

/** Reads a video and keeps others from changing or deleting it until the transaction ends. */
export async function holdVideo(
  database: Database,
  transaction: Connection,
  accountId: number,
  accessKey: string,
) {
  const [video] = await lockRows(database, selectVideo(transaction, accountId, accessKey));
  return video;
}

/** The id of a video, even of one that is deleted; undefined: there was never one. */
export async function findVideoId(
  connection: Connection,
  accountId: number,
  accessKey: string,
): Promise<number | undefined> {
  const video = await connection
    .selectFrom('videos')
    .select('id')
    .where('accountId', '=', accountId)
    .where('accessKey', '=', accessKey)
    .executeTakeFirst();
  return video?.id;
}

/** SQLite answers in the service's own thread. */
const portion = { size: 500, takeTurn: nextTurn };

/** Those of many videos, likewise; unknown ones are absent. */
export async function findVideoIds(
  connection: Connection,
  accountId: number,
  accessKeys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  await forPortions([...accessKeys], portion, async (some) => {
    const videos = await connection
      .selectFrom('videos')
      .select(['id', 'accessKey'])
      .where('accountId', '=', accountId)
      .where('accessKey', 'in', some)
      .execute();
    for (const { id, accessKey } of videos) found.set(accessKey, id);
  });
  return found;
}
