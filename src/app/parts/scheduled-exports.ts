/** Ties together what scheduled exports need from the configuration; shows how they stand. */
import type { Registry } from 'prom-client';
import type { ExportState } from '../../catalog/catalog.ts';
import type { Config } from '../../config/config.ts';
import { separated } from '../../config/setting-types.ts';
import { assert } from '../../lib/assert.ts';
import type { Logger } from '../../lib/logger.ts';
import { addGauge } from '../../lib/telemetry.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { readPeriodically } from '../../lib/time/periodic-reading.ts';
import { readSchedule, type Schedule } from '../../lib/time/schedule.ts';
import type { ScheduledExport } from '../../maintenance/export/export-job.ts';
import { findOverdueMs } from '../../maintenance/schedule/scheduled-job.ts';
import { openConfiguredPlace } from './storage-target.ts';

interface AppContext {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Undefined if none is configured. */
export function createScheduledExports(
  around: AppContext,
  parts: Pick<ScheduledExport, 'catalog' | 'facts'>,
): ScheduledExport | undefined {
  const { clock, logger, config } = around;
  const { EXPORT_TO: to, EXPORT_FORMAT: format, EXPORT_ACCOUNTS: accounts } = config;
  const schedule = parseSchedule(config.EXPORT_SCHEDULE);
  if (schedule === undefined || to === undefined) return undefined;
  const accountIds = accounts === 'all' ? undefined : separated(accounts).map(Number);
  const place = openConfiguredPlace(around, to);
  return { ...parts, schedule, clock, logger, place, format, accountIds };
}

/** Undefined if none is configured. */
export function parseSchedule(expression: string | undefined): Schedule | undefined {
  if (expression === undefined) return undefined;
  const schedule = readSchedule(expression);
  assert(schedule, 'the configuration is checked');
  return schedule;
}

/** Until the returned function is called. */
export function watchExports(
  metrics: Registry,
  { config, clock }: Omit<AppContext, 'logger'>,
  stateOf: () => Promise<ExportState | undefined>,
): () => void {
  const schedule = parseSchedule(config.EXPORT_SCHEDULE);
  const looks = schedule && readPeriodically(stateOf, clock);
  const add = (name: string, help: string, read: (state: ExportState) => number | undefined) =>
    addGauge(metrics, `playmeter_export_${name}`, `${help}; NaN: none, or not known`, () =>
      looks ? looks.read((state) => (state && read(state)) ?? Number.NaN) : Number.NaN,
    );
  const nowMs = () => clock.now();
  const age = (ms: number | undefined) => ms && (nowMs() - ms) / 1_000;
  add('age_seconds', 'Time since the last scheduled export succeeded', ({ succeededAtMs }) =>
    age(succeededAtMs),
  );
  add('failures', 'Failures of the scheduled export in a row', ({ failures }) => failures);
  add('overdue_seconds', 'How long a scheduled export is overdue', (state) =>
    schedule ? findOverdueMs(schedule, state, nowMs()) / 1_000 : undefined,
  );
  return looks?.stop ?? (() => {});
}
