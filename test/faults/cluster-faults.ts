/** What befalls a cluster in the simulation, each with how often a process is killed by it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '../../src/engine/engine.ts';
import type { Random } from '../simulation/random.ts';
import type { BalancerProcess } from '../support/balancer-process.ts';
import type { Postgres } from '../support/postgres.ts';
import { isAlive, type ServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { Fault, Meanwhile } from './stage.ts';
import { drawAheadMs, drawBackMs, type WallClock } from './wall-clock.ts';

/** Longer than the service lets a sender wait. */
const longFreezeMs = 13_000;

export interface ClusterNode {
  readonly service: ServiceProcess;
  readonly clock: WallClock;
}

interface Victim extends Meanwhile {
  readonly nodes: readonly ClusterNode[];
  readonly shards: readonly Engine[];
  readonly postgres: Postgres;
  readonly balancer: BalancerProcess;
}

type ClusterFault = Fault<Victim>;

const killShard: ClusterFault = {
  kills: 1,
  strike: ({ shards, random }) => killShards([random.pick(shards)]),
};

const killAllShards: ClusterFault = { kills: 3, strike: ({ shards }) => killShards(shards) };

/** The others go on meanwhile. */
const killNode: ClusterFault = {
  kills: 1,
  async strike(victim) {
    const { nodes, random } = victim;
    const node = random.pick(nodes);
    await killNodes([node], victim);
    await sleep(random.below(3_000));
    await node.service.start();
  },
};

const killAllNodes: ClusterFault = {
  kills: 3,
  async strike(victim) {
    await killNodes(victim.nodes, victim);
    await startNodes(victim);
  },
};

const killNodeAtStart: ClusterFault = {
  kills: 2,
  async strike(victim) {
    const { nodes, random } = victim;
    const node = random.pick(nodes);
    await killNodes([node], victim);
    const started = node.service.start().catch(() => {});
    await sleep(random.between(50, 2_500));
    await killNodes([node], victim);
    await started;
    await node.service.start();
  },
};

/** What it was storing may be stored, or not, and nobody hears of it. */
const killNodeOfFrozenShard: ClusterFault = {
  kills: 1,
  async strike(victim) {
    const { nodes, shards, random } = victim;
    const node = random.pick(nodes);
    const thaw = await stopShard(random.pick(shards));
    await sleep(random.between(50, 1_500));
    await killNodes([node], victim);
    thaw();
    await node.service.start();
  },
};

/** Of a node of several processes; the others go on. */
const killWorker: ClusterFault = {
  kills: 1,
  async strike({ nodes, random }) {
    const [service, worker] = await pickWorker(nodes, random);
    const before = service.workerProcesses().length;
    process.kill(worker, 'SIGKILL');
    await waitUntil('another worker', () => service.workerProcesses().length > before);
  },
};

const killBalancer = killAlone(({ balancer }) => balancer);
const killPostgres = killAlone(({ postgres }) => postgres);
const killPostgresServer = killAlone(({ postgres }) => ({
  kill: postgres.killServer,
  start: postgres.start,
}));

/** A connection's or one of its own: PostgreSQL then ends all others, and recovers. */
const killPostgresProcess: ClusterFault = {
  kills: 1,
  async strike({ postgres, random }) {
    process.kill(random.pick(await postgres.startedProcesses()), 'SIGKILL');
  },
};

/** It is back after a while. */
function killAlone(partOf: (victim: Victim) => Pick<Postgres, 'kill' | 'start'>): ClusterFault {
  return {
    kills: 1,
    async strike(victim) {
      const part = partOf(victim);
      await part.kill();
      await sleep(victim.random.below(2_000));
      await part.start();
    },
  };
}

/** As a hall of machines does without power. */
const killAll: ClusterFault = {
  kills: 8,
  async strike(victim) {
    const { shards, postgres, balancer } = victim;
    const shardsAgain = killShards(shards);
    await Promise.all([killNodes(victim.nodes, victim), balancer.kill(), postgres.kill()]);
    await Promise.all([postgres.start(), balancer.start(), shardsAgain]);
    await startNodes(victim);
  },
};

const freezeShard: ClusterFault = {
  kills: 0,
  async strike({ shards, random }) {
    const thaw = await stopShard(random.pick(shards));
    await sleep(shortly(random));
    thaw();
  },
};

const freezeShardLong: ClusterFault = {
  kills: 0,
  async strike({ shards, random }) {
    const thaw = await stopShard(random.pick(shards));
    await sleep(longFreezeMs);
    thaw();
  },
};

const freezeNode: ClusterFault = {
  kills: 0,
  strike: ({ nodes, random }) => freezeFor(shortly(random), random.pick(nodes).service),
};

