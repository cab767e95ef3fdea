/** `npm run cluster`: counts a play as a whole, and leaves nothing after an interrupt. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive, nameOfProcess, parentOf } from '../../scripts/processes.mjs';
import { waitUntil } from '../support/wait-until.ts';

const root = join(import.meta.dirname, '../..');
const dayMs = 86_400_000;
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** For temporary files of everything that it starts. */
let folder: string;
let cluster: ChildProcess;
let output = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-clusters-'));
  // As the folder for temporary files is: PostgreSQL has a user of its own.
  await chmod(folder, 0o1777);
  // In a process group of its own, as from a terminal.
  cluster = spawn(process.execPath, ['scripts/run.mjs', 'scripts/cluster.ts'], {
    cwd: root,
    detached: true,
    env: { ...process.env, TMPDIR: folder, PORT: '0' },
  });
  for (const stream of [cluster.stdout, cluster.stderr]) {
    stream?.on('data', (text: Buffer) => {
      output += text;
    });
  }
  await waitUntil('the cluster to be ready', () => {
    if (cluster.exitCode !== null) throw new Error(`It ended: ${output}`);
    return output.includes('gone after Ctrl+C');
  });
});
afterAll(async () => {
  for (const member of familyOf(cluster.pid)) process.kill(Number.parseInt(member, 10), 'SIGKILL');
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** The names of a process and of all that descend from it. */
function familyOf(first = 0): string[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ child: Number(name), parent: parentOf(Number(name)) }));
  const family = [first];
  for (const member of family) {
    family.push(...parents.filter(({ parent }) => parent === member).map(({ child }) => child));
  }
  return family.flatMap((member) => nameOfProcess(member) ?? []);
}

function isListening({ hostname, port }: URL): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(Number(port), hostname, () => resolve(true));
  socket.on('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

function printed(what: RegExp): string[] {
  return [...output.matchAll(what)].map(([, found = '']) => found);
}

test('a beacon through the balancer counts on each node, and an interrupt leaves nothing', async () => {
  const [url] = printed(/is ready: (\S+)/g);
  const [key = ''] = printed(/API key.*: (pm_\S+)/g);
  const [videoKey] = printed(/\/watch\/(\S+)/g);
  const nodes = printed(/Node \d: (\S+)/g);
  const shards = printed(/Shard \d: \S+, process (\d+)/g).map(Number);
  expect({ nodes: nodes.length, shards: shards.length }).toEqual({ nodes: 3, shards: 3 });
  const [postgres = ''] = printed(/PostgreSQL: (\S+)/g);
  expect(new URL(postgres)).toMatchObject({ protocol: 'postgres:', password: '' });
  expect(await isListening(new URL(postgres))).toBe(true);

  const at = new Date();
  const beacon = { view: 'a-view', stretch: 0, at, playMs: 1_000, videoKey };
  const body = JSON.stringify({ beacons: [beacon] });
  const taken = await fetch(`${url}/collect/v1/beacons`, { method: 'POST', body });
  expect(await taken.json()).toEqual({ accepted: 1, rejected: [] });
  // The account's day may be another than the day in UTC.
  const days = `sdate=${dateOf(+at - dayMs)}&edate=${dateOf(+at + dayMs)}`;
  const ask = async (server: string) => {
    const target = `${server}/report/statistics/video/v1/info/date?${days}`;
    const answer = await fetch(target, { headers: { 'x-api-key': key } });
    const { data } = (await answer.json()) as { data?: { list: { videoCount: string }[] } };
    return data?.list.reduce((sum, { videoCount }) => sum + Number(videoCount), 0);
  };
  await expect.poll(() => Promise.all(nodes.map(ask))).toEqual([1, 1, 1]);

  const family = familyOf(cluster.pid);
  expect(family.map((name) => Number.parseInt(name, 10))).toEqual(expect.arrayContaining(shards));
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^playmeter-cluster-/)]);
  const ended = once(cluster, 'exit');
  process.kill(-(cluster.pid ?? 0), 'SIGINT');
  // The runner passes it on, so that it comes again.
  expect([0, 130]).toContain((await ended)[0]);
  expect(family.filter(isAlive)).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
  // What the nodes use is there until they have stopped.
  expect(output.slice(output.indexOf('Stopping'))).not.toContain('ECONNREFUSED');
});
