import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

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
