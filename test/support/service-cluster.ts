/** Nodes of one service on three shards and one PostgreSQL, each request to another of them. */
import { type Balancer, startBalancer } from '../../scripts/cluster/balancer.ts';
import type { Surroundings } from '../../src/service.ts';
import { busyPatience, type EngineCluster, startEngineCluster } from './engine-cluster.ts';
import { nodeEnvironment } from './node-environment.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { startTestService, type TestService } from './service.ts';

export interface ServiceCluster {
  readonly nodes: readonly TestService[];
  /** The first node, under the address of the balancer; rolls up on all nodes. */
  readonly site: TestService;
  readonly shards: EngineCluster;
  stop(): Promise<void>;
}

interface ClusterOptions {
  readonly nodes: number;
  readonly pace?: NonNullable<Surroundings['pace']>;
  /** Default: that of a busy machine, where nothing hangs. */
  readonly hostPatience?: NonNullable<Surroundings['hostPatience']>;
}

export async function startServiceCluster(options: ClusterOptions): Promise<ServiceCluster> {
  const [shards, postgres] = await Promise.all([startEngineCluster(), startPostgres()]);
  const common = await nodeEnvironment(postgres);
  const environment = {
    ...common,
    ...shards.environment(common.CLICKHOUSE_DATABASE ?? ''),
    TRUST_PROXY: 'loopback',
  };
  const { pace, hostPatience = busyPatience } = options;
  const nodes = await Promise.all(
    Array.from({ length: options.nodes }, () =>
      startTestService({ environment, hostPatience, ...(pace && { pace }) }),
    ),
  );
  const balancer = await startBalancer(nodes.map(({ url }) => url));
  return {
    nodes,
    site: siteOf(nodes, balancer),
    shards,
    stop: () => stopAll({ nodes, balancer, shards, postgres }),
  };
}

function siteOf(nodes: readonly TestService[], { url }: Balancer): TestService {
  const [first] = nodes;
  if (first === undefined) throw new Error('A cluster has nodes');
  const rollUp = async () => {
    await Promise.all(nodes.map(({ facts }) => facts.rollUp()));
  };
  return { ...first, url, facts: { ...first.facts, rollUp } };
}

interface Started {
  readonly nodes: readonly TestService[];
  readonly balancer: Balancer;
  readonly shards: EngineCluster;
  readonly postgres: Postgres;
}

async function stopAll({ nodes, balancer, shards, postgres }: Started): Promise<void> {
  await balancer.stop();
  await Promise.all(nodes.map((node) => node.stop()));
  await Promise.all([shards.stop(), postgres.stop()]);
}
