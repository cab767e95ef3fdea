/** Backups of a service of several processes, also of what is lost, damaged or kept elsewhere. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayMs, toUtcDay } from '../../src/lib/time/utc-day.ts';
import { slotMs } from '../../src/store/facts.ts';
import { testKinds } from '../support/each-kind.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { isAlive, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { wideBounds } from '../support/wide-bounds.ts';

const workers = 3;
/** Read anew at each start and each verb. */
const environment: Record<string, string> = {
  ...wideBounds,
  WORKERS: String(workers),
  LOG_LEVEL: 'info',
};
/** The start of a slot, so that each view makes one fact. */
const at = Math.floor(Date.now() / slotMs - 4) * slotMs;

let service: ServiceProcess;
let store: ObjectStore;
let backups: string;
let videoKey: string;
let acknowledged = 0;
beforeAll(async () => {
  store = await startObjectStore();
  Object.assign(environment, store.environment);
  service = await startServiceProcess(environment);
  videoKey = /\/watch\/(.+)/.exec(service.pageUrl)?.[1] ?? '';
  backups = await mkdtemp(join(tmpdir(), 'playmeter-backups-'));
});
afterAll(async () => {
  await service?.remove();
  await store?.close();
  await rm(backups, { recursive: true, force: true });
});

/** Over a connection of its own, so that each goes to another worker; until it is acknowledged. */
async function play(view: string): Promise<void> {
  const beacon = { view, stretch: 0, at: new Date(at).toISOString(), playMs: 5_000, videoKey };
  const body = JSON.stringify({ beacons: [beacon] });
  const send = () =>
    new Promise<boolean>((resolve) => {
      const headers = { 'content-type': 'application/json' };
      const options = { method: 'POST', headers, agent: new Agent(), timeout: 5_000 };
      const sent = request(`${service.url}/collect/v1/beacons`, options, (answer) =>
        answer.resume().on('end', () => resolve(answer.statusCode === 200)),
      );
      sent.on('timeout', () => sent.destroy()).on('error', () => resolve(false));
      sent.end(body);
    });
  await waitUntil(`${view} to be acknowledged`, send);
  acknowledged += 1;
}

async function plays(): Promise<number> {
  const range = `sdate=${toUtcDay(at - dayMs)}&edate=${toUtcDay(at + dayMs)}`;
  const response = await fetch(
    `${service.url}/report/statistics/video/v2/query?${range}&measures=plays`,
    { headers: { 'x-api-key': service.key } },
  );
  const { data } = (await response.json()) as { data?: { totals: { plays: number } } };
  return Number(data?.totals.plays);
}

/** Of a data folder or a backup, by their paths in it. */
async function journalsIn(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, 'journal'), { recursive: true });
  return names.filter((name) => name.endsWith('.journal')).map((name) => `journal/${name}`);
}

type Printed = Record<string, unknown>;

/** Of a verb that ends with 1. */
async function runIncomplete(...words: string[]): Promise<Printed> {
  const { code, stdout } = await service.run(...words).then(
    () => ({ code: 0, stdout: '' }),
    (error: { code: number; stdout: string }) => error,
  );
  expect(code).toBe(1);
  return JSON.parse(stdout) as Printed;
}

async function filesOf(manifest: string): Promise<{ path: string; from?: string }[]> {
  return JSON.parse(await readFile(manifest, 'utf8')).manifest.files;
}

async function flip(file: string): Promise<void> {
  const bytes = await readFile(file);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  await writeFile(file, bytes);
}

/** The data folder is empty, and the service does not run. */
async function loseAll(): Promise<void> {
  const all = [...service.workerProcesses(), ...service.engineProcesses()].filter(isAlive);
  await service.kill('SIGKILL');
  // Those that stand still do not notice.
  for (const processId of all.filter(isAlive)) process.kill(processId, 'SIGKILL');
  await waitUntil('the end of all processes', () => !all.some(isAlive));
  for (const name of await readdir(service.dataFolder)) {
    await rm(join(service.dataFolder, name), { recursive: true });
  }
}

