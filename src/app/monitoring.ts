/**
 * The metrics of the service as a whole; each part registers its own beside these. What only the
 * stores know is looked up now and then, so that reading the metrics asks neither of them.
 */
import { readFileSync } from 'node:fs';
import { Gauge, type Registry } from 'prom-client';
import type { CatalogSize, Exports, ScheduledRuns, Verdicts } from '../catalog/catalog.ts';
import type { Spool } from '../collect/spool/spool.ts';
import type { Config } from '../config/config.ts';
import type { Engine } from '../engine/engine.ts';
import { addCounted, addGauge } from '../lib/telemetry.ts';
import type { Clock } from '../lib/time/clock.ts';
import { readPeriodically } from '../lib/time/periodic-reading.ts';
import { rulesVersion } from '../lib/time/time-zone.ts';
import { dayMs } from '../lib/time/utc-day.ts';
import type { StoreHealth } from '../store/facts.ts';
import type { Facts } from '../store/open-facts.ts';
import { addMaintenanceAges } from './maintenance-ages.ts';
import { watchExports } from './parts/scheduled-exports.ts';
import { version } from './version.ts';

interface Monitored {
  readonly metrics: Registry;
  readonly catalog: {
    readonly upkeep: { size(): Promise<CatalogSize> };
    readonly exports: Pick<Exports, 'state'>;
    readonly verifications: Pick<ScheduledRuns, 'state'>;
    readonly verdicts: Pick<Verdicts, 'list'>;
  };
  readonly facts: Facts;
  readonly engine: Engine | undefined;
  readonly spool: Spool;
  readonly eventSpool: Pick<Spool, 'waitingFacts'>;
}

interface AppContext {
  readonly config: Config;
  readonly clock: Clock;
  readonly lostLines?: () => number;
}

const megabyte = 1_048_576;
const undecidedWithinMs = 7 * dayMs;
/** Of the time: they are found among all facts of these days, of which there may be very many. */
const mostShareOfSuspects = 1 / 50;

