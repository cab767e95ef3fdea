/** Both kinds of native player there are, as scripted sessions, on the real service. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Problem } from '../../src/wire/faults.ts';
import type { StatsInfo } from '../../src/wire/player-log.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const userAgent = '(SM-G991N; Android 14) App/1.2';
const startMs = Date.UTC(2026, 10, 20, 12, 5);

let clock: ManualClock;
let service: TestService;
let account: TestAccount;
let videoKey: string;
beforeAll(async () => {
  clock = manualClock(startMs);
  service = await startTestService({ clock });
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.addAccount();
  videoKey = await account.publish(await account.addPackage(), await account.addVideo());
});

type Ids = Record<'gid' | 'pid' | 'vid' | 'plid' | 'uid' | 'cs', string | number>;

async function beginSession(): Promise<Ids> {
  const response = await service.request(`/v1/player/stats/info.json?k=${videoKey}`);
  const { statsInfo } = (await response.json()) as StatsInfo;
  const { errorInfo, ...ids } = statsInfo;
  expect(errorInfo).toEqual({ errorCode: 'None', errorMessage: '' });
  return ids;
}

function send(data: unknown, headers: Record<string, string> = { 'user-agent': userAgent }) {
  const query = new URLSearchParams({ data: JSON.stringify(data) });
  return service.request(`/play/api/videoPlays?${query}`, { headers });
}

/** Sends events; each tells of a range and comes when the clock has moved on by `afterSeconds`. */
async function script(ids: Ids, events: readonly [string, number, number, number][]) {
  for (const [e, afterSeconds, dst, det] of events) {
    clock.advance(afterSeconds * 1_000);
    const response = await send({ e, ...ids, dtt: 600, dst, det });
    expect(await response.json()).toEqual({ errorInfo: { errorCode: 'None', errorMessage: '' } });
  }
}

async function counted(label: 'info/date/hour' | 'os' = 'info/date/hour') {
  await service.facts.rollUp();
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const range = label === 'os' ? `sdate=2026-11-01&edate=2026-12-31` : `date=${day}`;
  const address = `/report/statistics/video/v1/${label}?${range}&sortDirection=asc`;
  const { list } = await service.ask(address, account.key);
  return list.map((row) => ({ ...row, date: undefined }));
}

test('a player that tells every play and every resume with vs', async () => {
  const ids = await beginSession();
  await script(ids, [
    ['pl', 1, 0, 0],
    ['sr', 1, 0, 0],
    ['vs', 1, 0, 0],
    ['vi', 5, 0, 5.02],
    ['vi', 5, 5.02, 10],
    ['vp', 2, 10, 12.5],
    ['vs', 600, 12.5, 12.5],
    ['vi', 5, 12.5, 17.5],
    ['vk', 3, 17.5, 20.25],
    ['vt', 4, 300, 303.75],
  ]);
  expect(await counted()).toEqual([{ hour: '12', videoCount: '1', duration: '24' }]);
  expect(await counted('os')).toEqual([{ os: 'Android', videoCount: '1', duration: '24' }]);
});

test('a player that puts the target of a seek into det, and quotes its numbers', async () => {
  const given = await beginSession();
  const ids = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, String(value)]),
  ) as Ids;
  await script(ids, [
    ['vs', 1, 0, 0],
    ['vi', 5, 0, 5],
    ['vk', 2, 5, 240],
    ['vi', 10, 240, 250],
    ['vk', 2, 250, 30],
    ['vk', 2, 30, 36],
    ['vi', 5, 36, 41],
    ['vt', 1, 41, 42],
  ]);
  expect(await counted()).toEqual([{ hour: '12', videoCount: '1', duration: '21' }]);
});

test('events sent again, late, in any order and past the hour change nothing', async () => {
  const events: [string, number, number][] = [
    ['vs', 0, 0],
    ['vi', 0, 5],
    ['vi', 5, 10],
    ['vp', 10, 11.5],
    ['vt', 11.5, 13],
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...events, ...events, ...events], { minLength: 15 }),
      async (order) => {
        const owner = await service.addAccount();
        videoKey = await owner.publish(await owner.addPackage(), await owner.addVideo());
        account = owner;
        const ids = await beginSession();
        await script(
          ids,
          order.map(([e, dst, det]) => [e, 1, dst, det]),
        );
        const before = await counted('os');
        expect(before).toEqual([{ os: 'Android', videoCount: '1', duration: '13' }]);
        const hours = await counted();
        clock.advance(3_600_000);
        await script(
          ids,
          order.map(([e, dst, det]) => [e, 1, dst, det]),
        );
        clock.advance(-3_600_000);
        expect(await counted()).toEqual(hours);
      },
    ),
    { numRuns: 8 },
  );
});

