/** Makes a backup beside the running service; see docs/decisions/backup.md for the order. */
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { listFiles } from '../../lib/folders.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { Place } from '../storage/storage-target.ts';
import { hashOfStream } from '../storage/stream-hash.ts';
import { type Backup, findPlace } from './backup-reader.ts';
import { refuseScheduledAsBase } from './backup-series.ts';
import type { BackupSource, SourceFile } from './backup-source.ts';
import { type BackupFile, type Manifest, manifestName, writeManifest } from './manifest.ts';

/** Lies in a backup until it is finished: what has it may be overwritten. */
const unfinishedName = 'unfinished';
/**
 * What is read before the next rest. Small files too get a buffer of this size: with 1 MB, freeing
 * those took most of the processor time of a backup.
 */
const portionBytes = 65_536;

export interface BackupOptions {
  readonly version: string;
  /** An earlier backup: its files are not written again. */
  readonly base: Backup | undefined;
  readonly signal: AbortSignal;
  readonly noteProgress: (share: number) => void;
}

/** Rejects, and removes what it wrote, if anything cannot be copied. */
export async function takeBackup(
  source: BackupSource,
  place: Place,
  options: BackupOptions,
): Promise<Manifest> {
  // Before anything is written.
  if (options.base) {
    refuseScheduledAsBase(options.base.place);
    // Refuses a base of another kind of place.
    place.nameOf(options.base.place);
  }
  await makeRoom(place);
  await source.clear();
  try {
    await place.writeText(unfinishedName, 'This backup was not finished: it cannot be restored.\n');
    const manifest = await copyAll(source, place, options);
    await place.remove(unfinishedName);
    await place.writeText(manifestName, writeManifest(manifest));
    return manifest;
  } catch (error) {
    await place.remove();
    throw options.signal.aborted ? new Fault('UNAVAILABLE', 'The backup was interrupted') : error;
  } finally {
    await source.clear();
  }
}

async function makeRoom(place: Place): Promise<void> {
  const names = await place.names();
  if (names.length === 0) return;
  if (!names.includes(unfinishedName)) {
    const reason = names.includes(manifestName) ? 'has a backup already' : 'is not empty';
    throw new Fault('CONFLICT', `${place.location} ${reason}: name another place`);
  }
  await place.remove();
}

/**
 * TRICKY: in this order. What leaves the journal meanwhile is in the facts, which are taken later.
 * The facts name only what is in the catalog, and that only media that are there.
 */
async function copyAll(
  source: BackupSource,
  place: Place,
  options: BackupOptions,
): Promise<Manifest> {
  const createdAt = new Date(source.clock.now()).toISOString();
  const journal = await source.copyJournal();
  const { engine, tables } = await source.freezeFacts();
  const catalog = await source.copyCatalog();
  const { secretFile } = source;
  const secret = secretFile ? await withSize([{ path: 'secret', source: secretFile }]) : [];
  const media = (await listFiles(source.contentFolder)).map((path) => ({
    path: `content/${path}`,
    source: join(source.contentFolder, path),
  }));
  const parts = await Promise.all(
    tables.flatMap(({ name, parts }) =>
      parts.map(async ({ part, folder }) => {
        const names = await listFiles(folder);
        const rows = Number(await readFile(join(folder, 'count.txt'), 'utf8'));
        const files = names.map((file) => ({
          path: `facts/${name}/${part}/${file}`,
          source: join(folder, file),
        }));
        return { name, part, rows, files };
      }),
    ),
  );
  const ofCatalog = 'file' in catalog ? [catalog.file] : [];
  const listed = [...journal, ...ofCatalog, ...media, ...parts.flatMap(({ files }) => files)];
  const all = [...(await withSize(listed)), ...secret];
  return {
    format: 1,
    playmeter: options.version,
    engine,
    createdAt,
    completeThrough: createdAt,
    hasSecret: secret.length > 0,
    tables: tables.map(({ name, create }) => {
      const own = parts.filter((part) => part.name === name);
      const rows = own.reduce((sum, part) => sum + part.rows, 0);
      return { name, create, rows, parts: own.map(({ part }) => part) };
    }),
    ...('mark' in catalog && { catalogMark: catalog.mark }),
    files: await copyFiles(all, place, { ...options, clock: source.clock }),
  };
}

async function copyFiles(
  files: readonly SourceFile[],
  place: Place,
  { base, signal, noteProgress, clock }: BackupOptions & { readonly clock: Clock },
): Promise<BackupFile[]> {
  const known = new Map(base?.manifest.files.map((file) => [file.path, file]));
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const copied: BackupFile[] = [];
  let done = 0;
  const left = files.values();
  const work = async (): Promise<void> => {
    const rest = createRest(clock, signal);
    for (const file of left) {
      await rest();
      signal.throwIfAborted();
      const bytes = () => readInPortions(file.source, rest);
      const before = known.get(file.path);
      const earlier = base && before?.bytes === file.bytes && (await whereIs(before, base));
      if (before && earlier && before.sha256 === (await hashOfStream(bytes())).sha256) {
        copied.push({ ...before, from: place.nameOf(earlier) });
      } else {
        const options = { signal, bytes: file.bytes };
        copied.push({ path: file.path, ...(await place.write(file.path, bytes(), options)) });
      }
      done += file.bytes;
      noteProgress(all === 0 ? 1 : done / all);
    }
  };
  await Promise.all(Array.from({ length: place.writesAtOnce }, work));
  return copied.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** The manifest alone is not believed: undefined if the file is gone, or not as long as it was. */
async function whereIs(file: BackupFile, base: Backup): Promise<Place | undefined> {
  const place = findPlace(base, file);
  return (await place.sizeOf(file.path)) === file.bytes ? place : undefined;
}

function readInPortions(source: string, rest: Rest): Readable {
  async function* portions() {
    for await (const portion of createReadStream(source, { highWaterMark: portionBytes })) {
      yield portion;
      // It is written by now, but for what the streams hold.
      await rest();
    }
  }
  return Readable.from(portions(), { objectMode: false });
}

/** Those that are there. */
async function withSize(files: readonly Omit<SourceFile, 'bytes'>[]): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for (const file of files) {
    const size = await stat(file.source).then(
      (entry) => entry.size,
      () => undefined,
    );
    if (size !== undefined) found.push({ ...file, bytes: size });
  }
  return found;
}

/** Shorter work is not worth a timer: it is added to what follows. */
const leastWorkMs = 20;
const mostRestMs = 1_000;

/** Rests for as long as was worked since the last rest. */
type Rest = () => Promise<void>;

/**
 * For long work beside a service on the same disk: what the service syncs meanwhile waits for a
 * portion at most, and the disk is its own for half of the time. Resolves at once after an abort.
 */
export function createRest(clock: Clock, signal: AbortSignal): Rest {
  let since = clock.monotonic();
  return async () => {
    const workedMs = clock.monotonic() - since;
    if (workedMs < leastWorkMs) return;
    await sleep(clock, Math.min(workedMs, mostRestMs), signal);
    since = clock.monotonic();
  };
}
