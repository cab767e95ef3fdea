/** Backup and restore as an operator runs them: beside a service that collects, and without. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import SqliteFile from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Playmeter } from '../../client/src/index.ts';
import { type Kind, testKinds } from '../support/each-kind.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { addProcessAccount } from '../support/process-accounts.ts';
import type { TestAccount } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const today = new Date().setUTCHours(0, 0, 0, 0);
const dayMs = 86_400_000;
const date = (daysAgo: number) => new Date(today - daysAgo * dayMs).toISOString().slice(0, 10);

let service: ServiceProcess;
let account: TestAccount;
let videoKey: string;
let accessKey: string;
/** Sends only before the first backup, so that its ledger stays as it is. */
let quiet: TestAccount;
let backups: string;
let store: ObjectStore;
let isLoaded = true;
let acknowledged = 0;
beforeAll(async () => {
  store = await startObjectStore();
  service = await startServiceProcess(store.environment);
  backups = await mkdtemp(join(tmpdir(), 'playmeter-backups-'));
  account = await addProcessAccount(service, 'Europe/Berlin');
  accessKey = await account.addVideo();
  videoKey = await account.publish(await account.addPackage(), accessKey);
  await manageOf(account).changeVideo(accessKey, { duration: 900_000 });
  await send(
    Array.from({ length: 200 }, (_, number) => ({
      ...beacon(`old${number}`, 2 + (number % 3)),
      position: number * 1_000,
      mediaMs: 300_000,
      viewer: `viewer${number % 7}`,
      address: ['8.8.8.8', '193.99.144.80'][number % 2],
    })),
  );
  quiet = await addProcessAccount(service, 'UTC');
  await sendUnsigned();
});
afterAll(async () => {
  isLoaded = false;
  await service?.remove();
  await store?.close();
  await rm(backups, { recursive: true, force: true });
});

function beacon(view: string, daysAgo: number) {
  const at = new Date(today - daysAgo * dayMs + 3_600_000).toISOString();
  return { view, stretch: 0, at, playMs: 900_000 + view.length, videoKey };
}

async function send(beacons: readonly object[]): Promise<void> {
  const response = await fetch(`${service.url}/collect/v1/beacons`, {
    method: 'POST',
    headers: { 'x-api-key': account.key },
    body: JSON.stringify({ beacons }),
  });
  expect(await response.json()).toEqual({ accepted: beacons.length, rejected: [] });
}

const manageOf = ({ key }: TestAccount) => new Playmeter({ url: service.url, key }).manage;

/** Three beacons of a page that are set apart, and one that is refused. */
async function sendUnsigned(): Promise<void> {
  const packageId = await quiet.addPackage();
  await manageOf(quiet).changePackage(packageId, { signing: 'prefer' });
  const videoKey = await quiet.publish(packageId, await quiet.addVideo());
  // The last is too old for what a page reports.
  const beacons = [1, 1, 1, 9].map((daysAgo, number) => ({
    ...beacon(`apart${number}`, daysAgo),
    videoKey,
  }));
  const response = await fetch(`${service.url}/collect/v1/beacons`, {
    method: 'POST',
    body: JSON.stringify({ beacons }),
  });
  expect(await response.json()).toMatchObject({ accepted: 3, rejected: [{ index: 3 }] });
  await waitUntil('all four in the ledger', async () => {
    const [ledger] = await manageOf(quiet).ledger({ sdate: date(0), edate: date(-1) });
    return ledger?.received === 4;
  });
}

/** One view after another, yesterday; `acknowledged` are those that must be in a later backup. */
async function load(): Promise<void> {
  for (let view = 0; isLoaded; view += 1) {
    await send([beacon(`new${view}`, 1)]);
    acknowledged = view + 1;
    // A backup lets all else go first: without pauses it would wait for most of its time.
    await sleep(20);
  }
}

type Answer = readonly [
  what: string,
  status: number,
  given: object[] | string,
  totals?: object | undefined,
];

