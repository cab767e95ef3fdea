/** Reads a backup, and checks each of its files against the manifest. */
import { Fault } from '../../vocabulary/faults.ts';
import type { Place } from '../storage/storage-target.ts';
import { hashOfStream } from '../storage/stream-hash.ts';
import { type BackupFile, type Manifest, manifestName, readManifest } from './manifest.ts';

export interface Backup {
  readonly place: Place;
  readonly manifest: Manifest;
}

export interface WrongFile {
  readonly path: string;
  readonly location: string;
  readonly reason: string;
}

/** Rejects with NOT_FOUND if there is none, or only one that was interrupted. */
export async function openBackup(place: Place): Promise<Backup> {
  const text = await place.readText(manifestName);
  if (text === undefined) {
    throw new Fault('NOT_FOUND', `There is no finished backup in ${place.location}`);
  }
  return { place, manifest: readManifest(text, place.location) };
}

/** The place that has a file of the backup. */
export function findPlace({ place }: Backup, { from }: BackupFile): Place {
  return from === undefined ? place : place.resolve(from);
}

interface CheckOptions {
  readonly signal: AbortSignal;
  /** Gets the share that is done, from 0 to 1. */
  readonly noteProgress: (share: number) => void;
}

/** Every file that is missing, or is not what was written. */
export async function checkBackup(
  backup: Backup,
  { signal, noteProgress }: CheckOptions,
): Promise<WrongFile[]> {
  const { files } = backup.manifest;
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const wrong: WrongFile[] = [];
  let done = 0;
  for (const file of files) {
    signal.throwIfAborted();
    const place = findPlace(backup, file);
    const reason = await whyWrong(place, file, signal);
    if (reason !== undefined) wrong.push({ path: file.path, location: place.location, reason });
    done += file.bytes;
    noteProgress(all === 0 ? 1 : done / all);
  }
  return wrong;
}

async function whyWrong(
  place: Place,
  { path, bytes, sha256 }: BackupFile,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const found = await hashOfStream(await place.read(path, signal));
    if (found.bytes !== bytes) return `it has ${found.bytes} bytes instead of ${bytes}`;
    return found.sha256 === sha256 ? undefined : 'its checksum is another';
  } catch (error) {
    if (error instanceof Fault && error.code === 'NOT_FOUND') return 'it is missing';
    throw error;
  }
}

interface UnreadableBackup {
  readonly location: string;
  readonly reason: string;
}

interface ListedBackups {
  /** The newest last. */
  readonly backups: readonly Backup[];
  /** Those whose manifests are damaged, or of a later release. */
  readonly unreadable: readonly UnreadableBackup[];
}

/** The finished backups at the top of a place. */
export async function listBackups(place: Place): Promise<ListedBackups> {
  const backups: Backup[] = [];
  const unreadable: UnreadableBackup[] = [];
  for (const name of await place.names()) {
    const own = place.inside(name);
    const text = await own.readText(manifestName);
    if (text === undefined) continue;
    try {
      backups.push({ place: own, manifest: readManifest(text, own.location) });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      unreadable.push({ location: own.location, reason: error.message });
    }
  }
  backups.sort((one, other) => (one.manifest.createdAt < other.manifest.createdAt ? -1 : 1));
  return { backups, unreadable };
}
