/** The simulation on three nodes behind a balancer, three shards and PostgreSQL: all processes. */
import { startBalancerProcess } from '../support/balancer-process.ts';
import { startEngineCluster } from '../support/engine-cluster.ts';
import { nodeEnvironment } from '../support/node-environment.ts';
import { startPostgres } from '../support/postgres.ts';
import { addProcessAccount } from '../support/process-accounts.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { type ClusterFaultName, type ClusterNode, clusterFaults } from './cluster-faults.ts';
import { befalling, type Stage, stageLimits } from './stage.ts';
import { createWallClock } from './wall-clock.ts';

const nodeCount = 3;
/** The last has several processes, as on a machine with many cores. */
const workersOf = (number: number) => (number === nodeCount - 1 ? 2 : 1);

export async function openClusterStage(): Promise<Stage<ClusterFaultName>> {
  await using stack = new AsyncDisposableStack();
  const shards = stack.adopt(await startEngineCluster(), (one) => one.stop());
  const postgres = stack.adopt(await startPostgres(), (one) => one.stop());
  const common = await nodeEnvironment(postgres);
  const addNode = async (number: number): Promise<ClusterNode> => {
    const clock = stack.adopt(await createWallClock(), (one) => one.remove());
    const ofNode = {
      ...{ ...stageLimits, ...common, TRUST_PROXY: 'loopback', WORKERS: `${workersOf(number)}` },
      ...shards.environment(common.CLICKHOUSE_DATABASE ?? '', number),
      ...clock.environment,
    };
    const joins = number > 0;
    const service = stack.adopt(await startServiceProcess(ofNode, { joins }), (one) =>
      one.remove(),
    );
    return { service, clock };
  };
  // The first makes the catalog.
  const first = await addNode(0);
  const others = Array.from({ length: nodeCount - 1 }, (_, index) => addNode(index + 1));
  const nodes = [first, ...(await Promise.all(others))];
  const balancer = stack.adopt(
    await startBalancerProcess(nodes.map(({ service }) => service.url)),
    (one) => one.kill(),
  );
  const { url } = balancer;
  const behind = { ...first.service, url };
  const opened = stack.move();
  return {
    site: { url, addAccount: (zone) => addProcessAccount(behind, zone) },
    servers: nodes.map(({ service }, number) => ({
      url: service.url,
      hasWorkers: workersOf(number) > 1,
    })),
    faults: befalling({ nodes, shards: shards.engines, postgres, balancer }, clusterFaults),
    lastFault: 'killAll',
    async setClocksRight() {
      await Promise.all(nodes.map(({ service, clock }) => clock.set(service, 0)));
    },
    remove: () => opened.disposeAsync(),
  };
}
