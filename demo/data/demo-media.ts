/** The files of the demo's videos: films made of the bundled clip, and pictures drawn for them. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NewVideo } from '../../src/catalog/catalog.ts';
import { clipFields, clipFile } from '../../src/import/clip-file.ts';
import { keepPicture } from '../../src/import/thumbnail-capture.ts';
import {
  mediaFileName,
  thumbnailFolder,
  thumbnailsUrl,
} from '../../src/wire/library/content-files.ts';
import { type DemoVideo, demoClip } from './demo-library.ts';
import { drawPicture } from './draw-picture.ts';
import { stretchClip } from './stretch-clip.ts';

export interface DemoContent {
  readonly contentFolder: string;
  /** The URL under which this service is reached. */
  readonly publicUrl: string;
}

interface DemoFilm {
  readonly bytes: Uint8Array;
  /** What the catalog has of it. */
  readonly fields: Omit<NewVideo, 'folderId'>;
}

export async function filmOf(video: DemoVideo): Promise<DemoFilm> {
  const { title, seconds } = video;
  const bytes = video === demoClip ? await readFile(clipFile) : await stretchClip(seconds);
  const fileSizeBytes = bytes.byteLength;
  return { bytes, fields: { ...clipFields, title, durationMs: seconds * 1_000, fileSizeBytes } };
}

export async function placeFilm(
  { contentFolder }: DemoContent,
  videoId: number,
  { bytes }: DemoFilm,
): Promise<void> {
  await mkdir(contentFolder, { recursive: true });
  const file = join(contentFolder, mediaFileName(videoId, 'mp4'));
  await writeFile(file, bytes, { mode: 0o600 });
}

/** Resolves to its URL. */
export async function placePicture(
  { contentFolder, publicUrl }: DemoContent,
  videoId: number,
): Promise<string> {
  const name = await keepPicture(contentFolder, drawPicture(videoId), 'png');
  return thumbnailsUrl(publicUrl) + name;
}

/** Those of one video. Only the demo keeps pictures in PNG. */
export async function removeFiles(
  { contentFolder }: DemoContent,
  videoId: number,
  thumbnailUrl: string,
): Promise<void> {
  await rm(join(contentFolder, mediaFileName(videoId, 'mp4')), { force: true });
  const [name] = /[\w-]{22}\.png$/.exec(thumbnailUrl) ?? [];
  if (name) await rm(join(contentFolder, thumbnailFolder, name), { force: true });
}
