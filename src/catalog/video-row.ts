import type { Selectable } from 'kysely';
import { parseInstant } from '../lib/instant.ts';
import { Fault } from '../wire/faults.ts';
import type { NewVideoFields, VideoChanges } from '../wire/video-fields.ts';
import type { Video } from './library.ts';
import { titleOrderOf } from './search-text.ts';
import type { VideosTable } from './tables.ts';

export type VideoRow = Selectable<VideosTable>;
export type NewVideoRow = Omit<VideoRow, 'id'>;

/** The received form of a new video -> its stored form. */
export function rowOfNewVideo(
  accountId: number,
  fields: NewVideoFields,
  given: { accessKey: string; nowMs: number },
): NewVideoRow {
  return {
    accountId,
    folderId: fields.folderId,
    accessKey: fields.accessKey ?? given.accessKey,
    cid: fields.cid ?? null,
    content: fields.content ?? null,
    tag: fields.tag ?? '',
    durationMs: fields.duration ?? 0,
    createdAtMs: fields.cdate === undefined ? given.nowMs : instantOf(fields.cdate),
    fileSizeBytes: fields.fileSize ?? 0,
    height: fields.vHeight ?? 0,
    width: fields.vWidth ?? 0,
    frameRate: fields.vFramerate ?? 0,
    title: fields.title,
    titleOrder: titleOrderOf(fields.title),
    series: fields.series ?? null,
    author: fields.author ?? null,
    copyright: fields.copyright ?? null,
    rate: fields.rate ?? null,
    etc: fields.etc ?? null,
    encodingSuccess: fields.encodingSuccess ?? null,
    deletedAtMs: null,
  };
}

/** The received form of a change -> the row as it is after it. */
export function changeRow(row: VideoRow, changes: VideoChanges): VideoRow {
  const either = <Value>(change: Value | undefined, before: Value) =>
    change === undefined ? before : change;
  const title = either(changes.title, row.title);
  return {
    ...row,
    title,
    titleOrder: titleOrderOf(title),
    folderId: either(changes.folderId, row.folderId),
    cid: either(changes.cid, row.cid),
    content: either(changes.content, row.content),
    tag: either(changes.tag, row.tag),
    durationMs: either(changes.duration, row.durationMs),
    fileSizeBytes: either(changes.fileSize, row.fileSizeBytes),
    height: either(changes.vHeight, row.height),
    width: either(changes.vWidth, row.width),
    frameRate: either(changes.vFramerate, row.frameRate),
    series: either(changes.series, row.series),
    author: either(changes.author, row.author),
    copyright: either(changes.copyright, row.copyright),
    rate: either(changes.rate, row.rate),
    etc: either(changes.etc, row.etc),
    encodingSuccess: either(changes.encodingSuccess, row.encodingSuccess),
  };
}

/** The stored form of a video -> what the rest of the service sees. */
export function videoOf(row: VideoRow & { thumbnailUrl: string | null }): Video {
  const { id, createdAtMs, deletedAtMs: _, titleOrder: __, thumbnailUrl, ...fields } = row;
  return {
    ...fields,
    videoId: id,
    createdAt: new Date(createdAtMs),
    thumbnailUrl: thumbnailUrl ?? '',
  };
}

function instantOf(text: string): number {
  const instantMs = parseInstant(text);
  if (instantMs !== undefined) return instantMs;
  const detail = 'must be an instant that exists, such as 2026-11-20T10:15:30.123Z';
  throw new Fault('INVALID_PARAMETER', `cdate ${detail}`, {
    errors: [{ parameter: 'cdate', detail }],
  });
}
