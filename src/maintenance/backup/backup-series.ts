/** The backups that a schedule makes in a place: what each is called, and which are kept. */
import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from '../../lib/assert.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { Place } from '../storage/storage-target.ts';
import { manifestName } from './manifest.ts';

export interface BackupSeries {
  readonly place: Place;
  /** Tells them from those of other services in the same place. */
  readonly series: string;
}

/**
 * The name of the series that the data folder makes. No backup has this file: what is restored from
 * one elsewhere begins a series of its own, and removes nothing of the first.
 */
export async function readSeries(dataFolder: string): Promise<string> {
  const file = join(dataFolder, 'backup-series');
  const kept = await readFile(file, 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (kept !== undefined) return kept;
  const made = randomBytes(4).toString('hex');
  await writeFile(`${file}.new`, made, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  return made;
}

/** In the order of time. */
export function nameBackup(series: string, atMs: number): string {
  return `${createPrefix(series)}${new Date(atMs).toISOString().replaceAll(':', '-')}`;
}

/** Whatever its series: one that needs it could not be restored once it is removed. */
export function refuseScheduledAsBase({ location }: Place): void {
  if (!/(^|[/\\])scheduled-[^/\\]*[/\\]*$/.test(location)) return;
  throw new Fault(
    'CONFLICT',
    `${location} is removed when newer scheduled backups are there: name a backup made by hand`,
  );
}

/**
 * Removes all of the series but the newest, with what interrupted ones left; resolves to how many.
 * For whoever alone makes them, once the newest is finished.
 */
export async function removeOldBackups(
  { place, series }: BackupSeries,
  newest: string,
  keeps: number,
): Promise<number> {
  const names = (await place.names())
    .filter((name) => name.startsWith(createPrefix(series)))
    .sort();
  const finished: string[] = [];
  for (const name of names) {
    if ((await place.inside(name).sizeOf(manifestName)) !== undefined) finished.push(name);
  }
  const kept = finished.filter((name) => name <= newest).slice(-keeps);
  assert(kept.includes(newest), 'old backups are removed once a newer one is finished');
  const old = names.filter((name) => name <= newest && !kept.includes(name));
  for (const name of old) {
    const backup = place.inside(name);
    // What is half removed is no backup.
    await backup.remove(manifestName);
    await backup.remove();
    await place.remove(name);
  }
  return old.length;
}

function createPrefix(series: string): string {
  return `scheduled-${series}-`;
}
