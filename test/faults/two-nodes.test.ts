/** Two nodes on one PostgreSQL and one ClickHouse: one service to its clients. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/time/clock.ts';
import { nodeEnvironment } from '../support/node-environment.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

let postgres: Postgres;
let one: TestService;
let other: TestService;
let account: TestAccount;
/** By how much time has passed for the other node that nobody waited for. */
let othersAheadMs = 0;
const othersClock = { monotonic: () => systemClock.monotonic() + othersAheadMs };
beforeAll(async () => {
  postgres = await startPostgres();
  const environment = { ...(await nodeEnvironment(postgres)), USUAL_VIEWS_BY_ADDRESS: '1' };
  // Both at once: each brings the tables up to date, or waits for the other to.
  [one, other] = await Promise.all([
    startTestService({ environment }),
    startTestService({ environment, clock: othersClock }),
  ]);
  account = await one.addAccount('Asia/Seoul');
});
afterAll(async () => {
  await Promise.all([one?.stop(), other?.stop()]);
  await postgres?.stop();
});

const pairs = () =>
  [
    [one, other],
    [other, one],
  ] as const;

const days = 8;
const route = '/report/statistics/video/v1/info/date';

test('beacons to either or both, pages from either', async () => {
  const packageId = await account.addPackage();
  const accessKey = await account.addVideo();
  await account.publish(packageId, accessKey);
  const beacons = Array.from({ length: days }, (_, day) => ({
    view: `view-${day}`,
    stretch: 0,
    at: new Date(Date.UTC(2026, 4, 1 + day, 3)).toISOString(),
    playMs: 5_000,
    accessKey,
    packageId,
  }));
  const headers = { 'x-api-key': account.key };
  const sent = await Promise.all([
    one.send(beacons.slice(0, 6), headers),
    other.send(beacons.slice(3), headers),
  ]);
  expect(sent.map(({ status }) => status)).toEqual([200, 200]);
  const acknowledgedAt = Date.now();

  for (const [first, second] of pairs()) {
    await waitUntil('an answer complete through it', async () => {
      const answer = await first.get(`${route}?sdate=2026-05-01&edate=2026-05-08`, account.key);
      return Date.parse(answer.headers.get('complete-through') ?? '') > acknowledgedAt;
    });
    const page = await first.ask(
      `${route}?sdate=2026-05-01&edate=2026-05-08&pageSize=5&sortDirection=asc`,
      account.key,
    );
    const { requestId, nextToken } = page;
    const rest = await second.ask(
      `${route}?requestId=${requestId}&nextToken=${nextToken}&pageSize=5`,
      account.key,
    );
    const rows = [...page.list, ...rest.list];
    expect(rows.map(({ date }) => date)).toEqual(
      Array.from({ length: days }, (_, day) => `2026-05-0${day + 1}`),
    );
    for (const row of rows) expect(row).toMatchObject({ duration: '5', videoCount: '1' });
  }
});

test('a key revoked on one node is refused by the other within a second', async () => {
  const made = await one.manage(account.key, 'POST', '/keys', { scopes: ['stats:read'] });
  const { keyId, key: secret } = made.body;
  const question = `${route}?sdate=2026-05-01&edate=2026-05-08`;
  const statusOn = async (node: TestService) => (await node.get(question, secret)).status;
  expect([await statusOn(one), await statusOn(other)]).toEqual([200, 200]);
  expect((await one.manage(account.key, 'DELETE', `/keys/${keyId}`)).status).toBe(204);
  expect(await statusOn(one)).toBe(401);
  othersAheadMs += 1_000;
  expect(await statusOn(other)).toBe(401);
});

