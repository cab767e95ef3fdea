/** The stores that a service may have, for tests that hold on each of them. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { openBackupSource } from '../../src/app/offline/backup-source.ts';
import { listDoctorChecks } from '../../src/app/offline/doctor-checks.ts';
import {
  openErasureService,
  openImporter,
  openMaintenance,
  openQuestions,
  openSuspects,
} from '../../src/app/offline/offline-stores.ts';
import { findContent } from '../../src/app/own-urls.ts';
import { openExistingCatalog } from '../../src/app/parts/configured-catalog.ts';
import { createPersonMailer } from '../../src/app/parts/people-parts.ts';
import { openConfiguredPlace } from '../../src/app/parts/storage-target.ts';
import type { AppContext } from '../../src/app/service.ts';
import { configuredStore } from '../../src/app/store-access.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { Parts } from '../../src/cli/verb.ts';
import { readConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import type { FactStore } from '../../src/store/client/store-client.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Kind } from './each-kind.ts';
import { busyPatience } from './engine-cluster.ts';
import { startTestService, type TestService, type TestServiceOptions } from './service.ts';
import { startServiceCluster } from './service-cluster.ts';

export interface ServiceKind extends Kind {
  start(options?: KindOptions): Promise<StartedService>;
}

type KindOptions = Pick<TestServiceOptions, 'environment' | 'clock' | 'pace' | 'fewFacts'>;

export interface StartedService {
  /** On several nodes each request goes to another of them. */
  readonly service: TestService;
  /** Of verbs beside it. */
  readonly around: AppContext;
  /** Its tables, past the service. */
  readonly store: FactStore;
  /** Runs a verb of the command line beside it, in this process. */
  run(...words: string[]): Promise<Ran>;
  stop(): Promise<void>;
}

interface Ran {
  readonly code: number;
  /** Lines of standard output. */
  readonly printed: readonly string[];
  /** Lines of standard error. */
  readonly complaints: readonly string[];
}

export const oneServer: ServiceKind = {
  name: 'one server',
  async start(options = {}) {
    const service = await startTestService(options);
    return besides(service, options, () => service.stop());
  },
};

const cluster: ServiceKind = {
  name: 'three shards and PostgreSQL',
  tags: ['long'],
  async start({ pace, ...others } = {}) {
    // Three engines share this machine, and several nodes would sum on them without a pause.
    const options = { ...others, ...(pace && { pace: { ...pace, everyMs: 1_000 } }) };
    const { site, stop } = await startServiceCluster({ nodes: 2, ...options });
    return besides(site, options, stop);
  },
};

export const serviceKinds: readonly ServiceKind[] = [oneServer, cluster];

function besides(
  service: TestService,
  { pace }: KindOptions,
  stop: () => Promise<void>,
): StartedService {
  const { config } = service;
  const logger = pino({ level: 'error' }, pino.destination(2));
  const own = { config, clock: systemClock, logger };
  const access = configuredStore(config);
  if (access === undefined) throw new Error('Tests share an engine');
  const { store } = openStore({
    ...own,
    access: 'cluster' in access ? { ...access, patience: busyPatience } : access,
    noteFailure: undefined,
    metrics: new Registry(),
  });
  const around = { ...own, hostPatience: busyPatience, ...(pace && { pace }) };
  return {
    service,
    around,
    store,
    run: (...words) => runVerb(around, words),
    async stop() {
      await store.close();
      await stop();
    },
  };
}

/** Runs a verb of the command line in this process. */
export async function runVerb(around: AppContext, words: readonly string[]): Promise<Ran> {
  const printed: string[] = [];
  const complaints: string[] = [];
  const parts = {
    clock: systemClock,
    content: findContent(around.config),
    keySignIn: around.config.KEY_SIGN_IN,
    openCatalog: () => openExistingCatalog(around),
    openErasureService: () => openErasureService(around),
    openQuestions: () => openQuestions(around),
    openSuspects: () => openSuspects(around),
    openMaintenance: () => openMaintenance(around),
    openImporter: () => openImporter(around),
    openBackupSource: () => openBackupSource(around),
    openPlace: (location) => openConfiguredPlace(around, location),
    examinations: async () => listDoctorChecks(around, 'of tests'),
    mailer: async () => createPersonMailer(around.config, around.clock),
    print: (line) => void printed.push(line),
    complain: (line) => void complaints.push(line),
  } satisfies Partial<Parts>;
  const code = await runCommandLine(words, parts as unknown as Parts);
  return { code, printed, complaints };
}

/** Runs verbs in this process, with these settings and no service; gives what a shell would show. */
export function verbsWith(settings: Readonly<Record<string, string>>) {
  const logger = pino({ level: 'error' }, pino.destination(2));
  const around = { config: readConfig(settings), clock: systemClock, logger };
  const linesOf = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');
  return async (...words: string[]) => {
    const { code, printed, complaints } = await runVerb(around, words);
    return { code, stdout: linesOf(printed), stderr: linesOf(complaints) };
  };
}