/** The answers of every kind about days on which nothing more is collected. */
async function answers(): Promise<Answer[]> {
  const range = `sdate=${date(6)}&edate=${date(2)}`;
  const [v1, v2] = ['/report/statistics/video/v1', '/report/statistics/video/v2'];
  const questions = [
    `${v1}/info/date?${range}`,
    `${v1}/info/date/hour?date=${date(2)}`,
    `${v1}/os?${range}`,
    `${v1}/os/detail?${range}&os=Unknown`,
    `${v2}/query?${range}&measures=plays,views,viewers&dimensions=country`,
    `${v2}/retention?${range}&accessKey=${accessKey}`,
    `${v2}/concurrency?${range}&interval=hour`,
    '/manage/v1/packages',
    '/manage/v1/videos',
    `/manage/v1/suspects?sdate=${date(1)}&edate=${date(1)}`,
    `/manage/v1/ledger?sdate=${date(0)}&edate=${date(-1)}`,
  ];
  const ofQuiet = ['/manage/v1/suspects', '/manage/v1/ledger'];
  const given = questions.map(async (path) => {
    const { key } = ofQuiet.includes(path.split('?')[0] ?? '') ? quiet : account;
    const response = await fetch(service.url + path, { headers: { 'x-api-key': key } });
    const body = (await response.json()) as { data?: object };
    const { list, totals } = (body.data ?? body) as { list: object[]; totals?: object };
    return [path, response.status, list, totals] as const;
  });
  return Promise.all([...given, clip()]);
}

async function areAllThere(): Promise<boolean> {
  const all = await answers();
  return all.every(([, status, given]) => status === 200 && given.length > 0);
}

