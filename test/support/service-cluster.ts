/** Nodes of one service on three shards and one PostgreSQL, each request to another of them. */
import { type Balancer, startBalancer } from '../../scripts/cluster/balancer.ts';
import { type EngineCluster, startEngineCluster } from './engine-cluster.ts';
import { nodeEnvironment } from './node-environment.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import {
  startTestService,
  type TestService,
  type TestServiceOptions,
  testClientOf,
} from './service.ts';

export interface ServiceCluster {
  readonly nodes: readonly TestService[];
  /** The first node, by way of the balancer; rolls up on all nodes, and knows what they settle. */
  readonly site: TestService;
  readonly shards: EngineCluster;
  stop(): Promise<void>;
}

interface ClusterOptions extends Omit<TestServiceOptions, 'role' | 'waitsForStores'> {
  readonly nodes: number;
}

export async function startServiceCluster(options: ClusterOptions): Promise<ServiceCluster> {
  const { nodes: count, ...ofEach } = options;
  const [shards, postgres] = await Promise.all([startEngineCluster(), startPostgres()]);
  const common = await nodeEnvironment(postgres);
  const { CLICKHOUSE_DATABASE: database = '' } = common;
  const environmentOf = (node: number) => ({
    ...common,
    ...shards.environment(database, node),
    TRUST_PROXY: 'loopback',
    ...ofEach.environment,
  });
  const nodes = await Promise.all(
    Array.from({ length: count }, (_, node) =>
      startTestService({ ...ofEach, environment: environmentOf(node) }),
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
  const onAny = (unsettled: 'unsettledDays' | 'unsettledPeaks') => async (accountId: number) => {
    const days = await Promise.all(nodes.map(({ facts }) => facts[unsettled](accountId)));
    return [...new Set(days.flat())].sort((one, other) => one - other);
  };
  const facts = {
    ...{ ...first.facts, rollUp },
    unsettledDays: onAny('unsettledDays'),
    unsettledPeaks: onAny('unsettledPeaks'),
  };
  return { ...first, ...testClientOf(url), facts };
}

interface Started {
  readonly nodes: readonly TestService[];
  readonly balancer: Balancer;
  readonly postgres: Postgres;
  readonly shards: EngineCluster;
}

async function stopAll({ nodes, balancer, shards, postgres }: Started): Promise<void> {
  await balancer.stop();
  await Promise.all(nodes.map((node) => node.stop()));
  await Promise.all([shards.stop(), postgres.stop()]);
}
