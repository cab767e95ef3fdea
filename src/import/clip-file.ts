/** The short real film that comes with the service, for a video that has no other. */
import { chmod, copyFile, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../lib/folders.ts';

export const clipFile = join(projectFolder, 'demo/clip.mp4');

export const clipFields = {
  durationMs: 12_000,
  width: 640,
  height: 360,
  frameRate: 24,
  encodingSuccess: 'Y',
} as const;

export async function clipSizeBytes(): Promise<number> {
  return (await stat(clipFile)).size;
}

export async function placeClip(contentFolder: string, videoId: number): Promise<void> {
  await mkdir(contentFolder, { recursive: true });
  const file = join(contentFolder, `${videoId}.mp4`);
  await copyFile(clipFile, file);
  // A copy has the mode of what was copied.
  await chmod(file, 0o600);
}
