/** What the service does again and again beside answering. */
import { keepNotifying, type NotifyParts } from '../alerts/alert-job.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { keepSettled, type Suspects } from '../collect/abuse/quarantine.ts';
import type { Countries } from '../collect/enrich/country/countries.ts';
import type { Viewers } from '../collect/enrich/viewer/viewers.ts';
import type { Config } from '../config/config.ts';
import type { Logger } from '../lib/logger.ts';
import { nextTurn } from '../lib/tasks/fair-turns.ts';
import { repeat } from '../lib/tasks/repeated-work.ts';
import type { Clock } from '../lib/time/clock.ts';
import { dayMs } from '../lib/time/utc-day.ts';
import { type Eraser, keepErasing } from '../maintenance/erase/eraser.ts';
import { keepFactsForMonths } from '../maintenance/erase/fact-retention-job.ts';
import { keepExporting, type ScheduledExport } from '../maintenance/export/export-job.ts';
import { keepToSchedule, type ScheduledWork } from '../maintenance/schedule/scheduled-job.ts';

export interface JobParts {
  readonly catalog: Catalog;
  readonly suspects: Suspects;
  readonly countries: Countries;
  readonly viewers: Viewers;
  readonly eraser: Eraser;
  /** Whether this process does what one of all has to do. */
  readonly keepsAll: boolean;
  readonly notifying: Omit<NotifyParts, 'catalog' | 'clock' | 'logger'>;
  /** Undefined: nothing is exported by a schedule. */
  readonly exporting: ScheduledExport | undefined;
  /** Backups and verifications by schedules; may be none. */
  readonly maintaining: readonly ScheduledWork[];
}

interface AppContext {
  readonly config: Pick<Config, 'AUDIT_DAYS'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * What is done again and again, until the returned function is called. It resolves when nothing is
 * exported, backed up or verified any more.
 */
export function startJobs(around: AppContext, parts: JobParts): () => Promise<void> {
  const { catalog, suspects, countries, viewers, eraser, keepsAll } = parts;
  const { notifying, exporting, maintaining } = parts;
  const { config, clock, logger } = around;
  const audit = { purge: () => catalog.audit.purge(config.AUDIT_DAYS * dayMs) };
  const { salts, snapshots, idempotentWrites, sessions, shares, deliveries } = catalog;
  const { invitations } = catalog;
  const limits = catalog.limitWindows ? [catalog.limitWindows] : [];
  const purged = [
    ...limits,
    salts,
    viewers,
    snapshots,
    idempotentWrites,
    sessions,
    shares,
    invitations,
  ];
  const kept = [...purged, audit, deliveries];
  const ofProcess = [countries.follow(), purgeExpired(keepsAll ? kept : [viewers], around)];
  const ofAll = () => [
    keepErasing({ eraser, catalog, clock, logger }),
    keepFactsForMonths({ eraser, catalog, clock, logger }),
    keepNotifying({ ...notifying, catalog, clock, logger }),
    keepSettled({ suspects, verdicts: catalog.verdicts, clock, logger }),
    ...(exporting ? [keepExporting(exporting)] : []),
    ...(maintaining.length > 0 ? [keepToSchedule(maintaining, { clock, logger })] : []),
  ];
  const stops = keepsAll ? [...ofProcess, ...ofAll()] : ofProcess;
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}

const everyMs = 60_000;

/** What is kept for a limited time. */
interface Kept {
  /** Deletes a portion of what has expired; resolves to 0 if nothing is left. */
  purge(): Promise<number>;
}

interface JobContext {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Removes all that has expired, once a minute, in portions: between two of them, requests have
 * their turn. Returns what stops it.
 */
export function purgeExpired(kept: readonly Kept[], { clock, logger }: JobContext): () => void {
  const round = async (signal: AbortSignal): Promise<void> => {
    for (const one of kept) {
      while (!signal.aborted && (await one.purge()) > 0) await nextTurn();
    }
  };
  const failure = 'purge failed, trying again';
  return repeat(round, { firstPauseMs: everyMs, pauseMs: everyMs, failure, clock, logger });
}
