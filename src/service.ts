/** Composition root: the only file that constructs adapters and ties the parts together. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { buildTracker } from '../tracker/build.ts';
import { buildApp } from './api/app.ts';
import type { Catalog } from './catalog/catalog.ts';
import { openCatalog } from './catalog/open-catalog.ts';
import { purgeExpired } from './catalog/purge-expired.ts';
import { startAccountLedger } from './collect/account-ledger.ts';
import { createCmcdCollector } from './collect/cmcd/cmcd-collector.ts';
import { beginningMs } from './collect/cmcd/play-of-view.ts';
import { watchSequences } from './collect/cmcd/watch-sequences.ts';
import { createCollectLedger } from './collect/collect-ledger.ts';
import { createCollector } from './collect/collector.ts';
import type { Importer } from './collect/importer.ts';
import { createPlayerLog } from './collect/player-log/player-log.ts';
import { readTogether } from './collect/read-together.ts';
import type { Config } from './config.ts';
import { type Engine, startEngine } from './engine/engine.ts';
import { findRunningEngine } from './engine/find-running-engine.ts';
import type { FactStoreAccess } from './facts/fact-store.ts';
import { type Facts, openFacts } from './facts/open-facts.ts';
import type { RollUpPace } from './facts/roll-up.ts';
import type { Clock } from './lib/clock.ts';
import { addGauge, createMetrics } from './lib/telemetry.ts';
import { createTokenSealer } from './report/continuation.ts';
import { createReporter } from './report/reporter.ts';
import { readSecret } from './secret.ts';
import { createSpool, type Spool } from './spool/spool.ts';

export interface Surroundings {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of the roll-up, where not the usual one; for tests. */
  readonly pace?: Partial<RollUpPace>;
}

export async function openCatalogOf({ config, clock }: Surroundings): Promise<Catalog> {
  if (config.DATABASE_URL) {
    return openCatalog({ location: { databaseUrl: config.DATABASE_URL }, clock });
  }
  const sqliteFile = join(await makeDataFolder(config), 'catalog.sqlite');
  return openCatalog({ location: { sqliteFile }, clock });
}

/** For whatever comes first: a verb of the command line may, before there was any start. */
async function makeDataFolder({ DATA_DIR }: Config): Promise<string> {
  await mkdir(DATA_DIR, { recursive: true, mode: 0o700 });
  return DATA_DIR;
}

interface FactsParts {
  readonly facts: Facts;
  readonly engine: Engine | undefined;
  close(): Promise<void>;
}

