/** Three nodes on three shards: servers that are missing, hang or die, and none counts twice. */
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { hostsOfNode } from '../../scripts/cluster/hosts-of-node.ts';
import { nameJournal } from '../../src/app/parts/work-split.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { usualHostPatience } from '../../src/store/client/host-watch.ts';
import { retryStartup } from '../../src/store/client/startup-retry.ts';
import { type FactStore, openFactStore } from '../../src/store/client/store-client.ts';
import { measureSkew } from '../../src/store/cluster/cluster-store.ts';
import { accessOfHost, nameShardDatabase } from '../../src/store/cluster/topology.ts';
import { journalSuffix } from '../../src/store/journal/journal-file.ts';
import { migrations } from '../../src/store/migrations/migrations.ts';
import { openTableAdmin } from '../../src/store/open-store.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { type ServiceCluster, startServiceCluster } from '../support/service-cluster.ts';
import { openSilentWay } from '../support/silent-way.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Of all nodes, from warnings on. */
const log: string[] = [];
const logger = pino(
  { level: 'warn' },
  pino.multistream([
    { level: 'warn', stream: { write: (line: string) => void log.push(line) } },
    { level: 'error', stream: pino.destination(2) },
  ]),
);
let cluster: ServiceCluster;
let account: TestAccount;
let skewsAtStart: number[];
beforeAll(async () => {
  cluster = await startServiceCluster({ nodes: 3, hostPatience: usualHostPatience, log: logger });
  skewsAtStart = await Promise.all(cluster.nodes.map(skewOn));
  account = await cluster.site.addAccount();
});
afterAll(() => cluster?.stop());

async function skewOn({ url }: TestService): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^playmeter_cluster_clock_skew_seconds (\S+)$/m.exec(metrics)?.[1]);
}

/** What a server that hangs keeps, of those that wait for an answer, where nobody watches it: 110 s. */
const shortestHangMs = 60_000;

const newDatabase = () => `test_${randomUUID().replaceAll('-', '')}`;

function deskOn(database: string, urls = cluster.shards.access.urls) {
  return openTableAdmin({ ...cluster.shards.access, urls, database }, systemClock);
}

async function withServer<Value>(
  shard: number,
  database: string,
  use: (server: FactStore) => Promise<Value>,
): Promise<Value> {
  const { access } = cluster.shards;
  const server = openFactStore(accessOfHost({ ...access, database }, urlOf(shard), database));
  return use(server).finally(() => server.close());
}

function urlOf(shard: number): string {
  return cluster.shards.access.urls[shard] ?? '';
}

const run = (server: FactStore, sql: string) =>
  server.command({ name: 'test', sql, parameters: {} });

test('what is to be done on each server is listed, done, and then nothing is left', async () => {
  const database = newDatabase();
  const desk = deskOn(database);
  const first = await desk.findUndone();
  for (const url of cluster.shards.access.urls) {
    const { host } = new URL(url);
    expect(first).toContain(`${host}: migration 0001-first-tables is not applied`);
  }
  await desk.bringUpToDate();
  expect(await desk.findUndone()).toEqual([]);

  // A server that lost a table over all shards, and one whose shard got a column meanwhile.
  await withServer(1, database, (server) => run(server, 'DROP TABLE event'));
  const shardDatabase = nameShardDatabase({ database });
  await withServer(2, shardDatabase, (server) =>
    run(server, 'ALTER TABLE stretch ADD COLUMN n SimpleAggregateFunction(max, UInt8)'),
  );
  const [lost, changed] = [urlOf(1), urlOf(2)].map((url) => new URL(url).host);
  expect(await desk.findUndone()).toEqual([
    `${lost}: table event does not span all shards`,
    `${changed}: table stretch does not span all shards`,
  ]);
  await desk.bringUpToDate();
  expect(await desk.findUndone()).toEqual([]);

  // Of a later release.
  await withServer(1, shardDatabase, (server) =>
    run(server, `INSERT INTO migration (name, checksum) SELECT '9999-later', ''`),
  );
  await expect(desk.findUndone()).rejects.toThrow('a later release used it');
  await expect(desk.bringUpToDate()).rejects.toThrow('a later release used it');
  await desk.close();
});

