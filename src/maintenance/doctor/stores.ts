/** The stores: the catalog, the statistics, the database of countries and the last backup. */
import type { Catalog, ExportState } from '../../catalog/catalog.ts';
import type { Schedule } from '../../lib/time/schedule.ts';
import type { JournalHealth, StoreDisk, StoreHealth } from '../../store/facts.ts';
import { findOverdueMs } from '../schedule/scheduled-job.ts';
import { behindMs, behindRemedy, lookAtOtherClock } from './clocks.ts';
import { error, type Finding, formatAge, formatSize, ok, warning } from './doctor.ts';

/** The store makes inserts wait at 1,000 parts of a partition, and refuses them at 3,000. */
const manyParts = 300;
const tooManyParts = 1_000;
const dayMs = 86_400_000;
const oldCountriesMs = 90 * dayMs;
const oldBackupMs = 2 * dayMs;
const slowAnswerMs = 250;

interface CatalogLook {
  readonly catalog: Pick<Catalog, 'ping' | 'upkeep' | 'accounts'>;
  monotonic(): number;
  /** This machine's clock, ms. */
  now(): number;
}

export async function lookAtCatalog(look: CatalogLook): Promise<Finding[]> {
  const { catalog, monotonic, now } = look;
  const began = monotonic();
  await catalog.ping();
  const tookMs = Math.round(monotonic() - began);
  const accounts = (await catalog.accounts.list()).length;
  const answered =
    `The catalog answers in ${tookMs} ms; it has ${accounts} accounts, ` +
    `in ${await catalog.upkeep.version()}`;
  const damage = await catalog.upkeep.damage();
  const askedAtMs = now();
  const serverMs = await catalog.upkeep.serverMs();
  return [
    tookMs < slowAnswerMs
      ? ok(answered)
      : warning(answered, 'Look for what keeps the disk or the database server busy'),
    ...(serverMs === undefined
      ? []
      : [lookAtOtherClock('the catalog (DATABASE_URL)', serverMs - (askedAtMs + now()) / 2)]),
    ...damage.map((reason) => error(`Catalog: ${reason}`, 'Restore the catalog from a backup')),
  ];
}

export function lookAtStore(health: StoreHealth): Finding[] {
  const { version, clockAheadMs, busiest, partsSetAside, unfinishedMutations, bytes } = health;
  const size = `The statistics take ${formatSize(bytes)}, in ClickHouse ${version}`;
  const parts = busiest && `${busiest.table} has ${busiest.parts} parts in one partition`;
  const merging = 'Wait until it has merged them. If they grow more, the disk is too slow';
  return [
    ok(size),
    ...(parts && busiest.parts >= tooManyParts ? [error(parts, merging)] : []),
    ...(parts && busiest.parts >= manyParts && busiest.parts < tooManyParts
      ? [warning(parts, merging)]
      : []),
    ...(partsSetAside > 0
      ? [
          error(
            `The statistics store found ${partsSetAside} parts of its tables damaged`,
            'Run `playmeter verify`; restore a backup if facts are missing',
          ),
        ]
      : []),
    ...(unfinishedMutations > 0
      ? [
          warning(
            `${unfinishedMutations} changes of stored statistics are not finished`,
            'They go on by themselves; if the number stays, see system.mutations of the store',
          ),
        ]
      : []),
    lookAtOtherClock('the statistics store', clockAheadMs),
    ...lookAtLatest(health),
  ];
}

/** What the clocks of both say is told already. */
function lookAtLatest({ latestAheadMs, clockAheadMs }: StoreHealth): Finding[] {
  if (latestAheadMs < behindMs || latestAheadMs - clockAheadMs < 1) return [];
  const minutes = Math.round(latestAheadMs / 60_000);
  return [
    error(
      `This machine's clock is behind: the statistics have been brought up to date ${minutes} ` +
        'minutes later than it shows; beacons are refused',
      behindRemedy,
    ),
  ];
}

/** Of a server that is configured: the bundled engine's disk is that of the data folder. */
export function lookAtStoreDisk(
  disk: StoreDisk | undefined,
  scarceBytes: (size: number) => number,
): Finding[] {
  if (disk === undefined) return [];
  const { freeBytes, sizeBytes } = disk;
  const sizes = `${formatSize(freeBytes)} of ${formatSize(sizeBytes)}`;
  const found = `${sizes} are free on the fullest disk of the statistics store`;
  if (freeBytes >= scarceBytes(sizeBytes)) return [ok(found)];
  const remedy = 'Make room or enlarge the disk: when it is full, nothing is counted any more';
  return [warning(found, remedy)];
}

export function lookAtJournal({ facts, damaged, setAside }: JournalHealth): Finding[] {
  return [
    ok(`The journal can be read; ${facts} facts are in it`),
    ...damaged.map(({ file, places }) =>
      error(
        `${file} of the journal has ${places} places that cannot be read`,
        'Copy the file before the next start. Afterwards the log says which time is concerned',
      ),
    ),
    ...(setAside.length > 0
      ? [
          warning(
            `${setAside.length} damaged files of the journal were set aside by earlier starts`,
            'See the log of those starts for the time that may lack playback, then delete them',
          ),
        ]
      : []),
  ];
}

export function lookAtCountries(ageMs: number, isOurs: boolean): Finding[] {
  const age = `The database of countries is ${formatAge(ageMs)} old`;
  if (ageMs <= oldCountriesMs) return [ok(age)];
  return [
    warning(age, isOurs ? 'Update the service, or set GEO_MMDB' : 'Update the file of GEO_MMDB'),
  ];
}

/** `ageMs`: of what the last backup is complete through; undefined: there was none. */
export function lookAtBackup(ageMs: number | undefined): Finding[] {
  const remedy = 'Run `playmeter backup` every day, to another disk';
  if (ageMs === undefined) return [warning('There is no backup yet', remedy)];
  const age = `The last backup is ${formatAge(ageMs)} old`;
  return [ageMs <= oldBackupMs ? ok(age) : warning(age, remedy)];
}

const longOverdueMs = 6 * 3_600_000;

/**
 * The scheduled export: whether its last run was in time, and went well. `state`: undefined if no
 * service has run with a schedule yet.
 */
export function lookAtExport(
  schedule: Schedule,
  state: ExportState | undefined,
  nowMs: number,
): Finding[] {
  if (state === undefined) {
    const remedy = 'Start the service with EXPORT_SCHEDULE and EXPORT_TO';
    return [warning('The scheduled export has not begun yet', remedy)];
  }
  const { failures, error: reason, succeededAtMs } = state;
  if (failures > 0) {
    const what = `The scheduled export failed ${failures} times in a row, last: ${reason}`;
    return [error(what, 'Look at EXPORT_TO, its room, and the rights there; the log has more')];
  }
  const overdueMs = findOverdueMs(schedule, state, nowMs);
  if (overdueMs > longOverdueMs) {
    const what = `The scheduled export is overdue for ${formatAge(overdueMs)}`;
    return [error(what, 'A node that sums must run with EXPORT_SCHEDULE; see its log')];
  }
  if (succeededAtMs === undefined) {
    const first = new Date(schedule.after(state.afterMs)).toISOString();
    return [ok(`The first scheduled export is due at ${first}`)];
  }
  return [ok(`The last scheduled export ended ${formatAge(nowMs - succeededAtMs)} ago`)];
}