test('a node promises what its own roll-up saw, and not what another has summed', async () => {
  const environment = await nodeEnvironment(postgres);
  // They sum when asked.
  const pace = { everyMs: 2 ** 30, daysEveryMs: 0 };
  const start = () => startTestService({ environment, pace });
  const [first, second] = await Promise.all([start(), start()]);
  try {
    const site = await first.addAccount();
    const [packageId, accessKey] = [await site.addPackage(), await site.addVideo()];
    await site.publish(packageId, accessKey);
    const read = async (node: TestService) => {
      const answer = await node.get(`${route}?sdate=2026-05-01&edate=2026-05-01`, site.key);
      const { data } = (await answer.json()) as { data: { list: { videoCount: string }[] } };
      const plays = data.list.reduce((sum, { videoCount }) => sum + Number(videoCount), 0);
      return { plays, through: Date.parse(answer.headers.get('complete-through') ?? '') };
    };
    const beacon = { stretch: 0, at: '2026-05-01T03:00:00Z', playMs: 1_000, accessKey, packageId };
    const rounds = [
      [first, second, first],
      [first, first, second],
      [second, first, second],
    ] as const;
    for (const [index, [taking, summing, lagging]] of rounds.entries()) {
      const view = `view-${index}`;
      const headers = { 'x-api-key': site.key };
      expect((await taking.send([{ ...beacon, view }], headers)).status).toBe(200);
      const acknowledgedAt = Date.now();
      await waitUntil('the clock to go on', () => Date.now() > acknowledgedAt);
      await summing.facts.rollUp();
      const whole = await read(summing);
      expect(whole.plays).toBe(index + 1);
      expect(whole.through).toBeGreaterThan(acknowledgedAt);
      expect((await read(lagging)).through).toBeLessThan(acknowledgedAt);
    }
  } finally {
    await Promise.all([first.stop(), second.stop()]);
  }
});

test('what one node sets apart is decided on the other, and both count the same', async () => {
  const accessKey = await account.addVideo();
  const videoKey = await account.publish(await account.addPackage(), accessKey);
  const days = `sdate=${dayBeside(-1)}&edate=${dayBeside(1)}`;
  const question = `${route}?${days}&accessKey=${accessKey}`;
  const beacons = Array.from({ length: 20 }, (_, number) => ({
    ...{ view: `strange-${number}`, stretch: 0, at: new Date().toISOString(), playMs: 1_000 },
    videoKey,
  }));
  // Each node counts its own limits: three new views at once.
  const sent = await Promise.all([one.send(beacons), other.send(beacons)]);
  expect(sent.map(({ status }) => status)).toEqual([200, 200]);
  const playsOn = async (node: TestService) =>
    (await node.ask(question, account.key)).list.reduce(
      (sum, { videoCount }) => sum + Number(videoCount),
      0,
    );
  const nodes = [one, other];
  const expectPlays = (plays: number) =>
    expect.poll(() => Promise.all(nodes.map(playsOn))).toEqual([plays, plays]);
  await expectPlays(3);

  const listed = await other.get(`/manage/v1/suspects?${days}`, account.key);
  const { list } = (await listed.json()) as { list: { suspect: string }[] };
  expect(list.length).toBeGreaterThan(0);
  const decide = async (node: TestService, verdict: string) => {
    for (const { suspect } of list) {
      const answer = await node.request(`/manage/v1/suspects/${suspect}`, {
        method: 'PUT',
        headers: { 'x-api-key': account.key, 'content-type': 'application/json' },
        body: JSON.stringify({ verdict }),
      });
      expect(answer.status).toBe(200);
    }
  };
  for (const [node, verdict, plays] of [
    [other, 'accepted', 20],
    [one, 'refused', 3],
    [one, 'accepted', 20],
  ] as const) {
    await decide(node, verdict);
    // The node that decided counts it when it answers, the other one when it sums next.
    expect(await playsOn(node)).toBe(plays);
    await expectPlays(plays);
  }
  // What comes later follows the verdict, on either node.
  const grown = beacons.map((beacon) => ({ ...beacon, playMs: 2_000 }));
  await Promise.all([one.send(grown.slice(0, 10)), other.send(grown.slice(10))]);
  const secondsOn = async (node: TestService) =>
    (await node.ask(question, account.key)).list.reduce(
      (sum, { duration }) => sum + Number(duration),
      0,
    );
  await expect.poll(() => Promise.all(nodes.map(secondsOn))).toEqual([40, 40]);
});

/** In UTC, so many days from today. */
function dayBeside(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
