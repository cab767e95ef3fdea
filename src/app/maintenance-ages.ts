/** When the last backup and the last verification were made, noted in the data folder for monitoring. */
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Registry } from 'prom-client';
import { addGauge } from '../lib/telemetry.ts';
import type { Clock } from '../lib/time/clock.ts';

const files = { backup: 'last-backup.json', verify: 'last-verify.json' };

interface MaintenanceNote {
  /** Complete through this instant, ISO 8601. */
  readonly completeThrough: string;
}

export async function noteMaintenance(
  folder: string,
  what: keyof typeof files,
  done: MaintenanceNote,
): Promise<void> {
  const file = join(folder, files[what]);
  await writeFile(`${file}.new`, JSON.stringify(done), { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}

/** `verifiedAtMs`: when a schedule last had another node verify everything; NaN: unknown. */
export function addMaintenanceAges(
  metrics: Registry,
  folder: string,
  clock: Clock,
  verifiedAtMs = () => Number.NaN,
): void {
  addGauge(
    metrics,
    'playmeter_backup_age_seconds',
    'Age of what the last backup is complete through; NaN: there was none',
    () => maintenanceAgeMs(folder, 'backup', clock) / 1_000,
  );
  addGauge(
    metrics,
    'playmeter_verify_age_seconds',
    'Time since all that is stored was last verified and found right; NaN: it never was',
    () => {
      const ages = [maintenanceAgeMs(folder, 'verify', clock), clock.now() - verifiedAtMs()];
      const known = ages.filter((age) => !Number.isNaN(age));
      return known.length === 0 ? Number.NaN : Math.min(...known) / 1_000;
    },
  );
}

/** NaN: it was never done. */
export function maintenanceAgeMs(folder: string, what: keyof typeof files, clock: Clock): number {
  return clock.now() - readThrough(join(folder, files[what]));
}

function readThrough(file: string): number {
  try {
    return Date.parse((JSON.parse(readFileSync(file, 'utf8')) as MaintenanceNote).completeThrough);
  } catch {
    return Number.NaN;
  }
}
