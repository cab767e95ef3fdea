import type { Place } from '../places/place.ts';
import { manifestName } from './manifest.ts';
import { type Backup, openBackup } from './read-backup.ts';

/** The finished backups at the top of a place, the newest last. */
export async function listBackups(place: Place): Promise<Backup[]> {
  const found: Backup[] = [];
  for (const name of await place.names()) {
    const own = place.inside(name);
    if ((await own.readText(manifestName)) !== undefined) found.push(await openBackup(own));
  }
  return found.sort((one, other) => (one.manifest.createdAt < other.manifest.createdAt ? -1 : 1));
}