test('an hour is the one in which was played, not the one in which the session began', async () => {
  const ids = await beginSession();
  await script(ids, [
    ['vs', 1, 0, 0],
    ['vi', 5, 0, 5],
    ['vp', 1, 5, 6],
    ['vi', 7_200, 6, 11],
  ]);
  expect(await counted()).toEqual([
    {
      hour: new Date(clock.now() - 7_200_000).toISOString().slice(11, 13),
      videoCount: '1',
      duration: '6',
    },
    { hour: new Date(clock.now()).toISOString().slice(11, 13), videoCount: '0', duration: '5' },
  ]);
});

test('where cs cannot be our clock, the play is counted when it was first heard of', async () => {
  const ids = await beginSession();
  const ofDevice = { ...ids, cs: '20380119031407' };
  await script(ofDevice, [
    ['vs', 1, 0, 0],
    ['vi', 5, 0, 5],
    ['vs', 3_600, 5, 5],
  ]);
  const hour = new Date(clock.now() - 3_600_000).toISOString().slice(11, 13);
  expect(await counted()).toEqual([{ hour, videoCount: '1', duration: '5' }]);
});

test.each([
  ['no JSON', '{', 'data'],
  ['an unknown event', { e: 'xx' }, 'e:'],
  ['no range', { e: 'vi', dst: undefined }, 'vi needs'],
  ['a session that never was', { cs: '20260230101010' }, 'cs:'],
  ['a range of days', { e: 'vi', dst: 0, det: 90_000 }, 'det:'],
  ['more than has passed', { e: 'vt', dst: 0, det: 7_200 }, 'det: more time'],
])('%s is refused, and counted as refused', async (_name, change, expected) => {
  const ids = await beginSession();
  const before = await metric('INVALID_BEACON');
  const inFuture = await metric('IN_FUTURE');
  const event =
    typeof change === 'string' ? change : { e: 'vi', ...ids, dst: 1, det: 2, ...change };
  const query = new URLSearchParams({
    data: typeof event === 'string' ? event : JSON.stringify(event),
  });
  const response = await service.request(`/play/api/videoPlays?${query}`);
  expect(response.status).toBe(400);
  const problem = (await response.json()) as Problem;
  expect(problem.code).toBe('INVALID_PARAMETER');
  expect(problem.detail).toContain(expected);
  const refused = (await metric('INVALID_BEACON')) + (await metric('IN_FUTURE'));
  expect(refused - before - inFuture).toBe(1);
});

test('numbers that do not belong together are unknown, and so is a retired video', async () => {
  const ids = await beginSession();
  const other = await service.addAccount();
  for (const change of [{ gid: other.accountId }, { pid: 999_999 }, { vid: 999_999 }]) {
    const response = await send({ e: 'vs', ...ids, ...change });
    expect(response.status).toBe(404);
  }
  const unknown = await service.request('/v1/player/stats/info.json?k=nobody');
  expect(unknown.status).toBe(404);
  expect((await service.request('/v1/player/stats/info.json')).status).toBe(400);
});

test('a bot is told that it is not counted', async () => {
  const ids = await beginSession();
  const agent = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
  const response = await send({ e: 'vs', ...ids }, { 'user-agent': agent });
  expect(await response.json()).toMatchObject({ errorInfo: { errorCode: 'BOT' } });
  expect(await counted('os')).toEqual([]);
});

test('every event received is counted or refused', async () => {
  const text = await (await service.request('/metrics')).text();
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'gm'))]
      .map(([, value]) => Number(value))
      .reduce((total, value) => total + value, 0);
  expect(sum('playmeter_beacons_received_total')).toBe(
    sum('playmeter_beacons_counted_total') + sum('playmeter_beacons_refused_total'),
  );
});

async function metric(reason: string): Promise<number> {
  const text = await (await service.request('/metrics')).text();
  const line = new RegExp(`^playmeter_beacons_refused_total\\{reason="${reason}"\\} (\\d+)$`, 'm');
  return Number(line.exec(text)?.[1] ?? 0);
}
