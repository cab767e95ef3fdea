import { Fault } from '../../vocabulary/faults.ts';
import type { Place } from '../storage/storage-target.ts';
import type { Backup } from './backup-reader.ts';
import { manifestName, readManifest } from './manifest.ts';

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
