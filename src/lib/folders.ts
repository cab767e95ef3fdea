import { mkdir, readdir, stat } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { assert } from './assert.ts';

/** The files in a folder and all folders in it, by their path in it; empty if it is missing. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    ifMissing([]),
  );
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .sort();
}

/** The folders in a folder, by name; empty if it is missing. */
export async function listFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ifMissing([]));
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

function ifMissing<Value>(value: Value) {
  return (error: NodeJS.ErrnoException): Value => {
    if (error.code !== 'ENOENT') throw error;
    return value;
  };
}

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

/** Where the files of the project lie, of a clone as of the packed product. */
const manifest = findPackageJSON(import.meta.url);
assert(manifest, 'the program lies in the folder of its package.json');

/** Absolute. Found from here, because this module runs from src/ and, bundled, from dist/. */
export const projectFolder = dirname(manifest);