test('nodes that start at once, each beginning with another server, apply a migration once', async () => {
  const database = newDatabase();
  const { urls } = cluster.shards.access;
  const desks = urls.map((_, node) => deskOn(database, hostsOfNode(urls, node)));
  // As often as it takes: of two that meet at a server one tries again.
  const about = { whyServerNotReady: undefined, clock: systemClock, logger };
  const starts = desks.map((desk) =>
    retryStartup({ ...about, attempt: () => desk.bringUpToDate() }),
  );
  await Promise.all(starts.map(({ done }) => done));
  for (const desk of desks) {
    expect(await desk.findUndone()).toEqual([]);
    await desk.close();
  }
  const applied = migrations.map(({ name }) => ({ name, times: 1 }));
  for (const shard of urls.keys()) {
    await withServer(shard, nameShardDatabase({ database }), async (server) => {
      const sql = 'SELECT name, count() AS times FROM migration GROUP BY name ORDER BY name';
      expect(await server.select({ name: 'test', sql, parameters: {} })).toEqual(applied);
    });
  }
});

const day = '2026-05-01';
const question = `/report/statistics/video/v1/info/date?sdate=${day}&edate=${day}`;
let views = 0;

async function publish(owner = account) {
  const [packageId, accessKey] = [await owner.addPackage(), await owner.addVideo()];
  await owner.publish(packageId, accessKey);
  return { packageId, accessKey, key: owner.key };
}

type Film = Awaited<ReturnType<typeof publish>>;

/** Sends until it is acknowledged, each time to another node; twice, as a player may. */
async function watch({ key, ...film }: Film, site = cluster.site): Promise<void> {
  views += 1;
  const beacon = {
    ...{ view: `view-${views}`, stretch: 0, at: `${day}T03:00:00Z`, playMs: 1_000 },
    ...film,
  };
  const headers = { 'x-api-key': key };
  const isTaken = async () => (await site.send([beacon], headers)).status === 200;
  await waitUntil('the beacon to be taken', isTaken);
  await waitUntil('the beacon to be taken again', isTaken);
}

const unavailable = '503, again after 1 s';

async function playsOn(node: TestService, { accessKey, key }: Film): Promise<number | string> {
  const answer = await node.get(`${question}&accessKey=${accessKey}`, key);
  if (answer.status === 503) return `503, again after ${answer.headers.get('retry-after')} s`;
  const { data } = (await answer.json()) as { data: { list: { videoCount: string }[] } };
  return data.list.reduce((sum, { videoCount }) => sum + Number(videoCount), 0);
}

const onEveryNode = (film: Film) => Promise.all(cluster.nodes.map((node) => playsOn(node, film)));

function processOf(shard: number): number {
  return cluster.shards.engines[shard]?.processId() ?? 0;
}

/** Asks every node for the curves of a video that two viewers have played, at the same time. */
let curvesOnEach: () => Promise<unknown[]>;
const onEach = (curves: object) => cluster.nodes.map(() => curves);
const curvesOfRest = { views: 2, audience: [2, 2, 1, 1], peaks: [0, 2, 0] };
let sendErased: () => Promise<void>;

