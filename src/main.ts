/** The program: reads the environment and runs the command line. */
import cluster from 'node:cluster';
import { openLogStream } from './app/log/log-stream.ts';
import { createLog } from './app/log/service-log.ts';
import { findContent } from './app/own-urls.ts';
import { openExistingCatalog, openOrMakeCatalog } from './app/parts/configured-catalog.ts';
import { createRetentionPolicy } from './app/parts/retention-policy.ts';
import { openConfiguredPlace } from './app/parts/storage-target.ts';
import type { AppContext } from './app/service.ts';
import { version } from './app/version.ts';
import {
  linkToParent,
  type ParentProcess,
  type WorkerLink,
  workerVariable,
} from './app/workers/worker-link.ts';
import { runCommandLine } from './cli/command-line.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { systemClock } from './lib/time/clock.ts';
import { type Examination, lookAtComplaints } from './maintenance/doctor/doctor.ts';
import { createSigningSealer } from './operations/signing-keys.ts';

// What a verb works with is loaded when it needs it: that is most of the time of a short one.
const offlineStores = () => import('./app/offline/offline-stores.ts');

const isService = process.argv[2] === 'serve';
// A service outlives its terminal, and what it writes to.
if (isService) process.on('SIGHUP', () => {});
process.stderr.on('error', () => {});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (isService) return;
  // The reader may close the pipe: `playmeter openapi | head`.
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
  let around: AppContext;
  /** What `doctor` looks at alone where all else depends on it. */
  let unconfigured: Examination | undefined;
  try {
    around = createAppContext(readConfig(process.env));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    if (argv[0] !== 'doctor') {
      complain(error.message);
      return 2;
    }
    around = createAppContext(readConfig({}));
    unconfigured = lookAtComplaints(error.complaints);
  }
  const serveAs = async (around: AppContext): Promise<void> => {
    const { config, worker } = around;
    const app = await import('./app/serve.ts');
    const { logStart, requireOpenFiles, requireSharedStores, serve } = app;
    requireOpenFiles();
    requireSharedStores(around);
    logStart(around);
    if (config.WORKERS > 1 && !worker) {
      const { serveWorkers } = await import('./app/serve-workers.ts');
      await serveWorkers(around, config.WORKERS);
    } else await serve(around, { print, isTerminal: process.stdout.isTTY === true });
  };
  /** The one that the catalog was used with. */
  const secret = async (): Promise<string> => {
    const { readKeptSecret } = await import('./app/identities.ts');
    const catalog = await openExistingCatalog(around);
    return readKeptSecret(around, catalog).finally(() => catalog.close());
  };
  return runCommandLine(argv, {
    version,
    clock: systemClock,
    content: findContent(around.config),
    keySignIn: around.config.KEY_SIGN_IN,
    keeping: createRetentionPolicy(around.config),
    openCatalog: () => openExistingCatalog(around),
    makeCatalog: () => openOrMakeCatalog(around),
    openImporter: async () => (await offlineStores()).openImporter(around),
    openSuspects: async () => (await offlineStores()).openSuspects(around),
    openQuestions: async () => (await offlineStores()).openQuestions(around),
    openMaintenance: async () => (await offlineStores()).openMaintenance(around),
    examinations: async () =>
      unconfigured
        ? [unconfigured]
        : (await import('./app/offline/doctor-checks.ts')).listDoctorChecks(around, version),
    openErasureService: async () => (await offlineStores()).openErasureService(around),
    openTables: async () => (await import('./app/offline/table-migration.ts')).openTables(around),
    moveCatalog: async (to, options) => {
      const { moveConfiguredCatalog } = await import('./app/offline/catalog-move.ts');
      return moveConfiguredCatalog(around, to, options);
    },
    openPlace: (location) => openConfiguredPlace(around, location),
    openBackupSource: async () =>
      (await import('./app/offline/backup-source.ts')).openBackupSource(around),
    restore: async (backup, options) =>
      (await import('./app/offline/restore.ts')).restore(around, backup, options),
    signingSealer: async () => createSigningSealer(await secret()),
    async ruleContext() {
      const { createRuleContext } = await import('./app/parts/alert-senders.ts');
      return createRuleContext(around.config, await secret());
    },
    mailer: async () =>
      (await import('./app/parts/people-parts.ts')).createPersonMailer(around.config, around.clock),
    serve: (role, accepts) => serveAs({ ...around, role, accepts }),
    describeInterface: async () => (await import('./http/app.ts')).describeInterface(),
    print,
    complain,
  });
}

function createAppContext(config: Config): AppContext {
  // The log goes to standard error: standard output is for a verb's results.
  const stream = openLogStream(2);
  const { LOG_LEVEL: level, LOG_FORMAT: format } = config;
  const logger = createLog({ level, format, clock: systemClock, stream });
  stream.onLost((lostLines) => logger.warn({ lostLines }, 'lines of the log could not be written'));
  const worker = findWorker(config);
  const named = worker ? logger.child({ worker: worker.number }) : logger;
  const { lostLines } = stream;
  return { config, clock: systemClock, logger: named, lostLines, ...(worker && { worker }) };
}

/** Which worker of a service of several processes this is; undefined if it is none. */
function findWorker(config: Config): WorkerLink | undefined {
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