/** On the configured server, on the engine of a service that runs already, or on one of our own. */
async function openFactsOf(around: Surroundings, share: boolean): Promise<FactsParts> {
  const { config, clock, logger } = around;
  const dataFolder = await makeDataFolder(config);
  const database = config.CLICKHOUSE_DATABASE;
  const open = (access: Omit<FactStoreAccess, 'database'>, engine?: Engine): FactsParts => {
    const ofOurEngine = engine && {
      whyServerNotReady: engine.whyNotReady,
      journalFolder: join(dataFolder, 'journal'),
    };
    const facts = openFacts({
      access: { ...access, database },
      ...ofOurEngine,
      clock,
      logger,
      pace: around.pace,
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
  if (config.CLICKHOUSE_URL) {
    return open({
      url: config.CLICKHOUSE_URL,
      username: config.CLICKHOUSE_USER,
      password: config.CLICKHOUSE_PASSWORD,
    });
  }
  const folder = join(dataFolder, 'engine');
  const running = share ? await findRunningEngine(folder) : undefined;
  if (running) return open(running);
  const engine = await startEngine({ folder, memoryMb: config.ENGINE_MEMORY_MB, logger });
  return open(engine.access, engine);
}

export interface Service {
  readonly app: FastifyInstance;
  readonly catalog: Catalog;
  readonly facts: Facts;
  readonly engine: Engine | undefined;
  /** Answers what it has begun, makes durable what waits, then lets go of the stores. */
  stop(): Promise<void>;
}

export async function openService(around: Surroundings): Promise<Service> {
  const { config, clock, logger } = around;
  const catalog = await openCatalogOf(around);
  const { facts, engine, close } = await openFactsOf(around, false);
  const metrics = createMetrics();
  const spool = createSpool({
    writer: facts.stretches,
    logger,
    limits: { insertEveryMs: facts.stretches.everyMs },
  });
  const eventSpool = createSpool({ writer: facts.events, logger });
  const events = readTogether(facts.events, beginningMs);
  const accounts = startAccountLedger({ store: facts.ledger, clock, logger });
  const ledger = createCollectLedger(metrics);
  addGauges(metrics, { spool, facts, clock });
  const { publications } = catalog;
  const collecting = { publications, spool, eventSpool, events, ledger, accounts, clock };
  const reporter = createReporter({
    facts,
    catalog,
    sealer: createTokenSealer(await readSecret(config)),
    clock,
    snapshotLifetimeMs: config.SNAPSHOT_LIFETIME_SECONDS * 1_000,
  });
  const stopPurging = purgeExpired([catalog.snapshots, catalog.idempotentWrites], logger);
  const app = await buildApp({
    catalog,
    collector: createCollector(collecting),
    cmcd: createCmcdCollector({ ...collecting, watchSequence: watchSequences(metrics) }),
    playerLog: createPlayerLog(collecting),
    reporter,
    facts,
    accounts,
    metrics,
    logger,
    tracker: await buildTracker(),
    contentFolder: contentFolderOf(config),
    contentUrl: config.CONTENT_URL,
    publicUrl: config.PUBLIC_URL,
    corsOrigins: config.CORS_ORIGINS.split(',').map((origin) => origin.trim()),
    requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
    collectsPerMinute: config.COLLECT_LIMIT_PER_MINUTE,
    trustProxy: config.TRUST_PROXY === 'true',
  });
  return {
    app,
    catalog,
    facts,
    engine,
    async stop() {
      stopPurging();
      await app.close();
      await eventSpool.stop();
      await spool.stop();
      await accounts.stop();
      await close();
      await catalog.close();
    },
  };
}

interface Gauged {
  readonly spool: Spool;
  readonly facts: Facts;
  readonly clock: Clock;
}

function addGauges(metrics: Registry, { spool, facts, clock }: Gauged): void {
  addGauge(metrics, 'playmeter_spool_waiting_facts', 'Facts waiting to become durable', () =>
    spool.waitingFacts(),
  );
  addGauge(metrics, 'playmeter_journal_waiting_facts', 'Durable facts not yet in the store', () =>
    facts.waitingFacts(),
  );
  addGauge(
    metrics,
    'playmeter_complete_through_age_seconds',
    'How far the answers are behind what was acknowledged',
    () => (clock.now() - facts.completeThrough()) / 1_000,
  );
  addGauge(metrics, 'playmeter_statistics_ready', '1 while the statistics store answers', () =>
    facts.whyNotReady() === undefined ? 1 : 0,
  );
}

/** What an import needs: it writes beside a service that runs, or alone. */
export async function openImporter(around: Surroundings): Promise<Importer> {
  const { config, clock, logger } = around;
  const catalog = await openCatalogOf(around);
  const { facts, close } = await openFactsOf(around, true);
  await facts.ready();
  const spool = createSpool({ writer: facts.stretches, logger });
  const accounts = startAccountLedger({ store: facts.ledger, clock, logger });
  const ledger = createCollectLedger(createMetrics());
  const { publications } = catalog;
  return {
    collector: createCollector({ publications, spool, ledger, accounts, clock }),
    positionsFolder: join(config.DATA_DIR, 'imports'),
    hasAccount: async (accountId) => (await catalog.accounts.find(accountId)) !== undefined,
    finish: () => facts.rollUp(),
    async close() {
      await spool.stop();
      await accounts.stop();
      await close();
      await catalog.close();
    },
  };
}

/** Where the media lies that this service itself serves. */
export function contentFolderOf(config: Config): string {
  return join(config.DATA_DIR, 'content');
}

/** For what is put beside a service that may not run: its address as far as it is configured. */
export function contentOf(config: Config) {
  const publicUrl = config.PUBLIC_URL ?? ownAddress(config.HOST, config.PORT);
  return { contentFolder: contentFolderOf(config), publicUrl };
}

/** The address of this service on its own machine. */
export function ownAddress(listening: string, port: number): string {
  const isAny = listening === '0.0.0.0' || listening === '::';
  const host = isAny ? 'localhost' : listening.includes(':') ? `[${listening}]` : listening;
  return `http://${host}:${port}`;
}