test('curves are the same from every node', async () => {
  const { key, packageId, accessKey } = await publish(await cluster.site.addAccount());
  await cluster.site.manage(key, 'PATCH', `/videos/${accessKey}`, { duration: 4_000 });
  const beacons = ['mary', 'ada', 'mary', 'mary', 'ada'].map((viewer, index) => ({
    ...{ view: `curve-${index}`, viewer, stretch: 0, at: `${day}T03:00:01Z`, position: 0 },
    ...{ playMs: 1_000 * (index + 1), mediaMs: 1_000 * (index + 1), packageId, accessKey },
  }));
  sendErased = () =>
    waitUntil('the beacons to be taken', async () => {
      const sent = await cluster.site.send(beacons, { 'x-api-key': key });
      return sent.status === 200;
    });
  await sendErased();
  const about = `sdate=${day}&edate=${day}&accessKey=${accessKey}`;
  const ask = async <Curve>(node: TestService, curve: string): Promise<Curve> => {
    const answer = await node.get(`/report/statistics/video/v2/${curve}`, key);
    return ((await answer.json()) as { data: Curve }).data;
  };
  type Retention = { views: number; list: { audience: number }[] };
  type Concurrency = { list: { peak: number }[] };
  curvesOnEach = () =>
    Promise.all(
      cluster.nodes.map(async (node) => {
        const retention = await ask<Retention>(node, `retention?${about}&parts=4`);
        const hours = await ask<Concurrency>(node, `concurrency?${about}&interval=hour`);
        return {
          views: retention?.views,
          audience: retention?.list.map(({ audience }) => audience),
          peaks: hours?.list.slice(2, 5).map(({ peak }) => peak),
        };
      }),
    );
  // The fifth plays on beyond the end.
  const curves = { views: 5, audience: [5, 4, 3, 2], peaks: [0, 5, 0] };
  await expect.poll(curvesOnEach).toEqual(onEach(curves));
  // It lasts as long as the clocks of servers may differ: the last test looks what became of it.
  const erased = await cluster.site.request('/manage/v1/playback?viewer=mary', {
    method: 'DELETE',
    headers: { 'x-api-key': key },
  });
  expect(erased.status).toBe(200);
});

/** What players sent and a node keeps in files of its own, with the folder for them. */
const journalsOfNodes = () =>
  Promise.all(
    cluster.nodes.map(async ({ config }) => {
      const files = await readdir(config.DATA_DIR, { recursive: true });
      const folder = basename(nameJournal(config.DATA_DIR));
      return files.filter((file) => file === folder || file.endsWith(journalSuffix));
    }),
  );

test('a shard that hangs: no half answer from any node, and nothing acknowledged is lost', async () => {
  const film = await publish();
  for (let count = 0; count < 6; count += 1) await watch(film);
  await expect.poll(() => onEveryNode(film)).toEqual([6, 6, 6]);
  const frozen = processOf(1);
  process.kill(frozen, 'SIGSTOP');
  try {
    // Never less than six: those that are whole may still come from before.
    const answered: unknown[] = [];
    await waitUntil('all nodes to refuse', async () => {
      const now = await onEveryNode(film);
      answered.push(...now);
      return now.every((one) => one === unavailable);
    });
    for (const one of new Set(answered)) expect([6, unavailable]).toContain(one);
    const { key, ...names } = film;
    const beacon = { view: 'unheard', stretch: 0, at: `${day}T03:00:00Z`, playMs: 1, ...names };
    expect((await cluster.site.send([beacon], { 'x-api-key': key })).status).toBe(503);
    expect(await journalsOfNodes()).toEqual(onEach([]));
  } finally {
    process.kill(frozen, 'SIGCONT');
  }
  for (let count = 0; count < 3; count += 1) await watch(film);
  await expect.poll(() => onEveryNode(film)).toEqual([9, 9, 9]);
});

/** A service of its own on one of the servers, and an account there. */
async function startOnOneServer(): Promise<[TestService, TestAccount]> {
  const { username, password } = cluster.shards.access;
  const environment = {
    ...{ CLICKHOUSE_URL: urlOf(1), CLICKHOUSE_USER: username, CLICKHOUSE_PASSWORD: password },
    CLICKHOUSE_DATABASE: newDatabase(),
  };
  const parts = { environment, hostPatience: usualHostPatience, log: logger };
  const service = await startTestService(parts);
  onTestFinished(() => service.stop());
  return [service, await service.addAccount()];
}

/** Of another node of the same service. */
function sharedSettings(): Record<string, string> {
  const { DATABASE_URL = '', APP_SECRET = '' } = cluster.nodes[0]?.config ?? {};
  return { DATABASE_URL, APP_SECRET };
}

