/** The program: reads the environment and runs the command line. */
import cluster from 'node:cluster';
import { destination } from 'pino';
import { runCommandLine } from './cli/run-command-line.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { openExistingCatalog, openOrMakeCatalog } from './configured-catalog.ts';
import { keepingOf } from './keeping.ts';
import { systemClock } from './lib/clock.ts';
import { createSigningSealer } from './managing/signing-keys.ts';
import { contentOf } from './own-urls.ts';
import { placesOf } from './placing.ts';
import { readSecret } from './secret.ts';
import type { Surroundings } from './service.ts';
import { createLog } from './service-log.ts';
import { lookAtComplaints } from './upkeep/doctor/complaints.ts';
import type { Examination } from './upkeep/doctor/doctor.ts';
import { version } from './version.ts';
import {
  linkToParent,
  type ParentProcess,
  type WorkerLink,
  workerVariable,
} from './workers/worker-link.ts';

// What a verb works with is loaded when it needs it: that is most of the time of a short one.
const besideService = () => import('./beside-service.ts');

// The reader may close the pipe: `playmeter openapi | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
// scripts/run.mjs holds the other end. When it is gone, for whatever reason, what it started stops.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
// What is written is for its owner alone, unless a file is given another mode.
process.umask(0o077);
process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const complain = (line: string) => void process.stderr.write(`${line}\n`);
  let around: Surroundings;
  /** What `doctor` looks at alone where all else depends on it. */
  let unconfigured: Examination | undefined;
  try {
    around = surroundingsOf(readConfig(process.env));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    if (argv[0] !== 'doctor') {
      complain(error.message);
      return 2;
    }
    around = surroundingsOf(readConfig({}));
    unconfigured = lookAtComplaints(error.complaints);
  }
  const serveAs = async (around: Surroundings): Promise<void> => {
    const { config, worker } = around;
    const { logStart, requireSharedStores, serve } = await import('./serve.ts');
    requireSharedStores(around);
    logStart(around);
    if (config.WORKERS > 1 && !worker) {
      const { serveWorkers } = await import('./serve-workers.ts');
      await serveWorkers(around, config.WORKERS);
    } else await serve(around, { print, isTerminal: process.stdout.isTTY === true });
  };
  return runCommandLine(argv, {
    version,
    clock: systemClock,
    content: contentOf(around.config),
    keeping: keepingOf(around.config),
    openCatalog: () => openExistingCatalog(around),
    makeCatalog: () => openOrMakeCatalog(around),
    openImporter: async () => (await besideService()).openImporter(around),
    openSuspects: async () => (await besideService()).openSuspects(around),
    openQuestions: async () => (await besideService()).openQuestions(around),
    openUpkeep: async () => (await besideService()).openUpkeep(around),
    examinations: async () =>
      unconfigured
        ? [unconfigured]
        : (await import('./examining.ts')).examinationsOf(around, version),
    openErasing: async () => (await besideService()).openErasing(around),
    openTables: async () => (await import('./migrating.ts')).openTables(around),
    openPlace: placesOf(around),
    openBackupSource: async () => (await import('./backup-source.ts')).openBackupSource(around),
    restore: async (backup, options) =>
      (await import('./restore.ts')).restore(around, backup, options),
    signingSealer: async () => createSigningSealer(await readSecret(around.config)),
    async ruleDesk() {
      const { ruleDeskOf } = await import('./notifying.ts');
      return ruleDeskOf(around.config, await readSecret(around.config));
    },
    serve: (role) => serveAs({ ...around, role }),
    describeInterface: async () => (await import('./api/app.ts')).describeInterface(),
    print,
    complain,
  });
}

function surroundingsOf(config: Config): Surroundings {
  // The log goes to standard error: standard output is for a verb's results.
  const stream = destination({ fd: 2, sync: true });
  const { LOG_LEVEL: level, LOG_FORMAT: format } = config;
  const logger = createLog({ level, format, clock: systemClock, stream });
  const worker = workerOf(config);
  const named = worker ? logger.child({ worker: worker.number }) : logger;
  return { config, clock: systemClock, logger: named, ...(worker && { worker }) };
}

/** Which worker of a service of several processes this is; undefined if it is none. */
function workerOf(config: Config): WorkerLink | undefined {
  if (!cluster.isWorker) return undefined;
  const [number, again] = (process.env[workerVariable] ?? '').split(' ');
  return linkToParent({
    number: Number(number),
    count: config.WORKERS,
    isFirstStart: again === undefined,
    parent: process as ParentProcess,
    clock: systemClock,
  });
}
