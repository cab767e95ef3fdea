/** Backups and verifications by schedules, through the verbs of these names. */

import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { createInterface } from 'node:readline';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Config } from '../../config/config.ts';
import { assert } from '../../lib/assert.ts';
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
import { scheduleOf } from './scheduled-exports.ts';
import { placesOf } from './storage-target.ts';

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
  const [backups, verifications] = [scheduleOf(BACKUP_SCHEDULE), scheduleOf(VERIFY_SCHEDULE)];
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
  const place = placesOf(around)(to);
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

const lowPriority = 10;
/** A verb may list thousands of differences. */
const firstLines = 20;

interface VerbRun {
  /** Whether its exit code was 0. */
  readonly isDone: boolean;
  /** The first of what it printed, and the last line; at least one. */
  readonly lines: readonly string[];
}

/**
 * Runs a verb of the command line beside the service, as its operator would: it keeps a processor
 * and SQLite busy for longer than a request may wait. Rejects with the reason if it could not do
 * its work, and with the signal's if that aborts.
 */
async function runVerb(words: readonly string[], signal: AbortSignal): Promise<VerbRun> {
  signal.throwIfAborted();
  const program = process.argv[1];
  assert(program, 'the service is a program');
  const child = fork(program, words, { silent: true });
  const [lines, complaints]: [string[], string[]] = [[], []];
  readLines(child.stdout, lines);
  readLines(child.stderr, complaints);
  const end = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  try {
    yieldToService(child);
    const code = await whenClosed(child);
    signal.throwIfAborted();
    if (lines.length > 0 && code !== null) return { isDone: code === 0, lines };
    const [verb = ''] = words;
    const complaint = complaints.findLast((line) => line.startsWith(`playmeter ${verb}: `));
    const reason = complaint ?? complaints.at(-1) ?? `playmeter ${verb} ended with ${code}`;
    throw new Fault('INTERNAL', reason);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

function yieldToService({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, lowPriority);
  } catch {
    // It has ended already, or the system does not let it: then it runs as the service does.
  }
}

function readLines(from: ChildProcess['stdout'], lines: string[]): void {
  assert(from, 'the output of the process is a pipe');
  createInterface({ input: from }).on('line', (line) => {
    if (lines.length > firstLines) lines.pop();
    lines.push(line);
  });
}

function whenClosed(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}
