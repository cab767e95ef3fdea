/** Node's file system that remembers what would outlive a power cut: only what was synced. */
import { constants } from 'node:fs';
import * as nodeFileSystem from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FileSystem } from '../../src/facts/journal-file.ts';

export interface PowerCut {
  readonly fileSystem: FileSystem;
  /** Writes into an empty folder what a power cut now would leave of another. */
  leave(from: string, into: string): Promise<void>;
}

export function powerCut(): PowerCut {
  /** The bytes of each file when it was last synced, and the names in each synced folder. */
  const syncedBytes = new Map<string, Buffer>();
  const syncedNames = new Map<string, readonly string[]>();

  const watched = async (path: string, file: nodeFileSystem.FileHandle, flags: unknown) => {
    const areWritesSynced = typeof flags === 'number' && (flags & constants.O_DSYNC) !== 0;
    const syncing = areWritesSynced ? ['sync', 'datasync', 'appendFile'] : ['sync', 'datasync'];
    const isFolder = (await file.stat()).isDirectory();
    const keep = async (): Promise<void> => {
      if (isFolder) syncedNames.set(path, await nodeFileSystem.readdir(path));
      else syncedBytes.set(path, await nodeFileSystem.readFile(path));
    };
    return new Proxy(file, {
      get(target, name) {
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        if (!syncing.includes(String(name))) return member.bind(target);
        return async (...given: unknown[]) => {
          const answer = await member.apply(target, given);
          await keep();
          return answer;
        };
      },
    });
  };

  return {
    fileSystem: {
      ...nodeFileSystem,
      open: async (path, ...how) =>
        watched(String(path), await nodeFileSystem.open(path, ...how), how[0]),
      async rename(from, to) {
        await nodeFileSystem.rename(from, to);
        // The bytes have both names until the folder is synced.
        const bytes = syncedBytes.get(String(from));
        if (bytes) syncedBytes.set(String(to), bytes);
      },
    },
    async leave(from, into) {
      const isThere = syncedNames.get(dirname(from))?.includes(from.split('/').at(-1) as string);
      for (const name of isThere ? (syncedNames.get(from) ?? []) : []) {
        const bytes = syncedBytes.get(join(from, name)) ?? Buffer.alloc(0);
        await nodeFileSystem.writeFile(join(into, name), bytes);
      }
    },
  };
}
