/** A cluster of real engines. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { hostsOfNode } from '../../scripts/cluster/hosts-of-node.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { startShards } from '../../src/engine/engine-shards.ts';
import type { HostPatience } from '../../src/store/client/host-watch.ts';
import type { ClusterAccess } from '../../src/store/cluster/topology.ts';
import { waitUntil } from './wait-until.ts';

export interface EngineCluster {
  readonly access: Omit<ClusterAccess, 'database'>;
  readonly engines: readonly Engine[];
  /** On which the engines speak with each other. */
  readonly ports: readonly number[];
  /** The settings of a service on a database of its own; its nodes are numbered from 0. */
  environment(database: string, node?: number): Record<string, string>;
  stop(): Promise<void>;
}

/** Such as a busy machine needs: nothing hangs in most tests. */
export const busyPatience: HostPatience = {
  everyMs: 1_000,
  answersWithinMs: 20_000,
  othersAnswerWithinMs: 20_000,
};

export async function startEngineCluster(count = 3): Promise<EngineCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-cluster-'));
  const logger = pino({ level: 'silent' });
  const shards = await startShards({ folder, count, memoryMb: 1_024, logger });
  const { cluster, engines, username, password } = shards;
  const areReady = () => engines.every((engine) => engine.whyNotReady() === undefined);
  await waitUntil('all shards to answer', areReady);
  const urls = engines.map(({ access }) => access.url);
  return {
    access: { cluster, urls, username, password, patience: busyPatience },
    engines,
    ports: shards.ports,
    environment: (database, node = 0) => ({
      CLICKHOUSE_URL: hostsOfNode(urls, node).join(','),
      CLICKHOUSE_CLUSTER: cluster,
      CLICKHOUSE_USER: username,
      CLICKHOUSE_PASSWORD: password,
      CLICKHOUSE_DATABASE: database,
    }),
    async stop() {
      await shards.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
