/** Composition root: the only file that constructs adapters and connects the parts. */
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { composeMessage } from '../alerts/evaluation/rule-evaluation.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Accepted } from '../cli/verb.ts';
import type { AbuseDetector } from '../collect/abuse/abuse-detector.ts';
import { createSuspects } from '../collect/abuse/quarantine.ts';
import { startAccountLedger } from '../collect/account-ledger.ts';
import { createCollector } from '../collect/collector.ts';
import { createViewers } from '../collect/enrich/viewer/viewers.ts';
import { createCmcdCollector } from '../collect/forms/cmcd/cmcd-collector.ts';
import { watchSequences } from '../collect/forms/cmcd/sequence-watch.ts';
import { createPlayerLog } from '../collect/forms/player-log/player-log.ts';
import { createSessionSeal } from '../collect/forms/player-log/session-seal.ts';
import { createSteps } from '../collect/pipeline.ts';
import { createViewTokens } from '../collect/signing/view-tokens.ts';
import { readTogether } from '../collect/steps/event-reader.ts';
import { createCollectLedger } from '../collect/steps/outcome-metrics.ts';
import type { Config } from '../config/config.ts';
import { type Engine, restartOnDamage, startEngine } from '../engine/engine.ts';
import { readEngineAccess, waitForEngine } from '../engine/running-engine.ts';
import { buildApp } from '../http/app.ts';
import { createEngineBudget } from '../http/limits/engine-budget.ts';
import { requireDashboard } from '../http/pages/dashboard-routes.ts';
import { requireTracker } from '../http/pages/watch-routes.ts';
import { createImportCsv } from '../import/csv-import.ts';
import type { Sealer } from '../lib/sealer.ts';
import { createMetrics } from '../lib/telemetry.ts';
import type { Clock } from '../lib/time/clock.ts';
import { createEraser } from '../maintenance/erase/eraser.ts';
import { createSigningSealer, warnOfUnreadableSecrets } from '../operations/signing-keys.ts';
import { type HostPatience, usualHostPatience } from '../store/client/host-watch.ts';
import type { MeterStatement } from '../store/facts.ts';
import { type Facts, openFacts, type RollUpSharing } from '../store/open-facts.ts';
import type { StoreAccess } from '../store/open-store.ts';
import type { RollUpPace } from '../store/roll-up/roll-up.ts';
import type { Role } from '../vocabulary/roles.ts';
import { watchClock } from './clock-watch.ts';
import { holdDataFolder, refuseBesideImport } from './data-folder.ts';
import { readKeptSecret, requireStatistics } from './identities.ts';
import { type JobParts, startJobs } from './jobs.ts';
import { monitor } from './monitoring.ts';
import { findContentFolder } from './own-urls.ts';
import { createRuleContext, createSenders } from './parts/alert-senders.ts';
import {
  createConfiguredAbuseDetector,
  createConfiguredDimensionLimits,
  createSpools,
  openConfiguredCountries,
  watchDisk,
} from './parts/collect-parts.ts';
import { makeCatalog } from './parts/configured-catalog.ts';
import { createExamine } from './parts/examination.ts';
import { createHttpOptions } from './parts/http-options.ts';
import { createPeopleSettings } from './parts/people-parts.ts';
import { createQueryParts } from './parts/query-parts.ts';
import { limiterFor } from './parts/request-limits.ts';
import { createScheduledExports } from './parts/scheduled-exports.ts';
import { createScheduledMaintenance } from './parts/scheduled-maintenance.ts';
import {
  chooseSharing,
  describeNode,
  leftJournals,
  nameJournal,
  tellParent,
} from './parts/work-split.ts';
import { configuredStore } from './store-access.ts';
import { version } from './version.ts';
import type { WorkerLink } from './workers/worker-link.ts';

export interface AppContext {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of the log, since the start of this process. */
  readonly lostLines?: () => number;
  /** Whether the clock is compared with the store's; overridden in tests. */
  readonly comparesClock?: boolean;
  /** Pause between roll-ups; overridden in tests. */
  readonly pace?: Partial<RollUpPace>;
  /** See openFacts; overridden in tests. */
  readonly fewFacts?: number;
  /** How soon it is noticed that a configured host hangs; default: as usual. */
  readonly hostPatience?: HostPatience;
  /** Of this node; default: all. */
  readonly role?: Role;
  /** What the operator said of it when it was started. */
  readonly accepts?: Accepted;
  /** If this is one of several processes of the node. */
  readonly worker?: WorkerLink;
}

interface FactsNeeds {
  readonly metrics: Registry;
  readonly sharing?: RollUpSharing;
  readonly catalog: Pick<Catalog, 'verdicts' | 'erasures' | 'upkeep'>;
  readonly judge?: AbuseDetector;
  /** See openFacts. */
  readonly leavesAsFound?: boolean;
  readonly meter?: MeterStatement;
}

export interface FactsParts {
  readonly facts: Facts;
  readonly engine: Engine | undefined;
  close(): Promise<void>;
}

