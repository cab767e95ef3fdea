/**
 * npm run cluster: three shards of the bundled engine, PostgreSQL and three nodes of the service
 * behind a load balancer, all on this machine and in a folder that is gone at the end. To try it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import packageJson from '../package.json' with { type: 'json' };
import { startShards } from '../src/engine/engine-shards.ts';
import { freePort } from '../src/lib/network/free-port.ts';
import { waitUntil } from '../test/support/wait-until.ts';
import { startBalancer } from './cluster/balancer.ts';
import { hostsOfNode } from './cluster/hosts-of-node.ts';
import { program } from './program/program.ts';

const shardCount = 3;
const nodeCount = 3;
const runPostgres = join(import.meta.dirname, 'cluster/run-postgres.ts');

interface Stoppable {
  stop(): Promise<void>;
}

const started: Stoppable[] = [];
const asked = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
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
  for (const part of started.reverse()) await part.stop();
}

async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-cluster-'));
  keep({ stop: () => rm(folder, { recursive: true, force: true }) });
  // The user that PostgreSQL runs as passes through it; the folders in it are closed.
  await chmod(folder, 0o711);
  const logger = pino({ level: 'error' }, pino.destination(2));
  const shards = keep(await startShards({ folder, count: shardCount, memoryMb: 1_024, logger }));
  const databaseUrl = await begin([runPostgres, folder], process.env, /^postgres:\S+$/m);
  const areReady = () => shards.engines.every((engine) => engine.whyNotReady() === undefined);
  await waitUntil('all shards to answer', areReady);

  const ports: number[] = [];
  while (ports.length < nodeCount) ports.push(await freePort());
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const balancer = keep(await startBalancer(urls, Number(process.env.PORT ?? 0)));
  const environment = {
    ...process.env,
    CLICKHOUSE_CLUSTER: shards.cluster,
    CLICKHOUSE_USER: shards.username,
    CLICKHOUSE_PASSWORD: shards.password,
    DATABASE_URL: databaseUrl,
    APP_SECRET: shards.password.repeat(2),
    PUBLIC_URL: balancer.url,
    TRUST_PROXY: 'loopback',
    LOG_LEVEL: 'warn',
  };
  const hosts = shards.engines.map(({ access }) => access.url);
  const dataFolderOf = (index: number) => join(folder, `node-${index + 1}`);
  // The first alone makes the first account, and has its clip.
  for (const [index, port] of ports.entries()) {
    const dataFolder = dataFolderOf(index);
    if (index > 0) {
      await mkdir(dataFolder, { mode: 0o700 });
      await symlink(join(dataFolderOf(0), 'content'), join(dataFolder, 'content'));
    }
    const ofNode = {
      ...environment,
      CLICKHOUSE_URL: hostsOfNode(hosts, index).join(','),
      DATA_DIR: dataFolder,
      PORT: String(port),
    };
    await begin([...packageJson.nodeFlags, program, 'serve'], ofNode, /is ready/);
  }
  const firstKey = await readFile(join(dataFolderOf(0), 'first-key.txt'), 'utf8');
  // Each start makes another link: the last one is valid.
  const last = join(dataFolderOf(urls.length - 1), 'first-sign-in.txt');
  const firstSignIn = await readFile(last, 'utf8');
  console.log(`Playmeter is ready: ${balancer.url}`);
  for (const line of `${firstSignIn}${firstKey}`.trim().split('\n')) console.log(`  ${line}`);
  for (const [index, url] of urls.entries()) console.log(`  Node ${index + 1}: ${url}`);
  for (const [index, { access }] of shards.engines.entries()) {
    console.log(
      `  Shard ${index + 1}: ${access.url}, process ${shards.engines[index]?.processId()}`,
    );
  }
  console.log(`  PostgreSQL: ${withoutPassword(databaseUrl)}`);
  console.log('  Everything is in a temporary folder and gone after Ctrl+C');
}

/** It is in the environment of the nodes, and printed nowhere. */
function withoutPassword(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.password = '';
  return url.href;
}

function keep<Part extends Stoppable>(part: Part): Part {
  started.push(part);
  return part;
}

/** Resolves to what it says that fits. */
async function begin(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  wanted: RegExp,
): Promise<string> {
  const child = spawn(process.execPath, words, {
    env,
    // In a group of its own: an interrupt typed at the terminal is passed on in order.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  keep({
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  });
  let output = '';
  child.stdout.on('data', (text: Buffer) => {
    output += text;
  });
  let found = '';
  await waitUntil('a process to be ready', () => {
    if (child.exitCode !== null) throw new Error(`A process ended: ${output}`);
    found = wanted.exec(output)?.[0] ?? '';
    return found !== '';
  });
  return found;
}
