/** Takes pictures from a video, with the installed ffmpeg. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { thumbnailFolder } from '../wire/library/content-files.ts';

const run = promisify(execFile);

/** Not at the very beginning or end, where there is often nothing to see. */
const places = [0.1, 0.3, 0.5, 0.7, 0.9];
const largestWidth = 640;
const takeWithinMs = 60_000;
const maxPictureBytes = 4_194_304;

export interface TakenThumbnail {
  readonly name: string;
  readonly playTimeMs: number;
  /** True for the one that represents the video. */
  readonly selected: boolean;
}

export async function isFfmpegInstalled(): Promise<boolean> {
  return run('ffmpeg', ['-version']).then(
    () => true,
    () => false,
  );
}

/** Writes them into the content folder; empty if ffmpeg cannot decode any. */
export async function takeThumbnails(
  file: string,
  durationMs: number,
  contentFolder: string,
): Promise<TakenThumbnail[]> {
  const taken = new Map<string, { playTimeMs: number; bytes: number }>();
  for (const place of places) {
    const playTimeMs = Math.round(durationMs * place);
    const picture = await takePicture(file, playTimeMs);
    if (!picture) continue;
    const name = await keepPicture(contentFolder, picture, 'jpg');
    // A still image looks the same everywhere.
    if (!taken.has(name)) taken.set(name, { playTimeMs, bytes: picture.length });
  }
  // Black, white and faded frames compress well: the largest picture shows most.
  const most = Math.max(...[...taken.values()].map(({ bytes }) => bytes));
  return [...taken].map(([name, { playTimeMs, bytes }]) => ({
    name,
    playTimeMs,
    selected: bytes === most,
  }));
}

async function takePicture(file: string, playTimeMs: number): Promise<Buffer | undefined> {
  const seconds = (playTimeMs / 1_000).toFixed(3);
  const scale = `scale='min(${largestWidth},iw)':-2`;
  const words = [
    ...['-nostdin', '-v', 'error', '-protocol_whitelist', 'file', '-ss', seconds],
    // A file name may look like an option or a URL.
    ...['-i', `file:${resolve(file)}`, '-frames:v', '1', '-vf', scale],
    ...['-c:v', 'mjpeg', '-q:v', '4', '-pix_fmt', 'yuvj420p', '-f', 'image2pipe', '-'],
  ];
  const limits = { timeout: takeWithinMs, maxBuffer: maxPictureBytes, encoding: 'buffer' } as const;
  const { stdout } = await run('ffmpeg', words, limits).catch(() => ({ stdout: Buffer.alloc(0) }));
  return stdout.length > 0 ? stdout : undefined;
}

const nameBytes = 16;

/**
 * Pictures in the content folder, which this service serves: named after their own bytes. Resolves
 * to its name, under which it is served.
 */
export async function keepPicture(
  contentFolder: string,
  picture: Uint8Array,
  ending: 'jpg' | 'png',
): Promise<string> {
  const folder = join(contentFolder, thumbnailFolder);
  await mkdir(folder, { recursive: true });
  const hash = createHash('sha256').update(picture).digest().subarray(0, nameBytes);
  const name = `${hash.toString('base64url')}.${ending}`;
  // Renamed into place, so that an incomplete one is never served.
  const unfinished = join(folder, `${name}.${process.pid}`);
  await writeFile(unfinished, picture);
  await rename(unfinished, join(folder, name));
  return name;
}