test('what only the journals of the workers have is in a backup', async () => {
  // Each worker has asked the store about the day.
  for (let view = 0; view < 12; view += 1) await play(`before-${view}`);
  await expect.poll(plays).toBe(acknowledged);
  const [engine = 0] = service.engineProcesses().slice(-1);
  const running = service.workerProcesses().filter(isAlive);
  // From now on nothing leaves the journals.
  process.kill(engine, 'SIGSTOP');
  await waitUntil('something in each journal', async () => {
    await play(`left-${acknowledged}`);
    const folders = new Set((await journalsIn(service.dataFolder)).map(dirname));
    return folders.size === workers;
  });
  // Those before may be on their way to the store.
  for (let view = 0; view < 12; view += 1) await play(`late-${view}`);
  for (const stopped of [service.processId(), ...running]) process.kill(stopped, 'SIGSTOP');
  process.kill(engine, 'SIGCONT');

  const place = join(backups, 'journals');
  await service.run('backup', place);
  const journals = await journalsIn(place);
  expect(new Set(journals.map(dirname)).size).toBe(workers);
  expect(journals.sort()).toEqual((await journalsIn(service.dataFolder)).sort());
  for (const path of journals) await flip(join(place, path));
  const { wrongFiles } = await runIncomplete('backup', 'check', place);
  expect((wrongFiles as { path: string }[]).map(({ path }) => path)).toEqual(journals);
  for (const path of journals) await flip(join(place, path));

  await loseAll();
  expect(await service.run('restore', place)).toMatchObject({
    ...{ hasSecret: true, verification: { isSound: true } },
  });
  await service.start();
  await expect.poll(plays).toBe(acknowledged);
});

testKinds(
  [
    {
      name: 'a folder',
      place: (name: string) => join(backups, name),
      fileOf: (path: string) => join(backups, path),
    },
    {
      name: 'S3',
      tags: ['long' as const],
      place: (name: string) => `${store.location}/${name}`,
      fileOf: (path: string) => store.fileOf(path),
    },
  ],
  'an incremental backup to $name copies what its base has lost',
  async ({ place, fileOf }) => {
    await service.run('backup', place('base'));
    const media = (await filesOf(fileOf('base/manifest.json'))).find(({ path }) =>
      path.startsWith('content/'),
    );
    const lost = ['secret', media?.path ?? ''];
    await rm(fileOf('base/secret'));
    await truncate(fileOf(`base/${media?.path}`), 100);

    await service.run('backup', place('next'), '--incremental', place('base'));
    const files = await filesOf(fileOf('next/manifest.json'));
    const isOwn = ({ from }: { from?: string }) => from === undefined;
    expect(files.filter(isOwn).map(({ path }) => path)).toEqual(expect.arrayContaining(lost));
    expect(files.every(isOwn)).toBe(false);
    expect(await service.run('backup', 'check', place('next'))).toMatchObject({ isWhole: true });
    expect(await service.run('verify')).toMatchObject({ isSound: true });
  },
);

test('a secret of an earlier start is not in a backup of a service with APP_SECRET', async () => {
  await service.kill('SIGTERM');
  environment.APP_SECRET = 'a secret of thirty-two characters';
  await service.start('--accept-new-secret');
  expect(existsSync(join(service.dataFolder, 'secret'))).toBe(true);
  const place = join(backups, 'without secret');
  await service.run('backup', place);
  const paths = (await filesOf(join(place, 'manifest.json'))).map(({ path }) => path);
  expect(paths).not.toContain('secret');

  await loseAll();
  expect(await service.run('restore', place)).toMatchObject({
    ...{ hasSecret: false, verification: { isSound: true } },
  });
  expect(existsSync(join(service.dataFolder, 'secret'))).toBe(false);
  await service.start();
  await expect.poll(plays).toBe(acknowledged);
});

test('a backup of damaged data is restored, with exit code 1 and the damage', async () => {
  const file = new SqliteFile(join(service.dataFolder, 'catalog.sqlite'));
  file.pragma('foreign_keys = off');
  const [id] = file.prepare('UPDATE folders SET account_id = 999999 RETURNING id').pluck().all();
  file.close();
  const complaint = `row ${id} of folders names no row of accounts`;
  const place = join(backups, 'damaged');
  await service.run('backup', place);

  await loseAll();
  expect(await runIncomplete('restore', place)).toMatchObject({
    verification: { isSound: false, differences: [], damagedParts: [], catalog: [complaint] },
  });
  await service.start();
  await expect.poll(plays).toBe(acknowledged);
});