/** On the configured server, on the running service's engine, or on one of our own. */
export async function openServiceFacts(
  around: AppContext,
  { metrics, catalog, judge, sharing, meter, leavesAsFound = false }: FactsNeeds,
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
      journalFolder: nameJournal(dataFolder, worker?.number),
      ...(isFirst && { leftJournals: () => leftJournals(dataFolder, worker?.count) }),
    };
    const facts = openFacts({
      access,
      ...ofOurEngine,
      ...(judge && { recall: judge.recall }),
      requireIdentity: requireStatistics(around, catalog),
      acceptsClock: around.accepts?.clock,
      verdicts: catalog.verdicts,
      erasures: catalog.erasures,
      ...{ clock, logger, metrics },
      ...{ pace: around.pace, fewFacts: around.fewFacts, meter, sharing, leavesAsFound },
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
  const { ENGINE_MEMORY_MB: memoryMb, CLICKHOUSE_PROGRAM: program } = config;
  const engine = await startEngine({ folder, memoryMb, program, logger });
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

export async function openService(around: AppContext): Promise<Service> {
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

async function openParts(around: AppContext): Promise<Service> {
  const { config, clock, logger } = around;
  await Promise.all([requireTracker(), requireDashboard()]);
  const catalog = await makeCatalog(around);
  const secret = await readKeptSecret(around, catalog).catch(async (error) => {
    await catalog.close();
    throw error;
  });
  const metrics = createMetrics();
  const countries = await openConfiguredCountries(around, metrics);
  const judge = createConfiguredAbuseDetector(around, secret);
  const sharing = chooseSharing(around);
  const engineBudget = createEngineBudget({
    ...{ clock, metrics, processes: around.worker?.count ?? 1 },
    secondsPerMinute: config.ENGINE_SECONDS_PER_MINUTE,
  });
  const needs = { metrics, catalog, judge, sharing, meter: engineBudget.meter };
  const { facts, engine, close } = await openServiceFacts(around, needs, false);
  const disk = await watchDisk(facts, around, metrics);
  const accountLedger = startAccountLedger({ store: facts.ledger, clock, logger });
  const { spool, eventSpool } = createSpools(facts, around, { disk, accountLedger });
  const clockWatch = watchServiceClock(around, facts);
  const events = readTogether(facts.events);
  const ledger = createCollectLedger(metrics);
  const stopMonitoring = monitor(around, { metrics, catalog, facts, engine, spool, eventSpool });
  const { publications, labels, signingKeys } = catalog;
  const viewers = createViewers({ salts: catalog.salts, secret, clock });
  const steps = createSteps({ metrics, clock, judge, countryOf: countries.countryOf, viewers });
  const signingSealer = await openSigningSealer(secret, signingKeys, logger);
  const viewTokens = createViewTokens({ signingKeys, signingSealer, events, eventSpool, clock });
  const collecting = {
    ...{ publications, labels, steps, spool, eventSpool, events, erased: facts.erased },
    values: createConfiguredDimensionLimits(facts, around, { accountLedger, metrics }),
    ledger,
    accountLedger,
    viewTokens,
    ...(clockWatch && { requireRightClock: clockWatch.requireRight }),
    clock,
  };
  const answering = createQueryParts({ facts, catalog, secret }, around);
  const working = { catalog, facts, countries, viewers, secret, metrics };
  const { suspects, eraser, stopJobs } = beginJobs(around, { ...working, answering, sharing });
  const stopping = new AbortController();
  const app = await buildApp({
    clock,
    version,
    examine: createExamine(clock, stopping.signal),
    catalog,
    collector: createCollector(collecting),
    cmcd: createCmcdCollector({ ...collecting, watchSequence: watchSequences(metrics) }),
    playerLog: createPlayerLog({ ...collecting, seal: createSessionSeal(secret) }),
    ...answering,
    signingSealer,
    ruleContext: createRuleContext(config, secret),
    peopleSettings: createPeopleSettings(config, { secret, clock, logger }),
    facts,
    spool: { ...spool, whyNotReady: () => clockWatch?.whyBehind() ?? spool.whyNotReady() },
    accountLedger,
    suspects,
    eraser,
    importVideos: createImportCsv(clock),
    composeMessage: (rule) => composeMessage(rule, { ...answering, catalog, facts, clock }),
    countries,
    ...{ metrics, logger, engineBudget },
    contentFolder: findContentFolder(config),
    ...createHttpOptions(config, logger),
    ...describeNode(around),
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
      stopping.abort();
      for (const stop of [disk.stop, stopMonitoring, stopTelling]) stop();
      clockWatch?.stop();
      await Promise.all([stopJobs(), app.close()]);
      for (const part of [eventSpool, spool, accountLedger]) await part.stop();
      await close();
      await catalog.close();
    },
  };
}

/** The engine's clock is no test's: a service with a clock of its own would always be behind. */
function watchServiceClock({ clock, logger, comparesClock = true }: AppContext, facts: Facts) {
  const health = async () => {
    await facts.ready();
    return facts.upkeep.health();
  };
  return comparesClock ? watchClock({ health, clock, logger }) : undefined;
}

interface Working extends Pick<JobParts, 'catalog' | 'countries' | 'viewers'> {
  readonly facts: Facts;
  readonly secret: string;
  readonly metrics: Registry;
  readonly answering: ReturnType<typeof createQueryParts>;
  readonly sharing: ReturnType<typeof chooseSharing>;
}

function beginJobs(around: AppContext, working: Working) {
  const { config, clock } = around;
  const { facts, secret, metrics, answering, sharing, ...parts } = working;
  const suspects = createSuspects(facts.suspects);
  const eraser = createEraser({ facts: facts.erasing, secret: async () => secret, clock });
  const senders = createSenders(config, { secret, clock });
  const notifying = { ...answering, facts, senders, metrics };
  const exporting = createScheduledExports(around, { catalog: parts.catalog, facts });
  const keepsAll = !sharing.follows;
  const maintaining = keepsAll ? createScheduledMaintenance(around, { ...parts, facts }) : [];
  const jobs = { ...parts, suspects, eraser, notifying, exporting, maintaining, keepsAll };
  return { suspects, eraser, stopJobs: startJobs(around, jobs) };
}

async function openSigningSealer(
  secret: string,
  signingKeys: Catalog['signingKeys'],
  logger: Logger,
): Promise<Sealer> {
  const signingSealer = createSigningSealer(secret);
  await warnOfUnreadableSecrets({ signingKeys, signingSealer, logger });
  return signingSealer;
}
