/** Imports a media file into the catalog; the same file again is the same video. */
import {
  chmod,
  constants,
  copyFile,
  type FileHandle,
  mkdir,
  open,
  rename,
  stat,
} from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Catalog, CatalogRefusal, Video } from '../catalog/catalog.ts';
import { accept, type Result, refuse } from '../lib/result.ts';
import { describeRefusal } from '../operations/refusal-faults.ts';
import { mediaFileName, thumbnailsUrl } from '../wire/library/content-files.ts';
import { type MediaFile, readMediaFile } from './media-file.ts';
import { stableKey } from './stable-key.ts';
import { takeThumbnails } from './thumbnail-capture.ts';

export interface MediaImport {
  readonly accountId: number;
  readonly folderId: number;
  readonly contentFolder: string;
  /** The URL under which this service is reached. */
  readonly publicUrl: string;
  readonly takesThumbnails: boolean;
  /** Whether to copy the file into the content folder, which this service serves. */
  readonly copies: boolean;
}

type Parts = Pick<Catalog, 'videos' | 'thumbnails'>;

/** A refusal goes on from the name of the file. */
export async function importMedia(
  catalog: Parts,
  file: string,
  wanted: MediaImport,
): Promise<Result<Video, string>> {
  const read = await readMediaFile(file);
  if (!read.ok) return read;
  const media = read.value;
  const accessKey = await keyOfFile(wanted.accountId, file, media.fileSizeBytes);
  const put = await putVideo(catalog, file, media, { ...wanted, accessKey });
  if (!put.ok) return refuse(describeMediaRefusal(put.reason));
  const video = put.value;
  if (wanted.copies) await copyMedia(file, media, video, wanted.contentFolder);
  if (wanted.takesThumbnails) {
    const pictured = await putThumbnails(catalog, file, video, wanted);
    if (!pictured.ok) return refuse(describeMediaRefusal(pictured.reason));
  }
  return accept((await catalog.videos.find(wanted.accountId, accessKey)) ?? video);
}

/** Goes on from the name of the file. */
export function describeMediaRefusal(reason: CatalogRefusal): string {
  if (reason.code === 'ACCESS_KEY_USED') return 'was imported before, and its video was deleted';
  if (reason.code === 'NO_VIDEO') return 'was imported, and its video was deleted meanwhile';
  return `was refused: ${describeRefusal(reason)}`;
}

/** Keeps text that people have edited since; updates what is read from the file. */
async function putVideo(
  { videos }: Parts,
  file: string,
  media: MediaFile,
  { accountId, folderId, accessKey }: MediaImport & { readonly accessKey: string },
): Promise<Result<Video, CatalogRefusal>> {
  const fields = {
    durationMs: media.durationMs,
    fileSizeBytes: media.fileSizeBytes,
    height: media.height,
    width: media.width,
    frameRate: media.frameRate,
  };
  const before = await videos.find(accountId, accessKey);
  if (!before) {
    return videos.create(accountId, { folderId, accessKey, title: createTitle(file), ...fields });
  }
  const isSame =
    before.durationMs === media.durationMs &&
    before.fileSizeBytes === media.fileSizeBytes &&
    before.height === media.height &&
    before.width === media.width &&
    before.frameRate === media.frameRate;
  return isSame ? accept(before) : videos.change(accountId, accessKey, fields);
}

/** Some systems decompose accented letters in file names. */
function createTitle(file: string): string {
  const name = basename(file, extname(file)).normalize('NFC');
  return name.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim() || 'Video';
}

/** Only if there are none yet, or only ours under an old URL of this service. */
async function putThumbnails(
  { thumbnails }: Parts,
  file: string,
  { videoId, accessKey, durationMs }: Video,
  { accountId, contentFolder, publicUrl }: MediaImport,
): Promise<Result<unknown, CatalogRefusal>> {
  const base = thumbnailsUrl(publicUrl);
  const present = await thumbnails.list(videoId);
  const path = thumbnailsUrl('');
  const isOutdated = ({ url }: { url: string }) => url.includes(path) && !url.startsWith(base);
  if (present.length > 0 && !present.some(isOutdated)) return accept(undefined);
  const taken = await takeThumbnails(file, durationMs, contentFolder);
  if (taken.length === 0) return accept(undefined);
  return thumbnails.replace(
    accountId,
    accessKey,
    taken.map(({ name, playTimeMs, selected }) => ({
      url: `${base}${name}`,
      playTimeMs,
      selected,
    })),
  );
}

async function copyMedia(
  file: string,
  { container, fileSizeBytes }: MediaFile,
  { videoId }: Video,
  contentFolder: string,
): Promise<void> {
  await mkdir(contentFolder, { recursive: true });
  const target = join(contentFolder, mediaFileName(videoId, container));
  const present = await stat(target).catch(() => undefined);
  if (present?.size === fileSizeBytes) return;
  const unfinished = `${target}.${process.pid}`;
  // If the file system can, both share their blocks.
  await copyFile(file, unfinished, constants.COPYFILE_FICLONE);
  // A copy has the mode of what was copied.
  await chmod(unfinished, 0o600);
  await rename(unfinished, target);
}

const pieces = 16;
const pieceBytes = 262_144;

/**
 * The same file has the same key, whatever its name and folder. For a large file, the key covers
 * its size and pieces spread over it: a film of many gigabytes is not read in full, and two that
 * differ anywhere differ in size or in their index.
 */
export async function keyOfFile(accountId: number, file: string, size: number): Promise<string> {
  const handle = await open(file);
  try {
    const parts: (string | Buffer)[] = ['file', `${size}`];
    const step = Math.max(pieceBytes, Math.floor((size - pieceBytes) / (pieces - 1)));
    for (let at = 0; at < size && parts.length < pieces + 2; at += step) {
      parts.push(await readPiece(handle, at));
    }
    return stableKey(accountId, parts);
  } finally {
    await handle.close();
  }
}

async function readPiece(handle: FileHandle, position: number): Promise<Buffer> {
  const buffer = Buffer.alloc(pieceBytes);
  const { bytesRead } = await handle.read({ buffer, position });
  return buffer.subarray(0, bytesRead);
}
