/**
 * npm run cluster: three shards of the bundled engine, PostgreSQL and three nodes of the service
 * behind a load balancer, all on this machine and in a folder that is gone at the end. To try it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import packageJson from '../package.json' with { type: 'json' };
import { startShards } from '../src/engine/engine-shards.ts';
import { freePort } from '../src/lib/free-port.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { waitUntil } from '../test/support/wait-until.ts';
import { startBalancer } from './cluster/balancer.ts';

const shardCount = 3;
const nodeCount = 3;
const stopWithinMs = 10_000;
const program = join(import.meta.dirname, '../src/main.ts');

interface Stoppable {
  stop(): Promise<void>;
}

const started: Stoppable[] = [];
const asked = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // The package of PostgreSQL would end this process as soon as that has stopped: the others
    // would go on for a while, and the folder would stay.
    process.removeAllListeners(signal);
    process.on(signal, () => resolve());
  }
});
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();

try {
  await run();
  await asked;
  console.log('Stopping');
} finally {
  // The last first: the nodes store what waits before their stores go.
  // PostgreSQL may have got the terminal's interrupt itself, and then never says that it ended.
  for (const part of started.reverse()) await stopInTime(part);
}

async function stopInTime(part: Stoppable): Promise<void> {
  const waiting = new AbortController();
  const tooLong = sleep(stopWithinMs, undefined, waiting).catch(() => {});
  await Promise.race([part.stop(), tooLong]);
  waiting.abort();
}

async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-cluster-'));
  keep({ stop: () => rm(folder, { recursive: true, force: true }) });
  const logger = pino({ level: 'error' }, pino.destination(2));
  const shards = keep(await startShards({ folder, count: shardCount, memoryMb: 1_024, logger }));
  const postgres = keep(await startPostgres());
  const areReady = () => shards.engines.every((engine) => engine.whyNotReady() === undefined);
  await waitUntil('all shards to answer', areReady);

  const ports: number[] = [];
  while (ports.length < nodeCount) ports.push(await freePort());
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const balancer = keep(await startBalancer(urls, Number(process.env.PORT ?? 0)));
  const environment = {
    ...process.env,
    CLICKHOUSE_URL: shards.engines.map(({ access }) => access.url).join(','),
    CLICKHOUSE_CLUSTER: shards.cluster,
    CLICKHOUSE_USER: shards.username,
    CLICKHOUSE_PASSWORD: shards.password,
    DATABASE_URL: await postgres.createDatabase(),
    APP_SECRET: shards.password.repeat(2),
    PUBLIC_URL: balancer.url,
    TRUST_PROXY: 'loopback',
    LOG_LEVEL: 'warn',
  };
  const dataFolderOf = (index: number) => join(folder, `node-${index + 1}`);
  // The first alone makes the first account, and has its clip.
  for (const [index, port] of ports.entries()) {
    const dataFolder = dataFolderOf(index);
    if (index > 0) {
      await mkdir(dataFolder, { mode: 0o700 });
      await symlink(join(dataFolderOf(0), 'content'), join(dataFolder, 'content'));
    }
    keep(await startNode({ ...environment, DATA_DIR: dataFolder, PORT: String(port) }));
  }
  const firstKey = await readFile(join(dataFolderOf(0), 'first-key.txt'), 'utf8');
  console.log(`Playmeter is ready: ${balancer.url}`);
  for (const line of firstKey.trim().split('\n')) console.log(`  ${line}`);
  for (const [index, url] of urls.entries()) console.log(`  Node ${index + 1}: ${url}`);
  for (const [index, { access }] of shards.engines.entries()) {
    console.log(
      `  Shard ${index + 1}: ${access.url}, process ${shards.engines[index]?.processId()}`,
    );
  }
  console.log('  Everything is in a temporary folder and gone after Ctrl+C');
}

function keep<Part extends Stoppable>(part: Part): Part {
  started.push(part);
  return part;
}

async function startNode(environment: NodeJS.ProcessEnv): Promise<Stoppable> {
  const words = [...packageJson.nodeFlags, program, 'serve'];
  const node: ChildProcess = spawn(process.execPath, words, {
    env: environment,
    // In a group of its own: an interrupt typed at the terminal is passed on in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(node, 'exit');
  const stop = async () => {
    node.kill('SIGTERM');
    await ended;
  };
  let output = '';
  node.stdout?.on('data', (text: Buffer) => {
    output += text;
  });
  try {
    await waitUntil('a node to be ready', () => {
      if (node.exitCode !== null) throw new Error(`A node ended: ${output}`);
      return output.includes('is ready');
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}
