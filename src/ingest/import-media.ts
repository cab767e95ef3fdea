/** A media file into the catalog; the same file again is the same video. */
import { constants, copyFile, mkdir, rename, stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import type { Catalog, Video } from '../catalog/catalog.ts';
import { accept, type Result, refuse } from '../lib/result.ts';
import { mediaFileName, thumbnailAddress } from '../wire/content.ts';
import { Fault } from '../wire/faults.ts';
import { keyOfFile } from './key-of-file.ts';
import { type MediaFile, readMediaFile } from './read-media-file.ts';
import { takeThumbnails } from './take-thumbnails.ts';

export interface MediaImport {
  readonly accountId: number;
  readonly folderId: number;
  readonly contentFolder: string;
  /** Under which this service is reached. */
  readonly publicUrl: string;
  readonly takesThumbnails: boolean;
  /** Whether the file is copied to where this service serves it. */
  readonly copies: boolean;
}

type Parts = Pick<Catalog, 'videos' | 'thumbnails'>;

export async function importMedia(
  catalog: Parts,
  file: string,
  wanted: MediaImport,
): Promise<Result<Video, string>> {
  const read = await readMediaFile(file);
  if (!read.ok) return read;
  const media = read.value;
  try {
    const accessKey = await keyOfFile(wanted.accountId, file, media.fileSizeBytes);
    const video = await putVideo(catalog, file, media, { ...wanted, accessKey });
    if (wanted.copies) await copyMedia(file, media, video, wanted.contentFolder);
    if (wanted.takesThumbnails) await putThumbnails(catalog, file, video, wanted);
    return accept((await catalog.videos.find(wanted.accountId, accessKey)) ?? video);
  } catch (error) {
    if (error instanceof Fault && error.code === 'CONFLICT') {
      return refuse('was imported before, and its video was deleted');
    }
    throw error;
  }
}

/** What people wrote about a video since stays; what the file says is made so. */
async function putVideo(
  { videos }: Parts,
  file: string,
  media: MediaFile,
  { accountId, folderId, accessKey }: MediaImport & { readonly accessKey: string },
): Promise<Video> {
  const fields = {
    duration: media.durationMs,
    fileSize: media.fileSizeBytes,
    vHeight: media.height,
    vWidth: media.width,
    vFramerate: media.frameRate,
  };
  const before = await videos.find(accountId, accessKey);
  if (!before) {
    return videos.create(accountId, { folderId, accessKey, title: titleOf(file), ...fields });
  }
  const isSame =
    before.durationMs === media.durationMs &&
    before.fileSizeBytes === media.fileSizeBytes &&
    before.height === media.height &&
    before.width === media.width &&
    before.frameRate === media.frameRate;
  return isSame ? before : videos.change(accountId, accessKey, fields);
}

/** Some systems take accents apart in the names of files. */
function titleOf(file: string): string {
  const name = basename(file, extname(file)).normalize('NFC');
  return name.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim() || 'Video';
}

/** Only where there are none yet, or ours under an address that is no longer this service's. */
async function putThumbnails(
  { thumbnails }: Parts,
  file: string,
  { videoId, accessKey, durationMs }: Video,
  { accountId, contentFolder, publicUrl }: MediaImport,
): Promise<void> {
  const address = thumbnailAddress(publicUrl);
  const present = await thumbnails.list(videoId);
  const path = thumbnailAddress('');
  const isOutdated = ({ url }: { url: string }) => url.includes(path) && !url.startsWith(address);
  if (present.length > 0 && !present.some(isOutdated)) return;
  const taken = await takeThumbnails(file, durationMs, contentFolder);
  if (taken.length === 0) return;
  await thumbnails.replace(
    accountId,
    accessKey,
    taken.map(({ name, playTimeMs, selected }) => ({
      url: `${address}${name}`,
      playtime: playTimeMs,
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
  // Where the file system can, both share their blocks.
  await copyFile(file, unfinished, constants.COPYFILE_FICLONE);
  await rename(unfinished, target);
}
