/** Composition root: the only file that constructs adapters and connects the parts. */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { answeringOf } from './answering.ts';
import { buildApp } from './api/app.ts';
import { requireDashboard } from './api/dashboard-routes.ts';
import { requireTracker } from './api/watch-routes.ts';
import { valueBookOf } from './bounding.ts';
import type { Catalog } from './catalog/catalog.ts';
import { startAccountLedger } from './collect/account-ledger.ts';
import { createCmcdCollector } from './collect/cmcd/cmcd-collector.ts';
import { watchSequences } from './collect/cmcd/watch-sequences.ts';
import { createCollectLedger } from './collect/collect-ledger.ts';
import { createCollector } from './collect/collector.ts';
import { createSteps } from './collect/create-steps.ts';
import { createPlayerLog } from './collect/player-log/player-log.ts';
import { createSessionSeal } from './collect/player-log/session-seal.ts';
import { readTogether } from './collect/read-together.ts';
import { createViewTokens } from './collect/signing/view-tokens.ts';
import type { Judge } from './collect/unusual/judge.ts';
import { createSuspects } from './collect/unusual/suspects.ts';
import { createViewers } from './collect/viewers/viewers.ts';
import type { Config } from './config.ts';
import { makeCatalog } from './configured-catalog.ts';
import { holdDataFolder, refuseBesideImport } from './data-folder.ts';
import { edgeOf } from './edge.ts';
import { type Engine, startEngine } from './engine/engine.ts';
import { readEngineAccess, waitForEngine } from './engine/find-running-engine.ts';
import { restartOnDamage } from './engine/restart-on-damage.ts';
import { createEraser } from './erasing/eraser.ts';
import { exportingOf } from './exporting.ts';
import { type Facts, openFacts, type RollUpSharing } from './facts/open-facts.ts';
import type { StoreAccess } from './facts/open-store.ts';
import type { RollUpPace } from './facts/roll-up.ts';
import { type HostPatience, usualHostPatience } from './facts/watch-hosts.ts';
import { createImportCsv } from './ingest/import-csv.ts';
import { type JobParts, startJobs } from './jobs.ts';
import { judgeOf } from './judging.ts';
import type { Clock } from './lib/clock.ts';
import type { Sealer } from './lib/sealer.ts';
import { createMetrics } from './lib/telemetry.ts';
import type { Traces } from './lib/traces.ts';
import { limiterFor } from './limiting.ts';
import { countriesOf } from './locating.ts';
import { createSigningSealer } from './managing/signing-keys.ts';
import { warnOfUnreadableSecrets } from './managing/unreadable-secrets.ts';
import { monitor } from './monitoring.ts';
import { ruleDeskOf, sendersOf } from './notifying.ts';
import { contentFolderOf } from './own-urls.ts';
import { readSecret } from './secret.ts';
import { ofNode, sharingOf, tellParent } from './sharing-work.ts';
import { spoolsOf, watchDisk } from './spooling.ts';
import { configuredStore } from './store-access.ts';
import type { Role } from './wire/roles.ts';
import { journalOf, leftJournals } from './worker-journals.ts';
import type { WorkerLink } from './workers/worker-link.ts';

export interface Surroundings {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Pause between roll-ups; overridden in tests. */
  readonly pace?: Partial<RollUpPace>;
  /** See openFacts; overridden in tests. */
  readonly fewFacts?: number;
  /** How soon it is noticed that a configured host hangs; default: as usual. */
  readonly hostPatience?: HostPatience;
  /** Of this node; default: all. */
  readonly role?: Role;
  /** Default: none. */
  readonly traces?: Traces | undefined;
  /** If this is one of several processes of the node. */
  readonly worker?: WorkerLink;
}

interface FactsNeeds {
  readonly metrics: Registry;
  readonly sharing?: RollUpSharing;
  readonly catalog: Pick<Catalog, 'verdicts' | 'erasures'>;
  readonly judge?: Judge;
  /** See openFacts. */
  readonly leavesAsFound?: boolean;
}

export interface FactsParts {
  readonly facts: Facts;
  readonly engine: Engine | undefined;
  close(): Promise<void>;
}

/** On the configured server, on the running service's engine, or on one of our own. */
export async function openFactsOf(
  around: Surroundings,
  { metrics, catalog, judge, sharing, leavesAsFound = false }: FactsNeeds,
  share: boolean,
): Promise<FactsParts> {
  const { config, clock, logger, worker } = around;
  const dataFolder = config.DATA_DIR;
  const configured = configuredStore(config);
  const isFirst = (worker?.number ?? 1) === 1;
  const open = (access: StoreAccess, engine?: Engine): FactsParts => {
    const ofOurEngine = (engine || (worker && !configured)) && {
      whyServerNotReady: engine?.whyNotReady ?? (() => worker?.state().engineNotReady),
      onDamage: engine ? restartOnDamage(engine, clock) : () => worker?.noteDamage(),
      journalFolder: journalOf(dataFolder, worker?.number),
      ...(isFirst && { leftJournals: () => leftJournals(dataFolder, worker?.count) }),
    };
    const facts = openFacts({
      access,
      ...ofOurEngine,
      ...(judge && { recall: judge.recall }),
      verdicts: catalog.verdicts,
      erasures: catalog.erasures,
      ...{ clock, logger, metrics, traces: around.traces },
      ...{ pace: around.pace, fewFacts: around.fewFacts, sharing, leavesAsFound },
    });
    return {
      facts,
      engine,
      async close() {
        await facts.close();
        await engine?.stop();
      },
    };
  };
  const { hostPatience: patience = usualHostPatience } = around;
  if (configured) return open({ ...configured, patience });
  const database = config.CLICKHOUSE_DATABASE;
  const folder = join(dataFolder, 'engine');
  if (worker) return open({ ...(await readEngineAccess(folder)), database });
  if (share) {
    refuseBesideImport(dataFolder);
    const access = await waitForEngine(folder, clock);
    // The import may have taken the folder only just before.
    refuseBesideImport(dataFolder);
    return open({ ...access, database });
  }
  const engine = await startEngine({ folder, memoryMb: config.ENGINE_MEMORY_MB, logger });
  return open({ ...engine.access, database }, engine);
}

