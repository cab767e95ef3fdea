import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const mode = 0o700;

/**
 * With those above it, for its owner alone.
 *
 * TRICKY: not with `recursive`. In a folder that allows no new folders, such as /proc, Node would
 * retry for ever, and on a read-only file system it says that there is no such folder.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || (await isThere(dirname(folder)))) throw error;
    await makeFolder(dirname(folder));
    await makeFolder(folder);
  }
}

export function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
