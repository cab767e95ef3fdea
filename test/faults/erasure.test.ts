/**
 * A viewer is erased on a service that is killed at any moment of it, beside traffic and readers;
 * then the network sends everything again, and an older backup is restored: gone for good.
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Catalog, Erasure } from '../../src/catalog/catalog.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { seededRandom } from '../simulation/random.ts';
import { addProcessAccount } from '../support/process-accounts.ts';
import type { TestAccount } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const viewsOfEach = 150;
const viewers = ['ada', 'bob', 'cyd'];
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const random = seededRandom(18);

let service: ServiceProcess;
let account: TestAccount;
let videoKey: string;
let backups: string;
let isOver = false;
beforeAll(async () => {
  service = await startServiceProcess({ RATE_LIMIT_PER_MINUTE: '1000000' });
  backups = await mkdtemp(join(tmpdir(), 'playmeter-backups-'));
  account = await addProcessAccount(service, 'UTC');
  videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  expect(await send(viewers)).toBe(true);
  await waitUntil('all to count', async () => (await totalOf('info/date')) === viewers.length);
});
afterAll(async () => {
  isOver = true;
  await service?.remove();
  await rm(backups, { recursive: true, force: true });
});

/** All that these viewers ever played; whether it was acknowledged. */
async function send(some: readonly string[]): Promise<boolean> {
  const beacons = some.flatMap((viewer) =>
    Array.from({ length: viewsOfEach }, (_, number) => ({
      ...{ view: `${viewer}${number}`, viewer, stretch: 0, playMs: 1_000, videoKey },
      at: `${yesterday}T${String(number % 24).padStart(2, '0')}:00:00Z`,
    })),
  );
  const request = {
    method: 'POST',
    headers: { 'x-api-key': account.key },
    body: JSON.stringify({ beacons }),
  };
  const response = await fetch(`${service.url}/collect/v1/beacons`, request).catch(() => undefined);
  if (response?.status !== 200) return false;
  expect(await response.json()).toEqual({ accepted: beacons.length, rejected: [] });
  return true;
}

type Kind = 'info/date' | 'os' | 'v2';

/** How many viewers an answer has, each as a whole; undefined where there is no answer. */
async function totalOf(kind: Kind): Promise<number | undefined> {
  const range = `sdate=${yesterday}&edate=${yesterday}`;
  const path = kind === 'v2' ? `v2/query?measures=views&dimensions=device&` : `v1/${kind}?`;
  const url = `${service.url}/report/statistics/video/${path}${range}`;
  const response = await fetch(url, { headers: { 'x-api-key': account.key } }).catch(
    () => undefined,
  );
  if (response?.status !== 200) return undefined;
  const body = await response.text().catch(() => undefined);
  if (body === undefined) return undefined;
  const { data } = JSON.parse(body) as {
    data: { list: { videoCount: string }[]; totals?: { views: number } };
  };
  const views =
    data.totals?.views ?? data.list.reduce((sum, { videoCount }) => sum + Number(videoCount), 0);
  return views / viewsOfEach;
}

const kinds: readonly Kind[] = ['info/date', 'os', 'v2'];
const totals = () => Promise.all(kinds.map(totalOf));

async function withCatalog<Value>(use: (catalog: Catalog) => Promise<Value>): Promise<Value> {
  const location = { sqliteFile: join(service.dataFolder, 'catalog.sqlite') };
  const catalog = await openCatalog({ location, clock: systemClock });
  try {
    return await use(catalog);
  } finally {
    await catalog.close();
  }
}

const erasures = () => withCatalog(({ erasures }) => erasures.list(account.accountId));

async function newest(): Promise<Erasure | undefined> {
  return (await erasures())[0];
}

const own = () => ['--account', String(account.accountId)];

async function verified(): Promise<unknown> {
  return service.run('verify', ...own());
}

test('killed at any moment, beside traffic and readers that never see half of it', async () => {
  const seen: (number | undefined)[][] = [];
  const reading = (async () => {
    while (!isOver) seen.push(await totals());
  })();
  const sending = (async () => {
    while (!isOver) if (!(await send(viewers))) await sleep(100);
  })();

  const recorded = service.run('erase', ...own(), '--viewer', 'ada').catch(() => undefined);
  await waitUntil('the erasure to be recorded', async () => (await newest()) !== undefined);
  // It waits for what is on its way, then sums, then deletes: kills fall into each of them.
  for (let round = 0; (await newest())?.state !== 'done'; round += 1) {
    await service.kill('SIGKILL');
    await service.start();
    await sleep(random.below(round < 3 ? 4_000 : 8_000));
  }
  await recorded;
  await waitUntil('answers without the viewer', async () =>
    (await totals()).every((total) => total === viewers.length - 1),
  );
  isOver = true;
  await Promise.all([reading, sending]);

  const whole = [viewers.length, viewers.length - 1];
  for (const [index] of kinds.entries()) {
    const inOrder = seen.flatMap((some) => some[index] ?? []);
    expect(inOrder.filter((total) => !whole.includes(total))).toEqual([]);
    expect(inOrder).toEqual(inOrder.toSorted((one, other) => other - one));
  }
  expect(await newest()).toMatchObject({ views: viewsOfEach, state: 'done' });
  expect(await verified()).toMatchObject({ isSound: true, erasures: 1 });
});

test('a replay of the old network brings nothing back, nor does a journal', async () => {
  expect(await send(viewers)).toBe(true);
  // Acknowledged, and not in the store yet.
  await service.kill('SIGKILL');
  await service.start();
  await waitUntil('answers', async () => (await totalOf('info/date')) !== undefined);
  await sleep(1_000);
  expect(await totals()).toEqual(kinds.map(() => viewers.length - 1));
  expect(await verified()).toMatchObject({ isSound: true });
});

test('a restored backup that is older than an erasure has nothing of it', async () => {
  await service.run('backup', join(backups, 'older'));
  const counted = await service.run('erase', ...own(), '--viewer', 'bob', '--dry-run');
  expect(counted).toEqual({ receipt: null, views: viewsOfEach, facts: viewsOfEach });
  const erased = await service.run('erase', ...own(), '--viewer', 'bob');
  expect(erased).toEqual({ ...counted, receipt: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(await totals()).toEqual(kinds.map(() => 1));
  const receipts = join(backups, 'erasures.json');
  await writeFile(receipts, JSON.stringify(await service.run('erasure', 'list')));

  await service.kill('SIGKILL');
  for (const name of await readdir(service.dataFolder)) {
    await rm(join(service.dataFolder, name), { recursive: true });
  }
  const restored = await service.run('restore', join(backups, 'older'), '--erasures', receipts);
  expect(restored).toMatchObject({ verification: { isSound: true, erasures: 2 } });
  await service.start();
  await waitUntil('answers', async () => (await totalOf('info/date')) !== undefined);
  expect(await totals()).toEqual(kinds.map(() => 1));
  expect(await send(viewers)).toBe(true);
  await sleep(1_500);
  expect(await totals()).toEqual(kinds.map(() => 1));
  expect(await verified()).toMatchObject({ isSound: true });
});