export interface Service {
  readonly app: FastifyInstance;
  readonly catalog: Catalog;
  readonly facts: Facts;
  readonly engine: Engine | undefined;
  /** What /metrics shows of this process. */
  readonly metrics: Registry;
  /** Answers open requests, makes waiting facts durable, then closes the stores. */
  stop(): Promise<void>;
}

export async function openService(around: Surroundings): Promise<Service> {
  // The parent of workers holds it.
  const release = around.worker ? () => {} : await holdDataFolder(around.config.DATA_DIR);
  try {
    const service = await openParts(around);
    return { ...service, stop: () => service.stop().finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

async function openParts(around: Surroundings): Promise<Service> {
  const { config, clock, logger } = around;
  await Promise.all([requireTracker(), requireDashboard()]);
  const catalog = await makeCatalog(around);
  const metrics = createMetrics();
  const countries = await countriesOf(around, metrics);
  const judge = await judgeOf(around);
  const sharing = sharingOf(around);
  const needs = { metrics, catalog, judge, sharing };
  const { facts, engine, close } = await openFactsOf(around, needs, false);
  const disk = await watchDisk(facts, around, metrics);
  const { spool, eventSpool } = spoolsOf(facts, around, disk);
  const events = readTogether(facts.events);
  const accountLedger = startAccountLedger({ store: facts.ledger, clock, logger });
  const ledger = createCollectLedger(metrics);
  const stopMonitoring = monitor(around, { metrics, catalog, facts, engine, spool, eventSpool });
  const { publications, labels, signingKeys } = catalog;
  const secret = await readSecret(config);
  const viewers = createViewers({ salts: catalog.salts, secret, clock });
  const steps = createSteps({ metrics, clock, judge, countryOf: countries.countryOf, viewers });
  const signingSealer = await signingSealerOf(secret, signingKeys, logger);
  const viewTokens = createViewTokens({ signingKeys, signingSealer, events, eventSpool, clock });
  const collecting = {
    ...{ publications, labels, steps, spool, eventSpool, events, erased: facts.erased },
    values: valueBookOf(facts, around),
    ledger,
    accountLedger,
    viewTokens,
    clock,
  };
  const answering = answeringOf({ facts, catalog, secret }, around);
  const working = { catalog, facts, countries, viewers, secret, metrics };
  const { suspects, eraser, stopJobs } = beginJobs(around, { ...working, answering, sharing });
  const app = await buildApp({
    clock,
    catalog,
    collector: createCollector(collecting),
    cmcd: createCmcdCollector({ ...collecting, watchSequence: watchSequences(metrics) }),
    playerLog: createPlayerLog({ ...collecting, seal: createSessionSeal(secret) }),
    ...answering,
    signingSealer,
    ruleDesk: ruleDeskOf(config, secret),
    ...{ facts, spool },
    accountLedger,
    suspects,
    eraser,
    importVideos: createImportCsv(clock),
    countries,
    ...{ metrics, logger, traces: around.traces },
    contentFolder: contentFolderOf(config),
    ...edgeOf(config, logger),
    ...ofNode(around),
    limiterOf: limiterFor(around, working),
  });
  const stopTelling = tellParent(around, facts, metrics);
  return {
    app,
    catalog,
    facts,
    engine,
    metrics,
    async stop() {
      for (const stop of [disk.stop, stopMonitoring, stopTelling]) stop();
      await Promise.all([stopJobs(), app.close()]);
      for (const part of [eventSpool, spool, accountLedger]) await part.stop();
      await close();
      await catalog.close();
    },
  };
}

interface Working extends Pick<JobParts, 'catalog' | 'countries' | 'viewers'> {
  readonly facts: Facts;
  readonly secret: string;
  readonly metrics: Registry;
  readonly answering: ReturnType<typeof answeringOf>;
  readonly sharing: ReturnType<typeof sharingOf>;
}

function beginJobs(around: Surroundings, working: Working) {
  const { config, clock } = around;
  const { facts, secret, metrics, answering, sharing, ...parts } = working;
  const suspects = createSuspects(facts.suspects);
  const eraser = createEraser({ facts: facts.erasing, secret: async () => secret, clock });
  const senders = sendersOf(config, { secret, clock });
  const notifying = { ...answering, facts, senders, metrics };
  const exporting = exportingOf(around, { catalog: parts.catalog, facts });
  const keepsAll = !sharing.follows;
  const jobs = { ...parts, suspects, eraser, notifying, exporting, keepsAll };
  return { suspects, eraser, stopJobs: startJobs(around, jobs) };
}

async function signingSealerOf(
  secret: string,
  signingKeys: Catalog['signingKeys'],
  logger: Logger,
): Promise<Sealer> {
  const signingSealer = createSigningSealer(secret);
  await warnOfUnreadableSecrets({ signingKeys, signingSealer, logger });
  return signingSealer;
}
