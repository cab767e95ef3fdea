/**
 * The documented move to a cluster, or to one with more shards, beside a service that collects: all
 * answers are what they were, stretches under way go on, and what was erased meanwhile stays out.
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openErasureService, openMaintenance } from '../../src/app/offline/offline-stores.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { isSound, verify } from '../../src/maintenance/verify/verify.ts';
import { openFactStore } from '../../src/store/client/store-client.ts';
import { accessOfHost, nameShardDatabase } from '../../src/store/cluster/topology.ts';
import { openTableAdmin } from '../../src/store/open-store.ts';
import { busyPatience, type EngineCluster, startEngineCluster } from '../support/engine-cluster.ts';
import { nodeEnvironment } from '../support/node-environment.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let postgres: Postgres;
let two: EngineCluster;
let three: EngineCluster;
beforeAll(async () => {
  postgres = await startPostgres();
  two = await startEngineCluster(2);
  three = await startEngineCluster();
});
afterAll(async () => {
  await Promise.all([two?.stop(), three?.stop(), postgres?.stop()]);
});

const logger = pino({ level: 'silent' });
const pace = { everyMs: 1_000, daysEveryMs: 1_000, lookBackMs: 1_500 };
const today = new Date().setUTCHours(0, 0, 0, 0);
const day = (daysAgo: number) => new Date(today - daysAgo * 86_400_000).toISOString().slice(0, 10);
const newDatabase = () => `moved_${randomUUID().replaceAll('-', '')}`;

/** The settings of one of the servers alone. */
function oneServer(database: string): Record<string, string> {
  const { CLICKHOUSE_CLUSTER: _, ...settings } = two.environment(database);
  return { ...settings, CLICKHOUSE_URL: two.access.urls[0] ?? '' };
}

