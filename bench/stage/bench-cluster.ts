/** A cluster to measure: shards of the bundled engine, PostgreSQL and one node of the service. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { startShards } from '../../src/engine/engine-shards.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { clusterSettings } from '../../src/store/cluster/topology.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Postgres } from '../../test/support/postgres.ts';
import { startServiceProcess } from '../../test/support/service-process.ts';
import { waitUntil } from '../../test/support/wait-until.ts';
import { factsDatabase, openBareEngine } from './bare-engine.ts';
import { addAccount, type BenchAccount, wideSettings } from './bench-service.ts';
import { fillStore, type History, insertBeacons } from './history.ts';
import { secondsOf } from './processor-time.ts';

export interface BenchCluster {
  readonly url: string;
  readonly port: number;
  addAccount(videos: number): Promise<BenchAccount>;
  /** Stops the service, fills its stores, and starts it again. */
  fill(history: History, say: (line: string) => void): Promise<void>;
  /** Stored rows of facts, by shard. */
  factsByShard(): Promise<number[]>;
  /** Seconds that the service and all its engines have used since they started. */
  processorTime(): { readonly service: number; readonly engine: number };
  remove(): Promise<void>;
}

const memoryMb = 4_096;
const patience = { everyMs: 1_000, answersWithinMs: 60_000, othersAnswerWithinMs: 60_000 };

export async function startBenchCluster(count: number, postgres: Postgres): Promise<BenchCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-bench-cluster-'));
  const logger = pino({ level: 'error' }, pino.destination(2));
  const shards = await startShards({ folder, count, memoryMb, logger });
  const { cluster, engines, username, password } = shards;
  await waitUntil('all shards to answer', () =>
    engines.every((engine) => engine.whyNotReady() === undefined),
  );
  const urls = engines.map(({ access }) => access.url);
  const databaseUrl = await postgres.createDatabase();
  const service = await startServiceProcess({
    ...wideSettings,
    DATABASE_URL: databaseUrl,
    APP_SECRET: password,
    CLICKHOUSE_URL: urls.join(','),
    CLICKHOUSE_CLUSTER: cluster,
    CLICKHOUSE_USER: username,
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_DATABASE: factsDatabase,
  });
  const access = { cluster, urls, username, password, database: factsDatabase, patience };
  const { store } = openStore({
    ...{ access, noteFailure: undefined, metrics: new Registry(), clock: systemClock, logger },
  });
  return {
    url: service.url,
    port: Number(new URL(service.url).port),
    addAccount: (videos) => addAccount({ databaseUrl }, videos),
    async fill(history, say) {
      await service.kill('SIGTERM');
      const settings = Object.entries(clusterSettings).map(([name, value]) => [name, `${value}`]);
      const [first = ''] = urls;
      const engine = openBareEngine(
        { url: first, username, password },
        Object.fromEntries(settings),
      );
      const filling = { histories: [history], insertDays: insertBeacons };
      await fillStore({ store, engine }, filling, say);
      await service.start();
    },
    async factsByShard() {
      const sql = 'SELECT count() AS facts FROM stretch';
      const counts = await store.onEachServer((server) =>
        server.select<{ facts: number }>({ name: 'count facts', sql, parameters: {} }),
      );
      return counts.map(([row]) => row?.facts ?? 0);
    },
    processorTime: () => ({
      service: secondsOf(service.processId()),
      engine: secondsOf(...engines.map((engine) => engine.processId() ?? 0)),
    }),
    async remove() {
      await store.close();
      await service.remove();
      await shards.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
