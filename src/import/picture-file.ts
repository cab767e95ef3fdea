/** Pictures in the content folder, which this service serves: named after their own bytes. */
import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { thumbnailFolder } from '../wire/library/content-files.ts';

const nameBytes = 16;

/** Resolves to its name, under which it is served. */
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