const freezeNodeLong: ClusterFault = {
  kills: 0,
  strike: ({ nodes, random }) => freezeFor(longFreezeMs, random.pick(nodes).service),
};

const freezeWorker: ClusterFault = {
  kills: 0,
  async strike({ nodes, random }) {
    const [, worker] = await pickWorker(nodes, random);
    const thaw = freeze(worker);
    await sleep(shortly(random));
    thaw();
  },
};

const freezeBalancer: ClusterFault = {
  kills: 0,
  strike: ({ balancer, random }) => freezeFor(shortly(random), balancer),
};

const freezePostgres: ClusterFault = {
  kills: 0,
  async strike({ postgres, random }) {
    const thaw = await postgres.freeze();
    await sleep(shortly(random));
    thaw();
  },
};

const freezePostgresLong: ClusterFault = {
  kills: 0,
  async strike({ postgres }) {
    const thaw = await postgres.freeze();
    await sleep(longFreezeMs);
    thaw();
  },
};

/** What it has locked stays locked. */
const freezePostgresProcess: ClusterFault = {
  kills: 0,
  async strike({ postgres, random }) {
    const thaw = freeze(random.pick(await postgres.startedProcesses()));
    await sleep(longFreezeMs);
    thaw();
  },
};

/** Each node's by itself: some are ahead of the others by hours. */
const skewClocks: ClusterFault = {
  kills: 0,
  async strike({ nodes, random }) {
    for (const { service, clock } of nodes) {
      await clock.set(service, random.chance(0.5) ? drawAheadMs(random) : drawBackMs(random));
    }
  },
};

export const clusterFaults = {
  killShard,
  killAllShards,
  killNode,
  killAllNodes,
  killNodeAtStart,
  killNodeOfFrozenShard,
  killWorker,
  killBalancer,
  killPostgres,
  killPostgresServer,
  killPostgresProcess,
  killAll,
  freezeShard,
  freezeShardLong,
  freezeNode,
  freezeNodeLong,
  freezeWorker,
  freezeBalancer,
  freezePostgres,
  freezePostgresLong,
  freezePostgresProcess,
  skewClocks,
} as const;
export type ClusterFaultName = keyof typeof clusterFaults;

async function killNodes(
  nodes: readonly ClusterNode[],
  { serverKilled }: Pick<Victim, 'serverKilled'>,
): Promise<void> {
  await Promise.all(nodes.map(({ service }) => service.kill('SIGKILL')));
  for (const { service } of nodes) serverKilled(new URL(service.url).host);
}

async function startNodes({ nodes }: Pick<Victim, 'nodes'>): Promise<void> {
  await Promise.all(nodes.map(({ service }) => service.start()));
}

/** Resolves when their supervisors have started them again. */
async function killShards(shards: readonly Engine[]): Promise<void> {
  const killed = await Promise.all(shards.map((shard) => send('SIGKILL', shard)));
  for (const [index, shard] of shards.entries()) {
    const isThere = () => isRunning(shard) && shard.processId() !== killed[index];
    await waitUntil('another engine', isThere);
  }
}

async function stopShard(shard: Engine): Promise<() => void> {
  return thawing(await send('SIGSTOP', shard));
}

function freeze(processId: number): () => void {
  process.kill(processId, 'SIGSTOP');
  return thawing(processId);
}

function thawing(processId: number): () => void {
  return () => {
    try {
      process.kill(processId, 'SIGCONT');
    } catch {
      // On a busy machine it was frozen for so long that whoever watches it has ended it.
    }
  };
}

/** One that runs. */
async function pickWorker(
  nodes: readonly ClusterNode[],
  random: Random,
): Promise<[ServiceProcess, number]> {
  const running = (): [ServiceProcess, number][] =>
    nodes.flatMap(({ service }) =>
      service
        .workerProcesses()
        .filter(isAlive)
        .map((worker): [ServiceProcess, number] => [service, worker]),
    );
  await waitUntil('a worker that runs', () => running().length > 0);
  return random.pick(running());
}

/** To a process that runs; resolves to its id. */
async function send(signal: NodeJS.Signals, shard: Engine): Promise<number> {
  let processId = 0;
  const isSent = () => {
    processId = shard.processId() ?? 0;
    return isRunning(shard) && process.kill(processId, signal);
  };
  await waitUntil('an engine that runs', isSent);
  return processId;
}

function isRunning(shard: Engine): boolean {
  return shard.processId() !== undefined && shard.whyNotReady() === undefined;
}

async function freezeFor(ms: number, it: { signal(signal: NodeJS.Signals): void }): Promise<void> {
  it.signal('SIGSTOP');
  await sleep(ms);
  it.signal('SIGCONT');
}

function shortly(random: Random): number {
  return random.between(200, 3_000);
}
