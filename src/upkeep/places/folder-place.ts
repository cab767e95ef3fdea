/** A place in a folder of this machine. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../../wire/faults.ts';
import { hashing } from './hash-stream.ts';
import type { Hashed, Place } from './place.ts';

/** What a file is called until it is whole. */
const partSuffix = '.part';

export function folderPlace(given: string): Place {
  const location = resolve(given);
  const parent = dirname(location);
  return {
    location,
    // Relative to the folder that has both, so that the backups may be moved together.
    resolve: (from) => folderPlace(resolve(parent, from)),
    nameOf(other) {
      if (isAbsolute(other.location)) return relative(parent, other.location);
      throw new Fault('CONFLICT', `${other.location} must be a folder, as ${location} is`);
    },
    inside: (name) => folderPlace(join(location, name)),
    names: () => readdir(location).catch(ifMissing<string[]>([])),
    readText: (path) =>
      readFile(join(location, path), 'utf8').catch(ifMissing<string | undefined>(undefined)),
    async read(path) {
      const file = join(location, path);
      if (await stat(file).catch(ifMissing(undefined))) return createReadStream(file);
      throw new Fault('NOT_FOUND', `${file} is missing`);
    },
    write: (path, bytes, { signal }) => writeDurably(bytes, join(location, path), signal),
    async writeText(path, text) {
      const file = join(location, path);
      await writeDurably(Readable.from([Buffer.from(text)]), file, new AbortController().signal);
      await syncFolder(dirname(file));
    },
    async remove(path) {
      if (path !== undefined) return rm(join(location, path), { force: true });
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
  signal: AbortSignal,
): Promise<Hashed> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const part = `${file}${partSuffix}`;
  const { stream, result } = hashing();
  // Flushed to the disk before it is closed.
  const to = createWriteStream(part, { mode: 0o600, flush: true });
  try {
    await pipeline(bytes, stream, to, { signal });
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return result();
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
