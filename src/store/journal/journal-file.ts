/** The files of the journal: numbered in order, synced before anything is acknowledged. */
import { constants } from 'node:fs';
import * as nodeFileSystem from 'node:fs/promises';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listFiles } from '../../lib/folders.ts';
import type { JournalHealth, LedgerRow } from '../facts.ts';
import type { FactBatch } from './fact-batch.ts';
import { createFrame, createLedgerFrame, type Frames, readFrames } from './journal-frame.ts';

export const journalSuffix = '.journal';
export const damagedSuffix = '.damaged';
/** Damaged files are kept for inspection; the oldest are deleted first. */
const mostDamagedFiles = 16;

/** Each write ends when it is durable: one way into the thread pool in place of two. */
const { O_CREAT, O_EXCL, O_WRONLY, O_APPEND, O_DSYNC } = constants;
const newSyncedFile = O_CREAT | O_EXCL | O_WRONLY | O_APPEND | O_DSYNC;

/** What the journal uses of `node:fs/promises`. */
export type FileSystem = Pick<
  typeof nodeFileSystem,
  'mkdir' | 'open' | 'readFile' | 'readdir' | 'rename' | 'stat' | 'unlink'
>;

export interface JournalFile {
  readonly name: string;
  /** Resolves when all of it is durable. After a rejection nothing more may be appended. */
  append(batch: FactBatch, ledger: readonly LedgerRow[], nowMs: number): Promise<void>;
  close(): Promise<void>;
  remove(): Promise<void>;
}

/** A file left by an earlier run. */
export interface LeftFile extends Frames {
  readonly name: string;
  readonly createdAtMs: number;
  readonly writtenAtMs: number;
  remove(): Promise<void>;
  /** Renames the file so that no later start reads it; resolves to its new path. */
  keepAside(): Promise<string>;
}

export interface JournalFolder {
  /** In order. */
  leftFiles(): AsyncIterable<LeftFile>;
  /** Numbered after all existing ones. */
  createFile(): Promise<JournalFile>;
}

/** Creates the folder if it is missing. */
export async function openJournalFolder(
  folder: string,
  fileSystem: FileSystem = nodeFileSystem,
): Promise<JournalFolder> {
  await fileSystem.mkdir(folder, { recursive: true, mode: 0o700 });
  await syncFolder(dirname(folder), fileSystem);
  const namesWith = async (ending: string) =>
    (await fileSystem.readdir(folder)).filter((name) => name.endsWith(ending)).sort();
  let number = Number.parseInt((await namesWith(journalSuffix)).at(-1) ?? '0', 10);

  const keepAside = async (name: string, writtenAt: Date): Promise<string> => {
    const stamp = writtenAt.toISOString().replaceAll(':', '');
    const path = join(folder, `${stamp}-${name}${damagedSuffix}`);
    await fileSystem.rename(join(folder, name), path);
    await syncFolder(folder, fileSystem);
    for (const old of (await namesWith(damagedSuffix)).slice(0, -mostDamagedFiles)) {
      await fileSystem.unlink(join(folder, old));
    }
    return path;
  };

  return {
    async *leftFiles() {
      for (const name of await namesWith(journalSuffix)) {
        const path = join(folder, name);
        const { birthtime, mtime } = await fileSystem.stat(path);
        yield {
          ...readFrames(await fileSystem.readFile(path)),
          name,
          createdAtMs: birthtime.getTime(),
          writtenAtMs: mtime.getTime(),
          remove: () => fileSystem.unlink(path),
          keepAside: () => keepAside(name, mtime),
        };
      }
    },

    async createFile() {
      number += 1;
      const name = `${String(number).padStart(12, '0')}${journalSuffix}`;
      const path = join(folder, name);
      const file = await fileSystem.open(path, newSyncedFile, 0o600);
      await syncFolder(folder, fileSystem).catch(async (error) => {
        // If no more files can be opened, one that stays open would make it worse.
        await file.close();
        await fileSystem.unlink(path);
        throw error;
      });
      return {
        name,
        async append(batch, ledger, nowMs) {
          const frames = [
            ...(batch.count > 0 ? [createFrame(batch, nowMs)] : []),
            ...(ledger.length > 0 ? [createLedgerFrame(ledger, nowMs)] : []),
          ];
          const [only] = frames;
          await file.appendFile(only && frames.length === 1 ? only : Buffer.concat(frames));
        },
        close: () => file.close(),
        remove: () => fileSystem.unlink(path),
      };
    },
  };
}

/** The names of files outlive a power cut only if their folder is synced. */
async function syncFolder(folder: string, fileSystem: FileSystem): Promise<void> {
  const handle = await fileSystem.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/* Reads the journal as a start would, and changes nothing; beside a running service too. */

/** With the folders in it: each worker has one. */
export async function checkJournal(folder: string): Promise<JournalHealth> {
  const names = await listFiles(folder);
  let facts = 0;
  const damaged: JournalHealth['damaged'][number][] = [];
  for (const file of names.filter((name) => name.endsWith(journalSuffix))) {
    // Files go as soon as the store has their facts.
    const bytes = await readFile(join(folder, file)).catch(ifMissing(Buffer.alloc(0)));
    // A torn end is a write that was never acknowledged as durable.
    const { frames, damagedPlaces } = readFrames(bytes);
    facts += frames.reduce((sum, { batch }) => sum + batch.count, 0);
    if (damagedPlaces.length > 0) damaged.push({ file, places: damagedPlaces.length });
  }
  return { facts, damaged, setAside: names.filter((name) => name.endsWith(damagedSuffix)) };
}

function ifMissing<Value>(value: Value) {
  return (error: NodeJS.ErrnoException): Value => {
    if (error.code !== 'ENOENT') throw error;
    return value;
  };
}
