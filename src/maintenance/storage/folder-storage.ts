/** A place in a folder of this machine. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeFolder } from '../../lib/folders.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { Hashed, Place, WriteOptions } from './storage-target.ts';
import { hashing } from './stream-hash.ts';

/** What a file is called until it is whole. */
const partSuffix = '.part';
/** What is written before it is synced: all of a large file at once would hold up other syncs. */
const syncedBytes = 8 * 1_048_576;

export function folderPlace(given: string): Place {
  const location = resolve(given);
  const parent = dirname(location);
  /** Files were added to these, whose names may not be on the disk yet. */
  const changed = new Set<string>();
  return {
    location,
    // More at once would only make what a service syncs meanwhile wait for longer.
    writesAtOnce: 1,
    // Relative to the folder that has both, so that the backups may be moved together.
    resolve: (from) => folderPlace(resolve(parent, from)),
    nameOf(other) {
      if (isAbsolute(other.location)) return relative(parent, other.location);
      throw new Fault('CONFLICT', `${other.location} must be a folder, as ${location} is`);
    },
    inside: (name) => folderPlace(join(location, name)),
    names: () => readdir(location).catch(ifMissing<string[]>([])),
    async sizeOf(path) {
      const found = await stat(join(location, path)).catch(ifMissing(undefined));
      return found?.size;
    },
    readText: (path) =>
      readFile(join(location, path), 'utf8').catch(ifMissing<string | undefined>(undefined)),
    async read(path) {
      const file = join(location, path);
      if (await stat(file).catch(ifMissing(undefined))) return createReadStream(file);
      throw new Fault('NOT_FOUND', `${file} is missing`);
    },
    async write(path, bytes, options) {
      for (const folder of foldersAbove(path)) changed.add(join(location, folder));
      return writeDurably(bytes, join(location, path), options);
    },
    async writeText(path, text, confirm) {
      for (const folder of changed) await syncFolder(folder);
      changed.clear();
      const file = join(location, path);
      const { signal } = new AbortController();
      await writeDurably(Readable.from([Buffer.from(text)]), file, { signal, confirm });
      await syncFolder(dirname(file));
    },
    async remove(path, confirm) {
      await confirm?.();
      if (path !== undefined) return rm(join(location, path), { recursive: true, force: true });
      for (const name of await readdir(location).catch(ifMissing<string[]>([]))) {
        await rm(join(location, name), { recursive: true, force: true });
      }
    },
  };
}

/** Resolves when the bytes are in the file, to what they were. */
export async function writeDurably(
  bytes: Readable,
  file: string,
  { signal, confirm }: Pick<WriteOptions, 'signal' | 'confirm'>,
): Promise<Hashed> {
  await makeFolder(dirname(file));
  const part = `${file}${partSuffix}`;
  const { stream, result } = hashing();
  // What a process that hung has still open is another file from now on, whatever it writes to it.
  await rm(part, { force: true });
  const to = await open(part, 'wx', 0o600);
  const { ino } = await to.stat();
  // Of this name there may be that of another process by now.
  const isOwn = async () => (await stat(part).catch(ifMissing(undefined)))?.ino === ino;
  try {
    await pipeline(bytes, stream, (chunks) => writeSynced(chunks, to), { signal });
    await confirm?.();
    if (!(await isOwn())) throw new Fault('UNAVAILABLE', `Another process has replaced ${part}`);
    await rename(part, file);
  } catch (error) {
    if (await isOwn()) await rm(part, { force: true });
    throw naming(file, error);
  } finally {
    // Not before: once it is closed, a file of another process may get the same number.
    await to.close();
  }
  return result();
}

/** What the system says of a write names no file. */
function naming(file: string, error: unknown): unknown {
  if (error instanceof Error && 'syscall' in error && !('path' in error)) {
    error.message += ` '${file}'`;
  }
  return error;
}

async function writeSynced(chunks: AsyncIterable<Buffer>, to: FileHandle): Promise<void> {
  let unsynced = 0;
  for await (const chunk of chunks) {
    // Goes on where the last one ended.
    await to.writeFile(chunk);
    unsynced += chunk.length;
    if (unsynced < syncedBytes) continue;
    await to.datasync();
    unsynced = 0;
  }
  await to.sync();
}

/** Its own up to the top: a folder that is made is a name in another. */
function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [folder] : [folder, ...foldersAbove(folder)];
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ifMissing<Value>(value: Value) {
  return (error: NodeJS.ErrnoException): Value => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    return value;
  };
}
