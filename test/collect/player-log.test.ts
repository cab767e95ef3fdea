/** Both kinds of native player, as scripted sessions, on the real service. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ErrorInfo, StatsInfo } from '../../src/wire/beacons/player-log.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const userAgent = '(SM-G991N; Android 14) App/1.2';
const startMs = Date.UTC(2026, 10, 20, 12, 5);

let clock: ManualClock;
let service: TestService;
let account: TestAccount;
let videoKey: string;
let published: Published;
interface Published {
  readonly packageId: number;
  readonly accessKey: string;
}
beforeAll(async () => {
  clock = manualClock(startMs);
  service = await startTestService({ clock: clock.readings });
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await service.addAccount();
  const [packageId, accessKey] = [await account.addPackage(), await account.addVideo()];
  published = { packageId, accessKey };
  videoKey = await account.publish(packageId, accessKey);
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

/** Sends events; each reports a range and arrives when the clock has moved on by `afterSeconds`. */
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
  const route = `/report/statistics/video/v1/${label}?${range}&sortDirection=asc`;
  const { list } = await service.ask(route, account.key);
  return list.map((row) => ({ ...row, date: undefined }));
}

test('a player that sends vs at every play and every resume', async () => {
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

test('copies that come at once, in any order, change nothing', async () => {
  const events: [string, number, number][] = [
    ['vs', 0, 0],
    ['vi', 0, 5],
    ['vi', 5, 10],
    ['vp', 10, 12.5],
    ['vt', 12.5, 15],
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...events, ...events, ...events], { minLength: 15 }),
      async (order) => {
        const owner = await service.addAccount();
        videoKey = await owner.publish(await owner.addPackage(), await owner.addVideo());
        account = owner;
        const ids = await beginSession();
        clock.advance(60_000);
        await script(
          ids,
          order.map(([e, dst, det]) => [e, 0.05, dst, det]),
        );
        expect(await counted('os')).toEqual([{ os: 'Android', videoCount: '1', duration: '15' }]);
      },
    ),
    { numRuns: 1 },
  );
});

test('more than has passed is answered 200, and refused by its reason', async () => {
  const ids = await beginSession();
  const before = await metric('IN_FUTURE');
  const response = await send({ ...ids, e: 'vt', dst: 0, det: 7_200 });
  expect(response.status).toBe(200);
  const errorMessage = expect.stringContaining('det: more time');
  expect(await response.json()).toEqual({ errorInfo: { errorCode: 'IN_FUTURE', errorMessage } });
  expect((await metric('IN_FUTURE')) - before).toBe(1);
  expect(await counted('os')).toEqual([]);
});

test.each([
  ['no data', '', 'data: is required'],
  ['empty data', '?data=', 'data: '],
  ['data twice', '?data=%7B%7D&data=%7B%7D', 'data: must be given once'],
  ['no end of data', `?data=${'x'.repeat(4_097)}`, 'data: '],
  ['half a character', '?data=%', 'data: '],
])('%s: a player gets 200 all the same, and learns why', async (_name, query, expected) => {
  const before = await metric('INVALID_BEACON');
  const response = await service.request(`/play/api/videoPlays${query}`);
  expect(response.status).toBe(200);
  const { errorInfo } = (await response.json()) as { errorInfo: ErrorInfo };
  expect(errorInfo).toEqual({
    errorCode: 'INVALID_BEACON',
    errorMessage: expect.stringContaining(expected),
  });
  expect((await metric('INVALID_BEACON')) - before).toBe(1);
  for (const path of ['videoSections', 'videoCuePoints']) {
    const ignored = await service.request(`/video/api/${path}${query}`);
    expect(ignored.status).toBe(200);
    expect(await ignored.json()).toEqual({ errorInfo: { errorCode: 'None', errorMessage: '' } });
  }
});

test('an event that is too long is in the ledger of its account', async () => {
  const ids = await beginSession();
  const response = await send({ e: 'vs', ...ids, dtt: 'x'.repeat(4_096) });
  expect(response.status).toBe(200);
  const expected = { errorCode: 'INVALID_BEACON', errorMessage: expect.stringContaining('4096') };
  expect(await response.json()).toEqual({ errorInfo: expected });
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const ledger = await service.get(`/manage/v1/ledger?sdate=${day}&edate=${day}`, account.key);
  expect(await ledger.json()).toMatchObject({
    list: [{ received: 1, counted: 0, refused: { INVALID_BEACON: 1 } }],
  });
});

test('a key that nobody has is a mistake of whoever asks', async () => {
  expect((await service.request('/v1/player/stats/info.json')).status).toBe(400);
  for (const path of ['/v1/player/stats/info.json', '/v1/new/player/video.json']) {
    expect((await service.request(`${path}?k=nobody`)).status).toBe(404);
  }
});

test('a retired video and an unknown event are in the ledger of their account', async () => {
  const ids = await beginSession();
  await send({ e: 'xx', ...ids });
  const { packageId, accessKey } = published;
  const name = { accountId: account.accountId, packageId, accessKey };
  await service.catalog.publications.retire(name);
  const response = await send({ e: 'vs', ...ids });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ errorInfo: { errorCode: 'RETIRED_VIDEO' } });
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const ledger = await service.get(`/manage/v1/ledger?sdate=${day}&edate=${day}`, account.key);
  expect(await ledger.json()).toMatchObject({
    list: [{ received: 2, counted: 0, refused: { UNKNOWN_EVENT: 1, RETIRED_VIDEO: 1 } }],
  });
});

test('the first question of a native sample is answered', async () => {
  const { vid, gid } = await beginSession();
  const detail = await service.request(`/v1/new/player/video.json?k=${videoKey}`);
  expect(await detail.json()).toEqual({
    VideoDetail: {
      videoUrl: `${service.url}/content/${videoKey}`,
      videoInfo: { id: vid, opt: 'NONE' },
      PlayerType: { gid },
      CuePointList: [],
      errorInfo: { errorCode: 'None', errorMessage: '' },
    },
  });
});

test('HEAD reports nothing', async () => {
  const ids = await beginSession();
  const query = new URLSearchParams({ data: JSON.stringify({ e: 'vs', ...ids }) });
  const response = await service.request(`/play/api/videoPlays?${query}`, { method: 'HEAD' });
  expect(response.status).toBe(200);
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