const { everyMs, answersWithinMs } = usualHostPatience;

test.each<[string, string, () => Promise<[TestService, TestAccount]>]>([
  [
    'a shard',
    `no answer for all shards within ${answersWithinMs} ms`,
    async () => [cluster.nodes[0] ?? expect.fail('there is no node'), account],
  ],
  ['the only server', `no answer within ${answersWithinMs} ms`, startOnOneServer],
])('a question to %s that hangs is refused', async (_, givenUp, open) => {
  const [node, owner] = await open();
  const film = await publish(owner);
  await watch(film, node);
  const wasCutOff = () =>
    log.some((line) => line.includes('"msg":"not available"') && line.includes('aborted'));
  // A slow machine may have noticed the server before the question was sent to it.
  await waitUntil('a question to be cut off', async () => {
    await expect.poll(() => playsOn(node, film)).toBe(1);
    log.length = 0;
    const frozen = processOf(1);
    process.kill(frozen, 'SIGSTOP');
    try {
      const askedAt = performance.now();
      expect(await playsOn(node, film)).toBe(unavailable);
      // As docs/scaling.md says; a machine that does much else is given more.
      expect(everyMs + answersWithinMs).toBeLessThan(2_000);
      expect(performance.now() - askedAt).toBeLessThan(shortestHangMs);
      await waitUntil('the host to be given up', () => log.some((one) => one.includes(givenUp)));
      expect((await node.request('/readyz')).status).toBe(503);
    } finally {
      process.kill(frozen, 'SIGCONT');
    }
    await expect.poll(() => playsOn(node, film)).toBe(1);
    return wasCutOff();
  });
});

test('another host is asked instead of one that hangs or is away, and that again in its turn', async () => {
  const film = await publish();
  for (let count = 0; count < 3; count += 1) await watch(film);
  const ways = await Promise.all(
    cluster.shards.access.urls.map((url) => openSilentWay(Number(new URL(url).port))),
  );
  const { CLICKHOUSE_DATABASE: database = '' } = cluster.nodes[0]?.config ?? {};
  log.length = 0;
  const node = await startTestService({
    environment: {
      ...sharedSettings(),
      ...cluster.shards.environment(database),
      CLICKHOUSE_URL: ways.map(({ port }) => `http://127.0.0.1:${port}`).join(','),
    },
    // The others are never too slow here, however busy the machine is.
    hostPatience: { ...usualHostPatience, othersAnswerWithinMs: 20_000 },
    log: logger,
  });
  onTestFinished(async () => {
    await node.stop();
    await Promise.all(ways.map((way) => way.leave()));
  });
  // Of this node: the others name the servers themselves.
  const inUse = () => {
    const wayIn = (line: string) =>
      ways.find(({ port }) => line.includes(`"instead":"127.0.0.1:${port}"`));
    const used = log.flatMap((line) => wayIn(line) ?? []).at(-1) ?? ways[0];
    return used ?? expect.fail('there is no host');
  };
  await expect.poll(() => playsOn(node, film)).toBe(3);

  const first = inUse();
  first.hang();
  const hungAt = performance.now();
  const seen: unknown[] = [];
  await waitUntil('an answer', async () => {
    seen.push(await playsOn(node, film));
    return seen.at(-1) === 3;
  });
  expect(performance.now() - hungAt).toBeLessThan(shortestHangMs);
  for (const one of new Set(seen)) expect([3, unavailable]).toContain(one);
  // One that is slow for a moment is left as well, so that the next may be asked in between.
  await expect.poll(inUse).not.toBe(first);

  // One that is back is used when the others fail.
  const others = ways.filter((way) => way !== first);
  await first.comeBack();
  for (const other of others) other.hang();
  await waitUntil('an answer', async () => (await playsOn(node, film)) === 3);
  await expect.poll(inUse).toBe(first);

  // One that takes no connection is left at once: nobody is refused.
  for (const other of others) await other.comeBack();
  await waitUntil('an answer', async () => (await playsOn(node, film)) === 3);
  const last = inUse();
  await last.leave();
  const answers: unknown[] = [];
  for (let asked = 0; asked < 5; asked += 1) answers.push(await playsOn(node, film));
  expect(answers).toEqual([3, 3, 3, 3, 3]);
  await waitUntil('another host', () => inUse() !== last);
});