/** The media file of the first start. */
async function clip(): Promise<Answer> {
  const [, ofClip] = /watch\/(.+)/.exec(service.pageUrl) ?? [];
  const response = await fetch(`${service.url}/content/${ofClip}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  return ['clip', response.status, createHash('sha256').update(bytes).digest('hex')];
}

async function playsOfYesterday(): Promise<number> {
  const response = await fetch(
    `${service.url}/report/statistics/video/v1/info/date?sdate=${date(1)}&edate=${date(1)}`,
    { headers: { 'x-api-key': account.key } },
  );
  const { data } = (await response.json()) as { data: { list: { videoCount: string }[] } };
  return Number(data.list[0]?.videoCount ?? 0);
}

test('a backup taken under load gives every answer back', async () => {
  await expect.poll(areAllThere).toBe(true);
  const before = await answers();
  const loading = load();
  await expect.poll(() => acknowledged).toBeGreaterThan(5);

  const sure = acknowledged;
  const first = await service.run('backup', join(backups, 'first'));
  expect(first).toMatchObject({ needs: [], facts: expect.any(Number) });
  await expectNoSalts(join(backups, 'first'));
  const surer = acknowledged;
  expect(surer).toBeGreaterThan(sure);
  const second = await service.run(
    ...['backup', join(backups, 'second'), '--incremental', join(backups, 'first')],
  );
  expect(second).toMatchObject({ needs: [join(backups, 'first')] });
  await expectNothingCopiedAgain(
    (path) => join(backups, 'first', path),
    (path) => join(backups, 'second', path),
  );
  const surest = acknowledged;
  const third = await service.run('backup', `${store.location}/all/third`);
  const fourth = await service.run(
    ...['backup', `${store.location}/all/fourth`],
    ...['--incremental', `${store.location}/all/third`],
  );
  await expectNothingCopiedAgain(
    (path) => store.fileOf(`all/third/${path}`),
    (path) => store.fileOf(`all/fourth/${path}`),
  );
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const age = Number(/^playmeter_backup_age_seconds (\S+)$/m.exec(metrics)?.[1]);
  expect(age).toBeGreaterThan(0);
  expect(age).toBeLessThan(3_600);
  isLoaded = false;
  await loading;
  const { backupList } = await service.run('backup', 'list', backups);
  expect(backupList).toMatchObject([{ ...first }, { ...second }]);

  const inStore = await service.run('backup', 'list', `${store.location}/all`);
  expect(inStore.backupList).toEqual([third, fourth]);

  await loseAll();
  const restored = await service.run('restore', join(backups, 'second'));
  expect(restored).toMatchObject({ hasSecret: true, verification: { isSound: true } });
  await service.start();
  expect(await answers()).toEqual(before);
  expect(await playsOfYesterday()).toBeGreaterThanOrEqual(surer);
  await expect(service.run('restore', join(backups, 'first'))).rejects.toThrow(/uses|not empty/);

  await loseAll();
  await service.run('restore', `${store.location}/all/fourth`);
  await service.start();
  expect(await answers()).toEqual(before);
  expect(await playsOfYesterday()).toBeGreaterThanOrEqual(surest);
});

/** None of those that the service has is in a file of the backup. */
async function expectNoSalts(backup: string): Promise<void> {
  const catalog = new SqliteFile(join(service.dataFolder, 'catalog.sqlite'), { readonly: true });
  const salts = catalog.prepare<[], Buffer>('select salt from salts').pluck().all();
  catalog.close();
  expect(salts).not.toEqual([]);
  for (const { path } of await filesOf((path) => join(backup, path))) {
    const bytes = await readFile(join(backup, path));
    expect([path, salts.filter((salt) => bytes.includes(salt))]).toEqual([path, []]);
  }
}

type FileOf = (path: string) => string;

/** How many parts both have depends on what was merged meanwhile, so each file is compared. */
async function expectNothingCopiedAgain(baseOf: FileOf, fileOf: FileOf): Promise<void> {
  const [base, files] = [await filesOf(baseOf), await filesOf(fileOf)];
  const known = new Map(base.map(({ path, sha256 }) => [path, sha256]));
  const same = files.filter(({ path, sha256 }) => known.get(path) === sha256);
  expect(same.map(({ path }) => path)).toContain('secret');
  expect(same.filter(({ path }) => existsSync(fileOf(path)))).toEqual([]);
  const others = files.filter((file) => !same.includes(file));
  expect(others.filter(({ path }) => !existsSync(fileOf(path)))).toEqual([]);
}

async function filesOf(fileOf: FileOf): Promise<{ path: string; bytes: number; sha256: string }[]> {
  return JSON.parse(await readFile(fileOf('manifest.json'), 'utf8')).manifest.files;
}

/** The data folder is empty, and the service does not run. */
async function loseAll(): Promise<void> {
  await service.kill('SIGKILL');
  for (const name of await readdir(service.dataFolder)) {
    await rm(join(service.dataFolder, name), { recursive: true });
  }
}

testKinds(
  [
    {
      name: 'a folder',
      among: () => backups,
      location: () => join(backups, 'first'),
      fileOf: (path: string) => join(backups, 'first', path),
    },
    {
      name: 'S3',
      tags: ['long' as const],
      among: () => `${store.location}/all`,
      location: () => `${store.location}/all/third`,
      fileOf: (path: string) => store.fileOf(`all/third/${path}`),
    },
  ],
  'a flipped byte in a file of any kind in $name is found before anything is restored',
  async ({ among, location, fileOf }) => {
    const files = await filesOf(fileOf);
    const kindOf = (path: string) =>
      path.startsWith('facts/') ? path.replace(/^facts\/(\w+)\/.*\//, '$1 ') : path.split('/')[0];
    const kinds = new Map(
      files.filter(({ bytes }) => bytes > 0).map((file) => [kindOf(file.path), file.path]),
    );
    expect([...kinds.keys()]).toEqual(
      expect.arrayContaining(['catalog.sqlite', 'secret', 'content', 'stretch data.bin']),
    );
    for (const path of kinds.values()) await flip(fileOf(path));
    const check = await service.run('backup', 'check', location()).catch((error) => error.stdout);
    const { wrongFiles } = JSON.parse(check) as { wrongFiles: { path: string }[] };
    expect(wrongFiles.map(({ path }) => path).sort()).toEqual([...kinds.values()].sort());

    await expect(service.run('restore', location())).rejects.toThrow(
      /damaged, and nothing was restored/,
    );
    await flip(fileOf('manifest.json'));
    await expect(service.run('backup', 'check', location())).rejects.toThrow(
      /manifest.*is damaged/,
    );
    // It does not hide the other.
    const { code, stdout } = await service.run('backup', 'list', among()).catch((error) => error);
    const { backupList, unreadable } = JSON.parse(stdout);
    expect({ code, backups: backupList.length, unreadable }).toEqual({
      ...{ code: 1, backups: 1 },
      unreadable: [{ location: location(), reason: expect.stringMatching(/is damaged/) }],
    });
  },
);

test('a backup that is interrupted leaves nothing that looks whole, and can be made again', async () => {
  const place = `${store.location}/broken/one`;
  const found = async () =>
    (await service.run('backup', 'list', `${store.location}/broken`)).backupList;
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const reached = holdFrom('PUT', 30);
    const verb = service.begin('backup', place);
    await reached;
    verb.kill(signal);
    // What is held now would keep the verb from tidying up.
    store.meet(({ pass }) => pass());
    expect(await verb.ended).toBe(signal === 'SIGINT' ? 1 : null);
    expect(await found()).toEqual([]);
    await expect(service.run('restore', place)).rejects.toThrow(/no finished backup/);
  }
  await service.run('backup', place);
  expect(await found()).toHaveLength(1);
});

const ends: (Kind & { name: NodeJS.Signals })[] = [
  { name: 'SIGINT' },
  { name: 'SIGTERM', tags: ['long'] },
  { name: 'SIGKILL' },
];
testKinds(
  ends,
  'a backup to a folder that $name ends leaves nothing that looks whole, and can be made again',
  async ({ name: signal }) => {
    const place = join(backups, 'ended', signal);
    const code = await endedAmidFacts(signal, place);
    expect(code).toBe(signal === 'SIGKILL' ? null : 1);
    const names = await readdir(place);
    expect(names).toEqual(signal === 'SIGKILL' ? expect.arrayContaining(['unfinished']) : []);
    expect(names).not.toContain('manifest.json');
    await expect(service.run('restore', place)).rejects.toThrow(/no finished backup/);
    await service.run('backup', place);
    expect(await service.run('backup', 'check', place)).toMatchObject({ isWhole: true });
  },
);

/** The exit code. A verb that was done before the signal reached it is begun anew. */
async function endedAmidFacts(signal: NodeJS.Signals, place: string): Promise<number | null> {
  for (;;) {
    await rm(place, { recursive: true, force: true });
    const verb = service.begin('backup', place);
    await waitUntil('facts in the backup', () => existsSync(join(place, 'facts')));
    verb.kill(signal);
    const code = await verb.ended;
    if (code !== 0) return code;
  }
}

test('a restore that is interrupted leaves a folder on which no service starts', async () => {
  const before = await answers();
  await loseAll();
  const files = await filesOf((path) => store.fileOf(`broken/one/${path}`));
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    // All are read once before anything is written.
    const reached = holdFrom('GET', files.length + 30);
    const verb = service.begin('restore', `${store.location}/broken/one`);
    await reached;
    verb.kill(signal);
    store.meet(({ pass }) => pass());
    expect(await verb.ended).toBe(signal === 'SIGINT' ? 1 : null);
    await expect(service.start()).rejects.toThrow(/restore/);
  }
  await service.run('restore', `${store.location}/broken/one`);
  await service.start();
  expect(await answers()).toEqual(before);
});

/** Resolves at the first of so many requests to the store; it and all further ones hang. */
function holdFrom(method: string, count: number): Promise<void> {
  let met = 0;
  return new Promise((resolve) => {
    store.meet(({ line, pass }) => {
      if (line.startsWith(method)) met += 1;
      if (met < count) pass();
      else resolve();
    });
  });
}

async function flip(file: string): Promise<void> {
  const bytes = await readFile(file);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(file, bytes);
}
