/** Backups and verifications by schedules, through the verbs of these names. */
import type { Catalog } from '../../catalog/catalog.ts';
import type { Config } from '../../config/config.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Clock } from '../../lib/time/clock.ts';
import {
  nameBackup,
  readSeries,
  removeOldBackups,
} from '../../maintenance/backup/backup-series.ts';
import type { Held, RunOutcome, ScheduledWork } from '../../maintenance/schedule/scheduled-job.ts';
import type { FactHealth } from '../../store/facts.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { runVerb } from './run-verb.ts';
import { parseSchedule } from './scheduled-exports.ts';
import { openConfiguredPlace } from './storage-target.ts';

interface AppContext {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface MaintenanceParts {
  readonly catalog: Pick<Catalog, 'backups' | 'verifications'>;
  readonly facts: FactHealth;
}

/** Those that are configured, in the order in which they take turns. */
export function createScheduledMaintenance(
  around: AppContext,
  { catalog, facts }: MaintenanceParts,
): ScheduledWork[] {
  const { BACKUP_SCHEDULE, BACKUP_TO: to, VERIFY_SCHEDULE } = around.config;
  const [backups, verifications] = [parseSchedule(BACKUP_SCHEDULE), parseSchedule(VERIFY_SCHEDULE)];
  const whyNotReady = () => facts.whyNotReady();
  const works: ScheduledWork[] = [];
  if (backups && to !== undefined) {
    if (around.config.DATABASE_URL !== undefined) {
      const advice = 'BACKUP_SCHEDULE leaves out the catalog: dump its database (DATABASE_URL)';
      around.logger.warn({ to }, advice);
    }
    const run = (held: Held) => backUp(around, to, held);
    works.push({ name: 'backup', schedule: backups, runs: catalog.backups, to, whyNotReady, run });
  }
  if (verifications) {
    const runs = catalog.verifications;
    works.push({ name: 'verify', schedule: verifications, runs, whyNotReady, run: check });
  }
  return works;
}

async function backUp(around: AppContext, to: string, { signal }: Held): Promise<RunOutcome> {
  const { config, clock, logger } = around;
  const place = openConfiguredPlace(around, to);
  const series = await readSeries(config.DATA_DIR);
  const name = nameBackup(series, clock.now());
  const { isDone, lines } = await runVerb(['backup', place.inside(name).location], signal);
  if (!isDone) throw new Fault('INTERNAL', lines.join('\n'));
  let removed = 0;
  try {
    removed = await removeOldBackups({ place, series }, name, config.BACKUP_KEEP);
  } catch (error) {
    // The new backup is there, and another one would only take more room.
    logger.warn({ err: error, to }, 'old backups could not be removed');
  }
  return { about: { backup: lines, removed } };
}

async function check({ signal }: Held): Promise<RunOutcome> {
  const { isDone, lines } = await runVerb(['verify'], signal);
  const about = { found: lines.at(-1) };
  return isDone ? { about } : { about, problem: lines[0] };
}
