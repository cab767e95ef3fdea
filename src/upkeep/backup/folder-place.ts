/** A backup in a folder of this machine. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../../wire/faults.ts';
import { hashing } from './hash-stream.ts';
import type { Hashed, Place, SourceFile } from './place.ts';

export function folderPlace(given: string): Place {
  const location = resolve(given);
  const parent = dirname(location);
  return {
    location,
    // Relative to the folder that has both, so that the backups may be moved together.
    resolve: (from) => folderPlace(resolve(parent, from)),
    nameOf: (other) => relative(parent, other.location),
    inside: (name) => folderPlace(join(location, name)),
    names: () => readdir(location).catch(ifMissing<string[]>([])),
    readText: (path) =>
      readFile(join(location, path), 'utf8').catch(ifMissing<string | undefined>(undefined)),
    async read(path) {
      const file = join(location, path);
      if (await stat(file).catch(ifMissing(undefined))) return createReadStream(file);
      throw new Fault('NOT_FOUND', `${file} is missing`);
    },
    put: (file, signal) => copyDurably(file, join(location, file.path), signal),
    async putText(path, text) {
      const file = join(location, path);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const handle = await open(file, 'w', 0o600);
      try {
        await handle.writeFile(text);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await syncFolder(dirname(file));
    },
    async remove(path) {
      if (path !== undefined) return rm(join(location, path), { force: true });
      for (const name of await readdir(location)) {
        await rm(join(location, name), { recursive: true, force: true });
      }
    },
  };
}

async function copyDurably(
  { source }: SourceFile,
  file: string,
  signal: AbortSignal,
): Promise<Hashed> {
  return writeDurably(createReadStream(source), file, signal);
}

/** Resolves when the bytes are in the file, to what they were. */
export async function writeDurably(
  bytes: NodeJS.ReadableStream,
  file: string,
  signal: AbortSignal,
): Promise<Hashed> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const { stream, result } = hashing();
  // Flushed to the disk before it is closed.
  const to = createWriteStream(file, { mode: 0o600, flush: true });
  await pipeline(bytes, stream, to, { signal });
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
