/** When the data folder was last backed up, for monitoring: noted in the folder itself. */
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { addGauge } from '../lib/telemetry/telemetry.ts';
import type { Clock } from '../lib/time/clock.ts';

const fileName = 'last-backup.json';

interface LastBackup {
  /** Complete through this instant, ISO 8601. */
  readonly completeThrough: string;
}

export async function noteBackup(folder: string, backup: LastBackup): Promise<void> {
  const file = join(folder, fileName);
  await writeFile(`${file}.new`, JSON.stringify(backup), { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}

export function addBackupAge(metrics: Registry, folder: string, clock: Clock): void {
  addGauge(
    metrics,
    'playmeter_backup_age_seconds',
    'Age of what the last backup is complete through; NaN: there was none',
    () => backupAgeMs(folder, clock) / 1_000,
  );
}

/** Age of what the last backup is complete through; NaN: there was none. */
export function backupAgeMs(folder: string, clock: Clock): number {
  return clock.now() - readThrough(folder);
}

function readThrough(folder: string): number {
  try {
    const text = readFileSync(join(folder, fileName), 'utf8');
    return Date.parse((JSON.parse(text) as LastBackup).completeThrough);
  } catch {
    return Number.NaN;
  }
}