/** What an operator runs on a server of the new cluster. */
async function copyAll(from: string, to: string): Promise<void> {
  const page = await readFile(join(import.meta.dirname, '../../docs/scaling.md'), 'utf8');
  const [, documented = ''] = /```sql\n *SET (.+;\n[^`]+)```/.exec(page) ?? [];
  const [settings = '', ...statements] = documented.split(/;\s*\n\s*/).filter(Boolean);
  expect(statements).toHaveLength(7);
  const { access } = three;
  const { username, password } = two.access;
  const server = openFactStore(accessOfHost({ ...access, database: to }, access.urls[1] ?? '', to));
  for (const statement of statements) {
    const sql = statement
      .replaceAll("'old-server', playmeter.", `'127.0.0.1:${two.ports[0]}', ${from}.`)
      .replaceAll('playmeter.', `${to}.`)
      .replaceAll("'user', 'password'", `'${username}', '${password}'`)
      .replace('SELECT', `SETTINGS ${settings} SELECT`);
    await server.command({ name: 'test', sql, parameters: {} });
  }
  await server.close();
}

interface Site extends TestAccount {
  readonly videoKey: string;
  readonly film: object;
}

async function newSite(service: TestService): Promise<Site> {
  const account = await service.addAccount('Asia/Seoul');
  const [packageId, accessKey] = [await account.addPackage(), await account.addVideo()];
  const videoKey = await account.publish(packageId, accessKey);
  return { ...account, videoKey, film: { packageId, accessKey } };
}

/** Again, as senders do, while a busy store does not say in time which values a day has. */
async function send(service: TestService, { key }: Site, beacons: readonly object[]) {
  await waitUntil('the beacons to be taken', async () => {
    const answer = await service.send(beacons, { 'x-api-key': key });
    if (answer.status === 503) return false;
    expect(await answer.json()).toEqual({ accepted: beacons.length, rejected: [] });
    return true;
  });
}

/** In several days; most of them go on into another slot. */
const viewsOf = ({ film }: Site, playMs: number) =>
  Array.from({ length: 120 }, (_, number) => ({
    ...{ view: `view-${number}`, stretch: 0, playMs, viewer: `viewer-${number % 40}` },
    at: `${day(1 + (number % 3))}T${String(number % 24).padStart(2, '0')}:14:30Z`,
    ...film,
  }));

/** Events of a session, a minute apart. */
async function sendEvents(service: TestService, { videoKey }: Site, from: number, to: number) {
  const lines = Array.from({ length: to - from }, (_, index) => {
    const at = today - 3_600_000 + (from + index) * 60_000;
    return `e=ps,sid="session",sn=${from + index},sta=p,ts=${at},v=2`;
  });
  const answer = await service.request(`/collect/v1/cmcd/${videoKey}`, {
    ...{ method: 'POST', body: lines.join('\n') },
    headers: { 'content-type': 'application/cmcd', 'user-agent': 'A player' },
  });
  expect(await answer.json()).toEqual({ accepted: lines.length, rejected: [] });
}

const range = `sdate=${day(5)}&edate=${day(-1)}`;
const statistics = '/report/statistics/video';
const questions = [
  `${statistics}/v1/info/date?${range}`,
  `${statistics}/v1/info/date/hour?date=${day(1)}`,
  `${statistics}/v1/os?${range}`,
  `${statistics}/v2/query?${range}&measures=plays,playMs,views,viewers&dimensions=date`,
  `${statistics}/v2/query?${range}&measures=plays,playMs&dimensions=video`,
  `${statistics}/v2/concurrency?${range}&interval=hour`,
];

/** All that the account may ask, without what is of the one answer alone. */
async function answersOf(service: TestService, { key }: Site): Promise<object[]> {
  const asked = questions.map(async (path) => {
    const answer = await service.get(path, key);
    const { data } = (await answer.json()) as { data: { requestId: string } };
    const { requestId: _, ...rest } = data;
    return { path, ...rest };
  });
  const ledger = await service.manage(key, 'GET', `/ledger?${range}`);
  return [...(await Promise.all(asked)), ledger.body];
}

async function playOf(service: TestService, { key }: Site) {
  const { list } = await service.ask(questions[0] ?? '', key);
  const sum = (field: 'videoCount' | 'duration') =>
    list.reduce((total, row) => total + Number(row[field]), 0);
  return { plays: sum('videoCount'), seconds: sum('duration') };
}

async function factsByShard(database: string): Promise<number[]> {
  const ofShard = nameShardDatabase({ database });
  const counts = three.access.urls.map(async (url) => {
    const server = openFactStore(accessOfHost({ ...three.access, database }, url, ofShard));
    const sql = 'SELECT count() AS facts FROM stretch FINAL';
    const [row] = await server.select<{ facts: number }>({ name: 'test', sql, parameters: {} });
    await server.close();
    return row?.facts ?? 0;
  });
  return Promise.all(counts);
}

test.each([
  { name: 'one server', settings: (database: string) => oneServer(database) },
  { name: 'two shards', settings: (database: string) => two.environment(database) },
])('$name becomes a cluster of three shards', async ({ settings }) => {
  const [from, to] = [newDatabase(), newDatabase()];
  const common = await nodeEnvironment(postgres);
  const start = (environment: Record<string, string>) =>
    startTestService({ environment, pace, hostPatience: busyPatience });
  const old = await start({ ...common, ...settings(from) });
  const site = await newSite(old);
  await send(old, site, viewsOf(site, 10_000));
  await sendEvents(old, site, 0, 20);

  const around = (service: TestService) => {
    const { config } = service;
    return { config, clock: systemClock, logger, pace, hostPatience: busyPatience };
  };
  const desk = openTableAdmin({ ...three.access, database: to }, systemClock);
  await desk.bringUpToDate();
  await desk.close();

  let isCopied = false;
  let playMs = 20_000;
  const collecting = (async () => {
    for (; !isCopied; playMs += 10_000) await send(old, site, viewsOf(site, playMs));
  })();
  await copyAll(from, to);
  isCopied = true;
  await collecting;
  // Its facts have been copied, and are found by its receipt.
  const erasing = await openErasureService(around(old));
  const erased = { accountId: site.accountId, view: 'view-7' };
  const { receipt } = await erasing.eraser.record(erasing.catalog, erased);
  await erasing.eraser.carryOut(erasing.catalog, receipt);
  await erasing.close();
  await old.facts.rollUp();
  await expect.poll(() => playOf(old, site)).toMatchObject({ plays: 120 });
  const before = await answersOf(old, site);
  const played = await playOf(old, site);
  await old.stop();

  await copyAll(from, to);
  const environment = { ...common, ...three.environment(to) };
  const config = { ...old.config, ...environment } as TestService['config'];
  const upkeep = await openMaintenance({ ...around(old), config });
  const check = (repairs: boolean) =>
    verify(upkeep, { repairs, noteProgress: () => {}, signal: new AbortController().signal });
  expect(isSound(await check(true))).toBe(true);

  const node = await start(environment);
  const other = await start(environment);
  expect(await answersOf(node, site)).toEqual(before);
  for (const facts of await factsByShard(to)) expect(facts).toBeGreaterThan(0);

  // Stretches and a session go on, by way of both nodes; the erased view does not.
  await send(node, site, viewsOf(site, playMs + 10_000));
  await send(other, site, viewsOf(site, playMs + 10_000));
  await sendEvents(other, site, 20, 30);
  await node.facts.rollUp();
  const grownBy = 119 * ((playMs + 10_000 - (playMs - 10_000)) / 1_000) + 10 * 60;
  for (const each of [node, other]) {
    await expect
      .poll(() => playOf(each, site))
      .toEqual({ plays: played.plays, seconds: played.seconds + grownBy });
  }
  expect(isSound(await check(false))).toBe(true);
  await upkeep.close();
  await Promise.all([node.stop(), other.stop()]);
});