/** Watches until the returned function is called. */
export function monitor({ config, clock, lostLines }: AppContext, parts: Monitored): () => void {
  const { metrics, catalog, engine } = parts;
  addBuildInfo(metrics);
  addLostLines(metrics, lostLines);
  const verifications = config.VERIFY_SCHEDULE
    ? readPeriodically(() => catalog.verifications.state(), clock)
    : undefined;
  addMaintenanceAges(
    metrics,
    config.DATA_DIR,
    clock,
    () => verifications?.read((state) => state?.succeededAtMs ?? Number.NaN) ?? Number.NaN,
  );
  addQueues(clock, parts);
  if (engine) addEngineGauges(metrics, engine, config.ENGINE_MEMORY_MB);
  const stops = [
    watchStore(parts, { config, clock }),
    watchSuspects(parts, clock),
    watchCatalog(metrics, () => catalog.upkeep.size(), clock),
    watchExports(metrics, { config, clock }, catalog.exports.state),
    () => verifications?.stop(),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function addBuildInfo(metrics: Registry): void {
  new Gauge({
    name: 'playmeter_build_info',
    help: 'Always 1; the labels name the release, the Node that runs it and its time zone rules',
    labelNames: ['version', 'node', 'tzdata'],
    aggregator: 'first',
    registers: [metrics],
  }).set({ version, node: process.version, tzdata: rulesVersion() }, 1);
}

export function addLostLines(metrics: Registry, lostLines = () => 0): void {
  const help = 'Lines of the log that could not be written';
  addCounted(metrics, 'playmeter_log_lost_lines_total', help, lostLines);
}

function addQueues(clock: Clock, { metrics, spool, eventSpool, facts }: Monitored): void {
  const inSpool = 'Facts waiting to become durable';
  addGauge(metrics, 'playmeter_spool_waiting_facts', inSpool, spool.waitingFacts, 'sum');
  addGauge(
    metrics,
    'playmeter_spool_waiting_events',
    'Events of CMCD and player logs waiting to become durable',
    () => eventSpool.waitingFacts(),
    'sum',
  );
  addGauge(
    metrics,
    'playmeter_spool_waiting_requests',
    'Requests of beacons that wait for room before they are read',
    () => spool.waitingRequests(),
    'sum',
  );
  const inJournal = 'Durable facts not yet in the store';
  addGauge(metrics, 'playmeter_journal_waiting_facts', inJournal, facts.waitingFacts, 'sum');
  addGauge(
    metrics,
    'playmeter_complete_through_age_seconds',
    'Seconds that the statistics lag behind what was acknowledged',
    () => (clock.now() - facts.completeThrough()) / 1_000,
  );
  const isReady = () => (facts.whyNotReady() === undefined ? 1 : 0);
  const ready = '1 while the statistics store answers';
  addGauge(metrics, 'playmeter_statistics_ready', ready, isReady, 'min');
}

export function addEngineGauges(metrics: Registry, engine: Engine, memoryMb: number): void {
  addCounted(
    metrics,
    'playmeter_engine_restarts_total',
    'How often the engine was started again since the service started',
    () => engine.restarts(),
  );
  addGauge(
    metrics,
    'playmeter_engine_resident_memory_bytes',
    'Resident memory of the engine; NaN: unknown',
    () => residentBytes(engine.processId()),
  );
  addGauge(
    metrics,
    'playmeter_engine_memory_limit_bytes',
    'ENGINE_MEMORY_MB: what the engine may allocate',
    () => memoryMb * megabyte,
  );
}

function watchStore({ metrics, facts }: Monitored, { config, clock }: AppContext): () => void {
  const looks = readPeriodically(async () => {
    const reason = facts.whyNotReady();
    if (reason !== undefined) throw new Error(reason);
    return facts.upkeep.health();
  }, clock);
  const add = (name: string, help: string, read: (health: StoreHealth) => number) =>
    addGauge(metrics, `playmeter_store_${name}`, help, () => looks.read(read));
  add('bytes', 'Room that the statistics take on the disk of their store', ({ bytes }) => bytes);
  add('memory_bytes', 'Memory that the statistics store has allocated', (h) => h.memoryBytes);
  add('parts', 'Parts of the tables of the statistics', ({ parts }) => parts);
  add(
    'most_parts',
    'Parts of the fullest partition of a table; from 1,000 on inserts wait',
    ({ busiest }) => busiest?.parts ?? 0,
  );
  add(
    'parts_set_aside',
    'Parts that the store found damaged and set aside',
    ({ partsSetAside }) => partsSetAside,
  );
  add('merges', 'Merges of parts under way', ({ merges }) => merges);
  add(
    'mutations',
    'Changes of stored rows that are not finished',
    ({ unfinishedMutations }) => unfinishedMutations,
  );
  // The engine's is that of DATA_DIR.
  if (config.CLICKHOUSE_URL) {
    const disk = 'the disk under the statistics that has the smallest free share';
    const ofDisk = ({ disk }: StoreHealth) => disk ?? { freeBytes: NaN, sizeBytes: NaN };
    add('disk_free_bytes', `Free room on ${disk}`, (health) => ofDisk(health).freeBytes);
    add('disk_size_bytes', `Size of ${disk}`, (health) => ofDisk(health).sizeBytes);
  }
  addGauge(
    metrics,
    'playmeter_store_answer_seconds',
    'How long the statistics store took to answer a small question',
    () => looks.tookMs() / 1_000,
  );
  return looks.stop;
}

/** Those that wait for somebody to look at them, without reading all that was ever counted. */
function watchSuspects({ metrics, facts, catalog }: Monitored, clock: Clock): () => void {
  const looks = readPeriodically(
    async () => {
      const found = await facts.suspects.namesSince(clock.now() - undecidedWithinMs);
      const byAccount = Map.groupBy(found, ({ accountId }) => accountId);
      let undecided = 0;
      for (const [accountId, names] of byAccount) {
        const decisions = await catalog.verdicts.list(accountId);
        const decided = new Set(decisions.map(({ suspect }) => suspect));
        undecided += names.filter(({ suspect }) => !decided.has(suspect)).length;
      }
      return undecided;
    },
    clock,
    mostShareOfSuspects,
  );
  addGauge(
    metrics,
    'playmeter_suspects_undecided',
    'Suspects with playback of the last seven days that nobody has decided about',
    () => looks.read((undecided) => undecided),
  );
  return looks.stop;
}

function watchCatalog(
  metrics: Registry,
  look: () => Promise<CatalogSize>,
  clock: Clock,
): () => void {
  const looks = readPeriodically(look, clock);
  const add = (name: string, help: string, read: (size: CatalogSize) => number) =>
    addGauge(metrics, `playmeter_${name}`, help, () => looks.read(read));
  add('catalog_bytes', 'Size of the database of the catalog', ({ bytes }) => bytes);
  add('sessions', 'People signed in to the dashboard', ({ sessions }) => sessions);
  add('erasures_open', 'Erasures not carried out yet', ({ openErasures }) => openErasures);
  addGauge(
    metrics,
    'playmeter_catalog_answer_seconds',
    'How long the catalog took to answer a small question',
    () => looks.tookMs() / 1_000,
  );
  return looks.stop;
}

function residentBytes(processId: number | undefined): number {
  if (processId === undefined) return 0;
  try {
    const status = readFileSync(`/proc/${processId}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024;
  } catch {
    return Number.NaN;
  }
}
