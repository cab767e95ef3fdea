import type { NewVideoRow, VideoRow } from '../database/tables.ts';
import type { NewVideo, Video, VideoChanges } from '../library.ts';
import { titleOrderOf } from '../search/search-text.ts';

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
    titleOrder: titleOrderOf(video.title),
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
  return { ...changed, titleOrder: titleOrderOf(changed.title) };
}

/** What the audit says of a video. */
export function notedMembers(row: NewVideoRow): object {
  const { accountId: _, accessKey: __, titleOrder: ___, deletedAtMs: ____, ...fields } = row;
  const { createdAtMs, ...others } = fields;
  return { ...others, createdAt: new Date(createdAtMs) };
}

/** The record of a row, for the rest of the service. */
export function videoOf(row: VideoRow & { thumbnailUrl: string | null }): Video {
  const { id, createdAtMs, deletedAtMs: _, titleOrder: __, thumbnailUrl, ...fields } = row;
  return {
    ...fields,
    videoId: id,
    createdAt: new Date(createdAtMs),
    thumbnailUrl: thumbnailUrl ?? '',
  };
}