test.each([
  ['of a slow insert by a clock ten seconds behind', -20],
  ['by a clock ten seconds ahead', 10],
])('notes %s are summed all the same', async (_, seconds) => {
  const film = await publish();
  await watch(film);
  await expect.poll(() => onEveryNode(film)).toEqual([1, 1, 1]);
  const database = cluster.nodes[0]?.config.CLICKHOUSE_DATABASE ?? '';
  await withServer(0, database, async (server) => {
    const settings = 'SETTINGS distributed_foreground_insert = 1';
    // As a server with such a clock writes them: another view, and its note.
    await run(
      server,
      `INSERT INTO stretch (accountId, slot, packageId, videoId, view, plays, playMs) ${settings}
        SELECT accountId, slot, packageId, videoId, generateUUIDv4(), 1, 1000 FROM stretch
        WHERE accountId = ${account.accountId} AND packageId = ${film.packageId} LIMIT 1`,
    );
    await run(
      server,
      `INSERT INTO touched (arrival, accountId, slot, batch) ${settings}
        SELECT now64(3) + toIntervalSecond(${seconds}), ${account.accountId},
          toDateTime('${day} 03:00:00', 'UTC'), ${100 + seconds}`,
    );
  });
  await expect.poll(() => onEveryNode(film)).toEqual([2, 2, 2]);
});

test('each node measures at its start how far the clocks of the servers are apart', () => {
  expect(skewsAtStart).toHaveLength(cluster.nodes.length);
  for (const seconds of skewsAtStart) {
    expect(seconds).toBeGreaterThanOrEqual(0);
    expect(seconds).toBeLessThan(1);
  }
});

test('each server tells the time by its own clock', async () => {
  const frozen = processOf(1);
  // The time of asking counts as a difference, which else is subtracted.
  const clock = { ...systemClock, monotonic: () => 0 };
  await withServer(0, 'system', async (store) => {
    const measure = () => measureSkew({ cluster: cluster.shards.access.cluster, store, clock });
    await waitUntil('a server that is asked to be late', async () => {
      process.kill(frozen, 'SIGSTOP');
      // Away for longer, it would not be connected to.
      setTimeout(() => process.kill(frozen, 'SIGCONT'), 300);
      return (await measure().catch(() => 0)) > 100;
    });
  });
});

test('nodes that divide the work between them work on shards as well', async () => {
  const film = await publish();
  const { CLICKHOUSE_DATABASE: database = '' } = cluster.nodes[0]?.config ?? {};
  const environment = { ...sharedSettings(), ...cluster.shards.environment(database) };
  const start = (role: 'collect' | 'report' | 'roll-up') =>
    startTestService({
      environment,
      ...{ role, hostPatience: usualHostPatience, log: logger, waitsForStores: false },
    });
  const [collecting, reporting, rolling] = await Promise.all([
    start('collect'),
    start('report'),
    start('roll-up'),
  ]);
  onTestFinished(async () => {
    await Promise.all([collecting, reporting, rolling].map((node) => node.stop()));
  });
  for (let count = 0; count < 3; count += 1) await watch(film, collecting);
  await expect.poll(() => playsOn(reporting, film)).toBe(3);
});

test('what was erased at one node is gone from all, whatever befell the shards meanwhile', async () => {
  await expect.poll(curvesOnEach).toEqual(onEach(curvesOfRest));
  await sendErased();
  await Promise.all(cluster.nodes.map(({ facts }) => facts.rollUp()));
  expect(await curvesOnEach()).toEqual(onEach(curvesOfRest));
});
