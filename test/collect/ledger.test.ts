/** Every beacon is accounted for: received = counted + refused, by account and day. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { suspectReasons } from '../../src/vocabulary/suspects.ts';
import { refusalReasons } from '../../src/wire/beacons/beacon.ts';
import { noonClock } from '../support/noon-clock.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const none = Object.fromEntries(Object.keys(refusalReasons).map((reason) => [reason, 0]));
const noneApart = Object.fromEntries(Object.keys(suspectReasons).map((reason) => [reason, 0]));
const dayMs = 86_400_000;
let aheadMs = 0;
const today = noonClock();
const clock = { ...today, now: () => today.now() + aheadMs };

let service: TestService;
let account: TestAccount;
let videoKey: string;
let about: { packageId: number; accessKey: string };
beforeAll(async () => {
  service = await startTestService({ clock });
});
afterAll(() => service.stop());
beforeEach(async () => {
  aheadMs = 0;
  account = await service.addAccount();
  about = { packageId: await account.addPackage(), accessKey: await account.addVideo() };
  videoKey = await account.publish(about.packageId, about.accessKey);
});

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

function beacon(fields: object = {}) {
  const at = new Date(clock.now() - 60_000).toISOString();
  return { view: 'v', stretch: 0, at, playMs: 1_000, ...fields };
}

interface Day {
  readonly date: string;
  readonly received: number;
  readonly counted: number;
  readonly refused: Readonly<Record<string, number>>;
}

async function ledgerOf({ key }: TestAccount, from = service): Promise<Day[]> {
  const range = `sdate=${dayOf(clock.now() - dayMs)}&edate=${dayOf(clock.now())}`;
  const response = await fetch(`${from.url}/manage/v1/ledger?${range}`, {
    headers: { 'x-api-key': key },
  });
  return ((await response.json()) as { list: Day[] }).list;
}

test('beacons with and without a key, counted and refused', async () => {
  await service.send([
    beacon({ videoKey }),
    beacon({ videoKey }),
    beacon({ videoKey, at: '2020-01-01T00:00:00Z' }),
    beacon({ videoKey, at: new Date(clock.now() + 3_600_000).toISOString() }),
    // These belong to no account.
    beacon({ videoKey: 'unknown' }),
    { videoKey },
  ]);
  await service.send([beacon({ videoKey })], { 'user-agent': bot });
  const forwarded = [beacon(about), beacon({ videoKey: 'unknown' }), {}];
  await service.send(forwarded, { 'x-api-key': account.key });
  const refused = { TOO_OLD: 1, IN_FUTURE: 1, BOT: 1, UNKNOWN_VIDEO: 1, INVALID_BEACON: 1 };
  expect(await ledgerOf(account)).toEqual([
    {
      ...{ date: dayOf(clock.now()), received: 8, counted: 3, setApart: noneApart },
      refused: { ...none, ...refused },
      unavailable: 0,
      labelsLeftOut: 0,
      erased: 0,
      limitedRequests: { A_MINUTE: 0, AT_ONCE: 0, ENGINE_TIME: 0 },
      fullDimensions: [],
    },
  ]);
});

test('events of the other forms', async () => {
  await service.request(`/collect/v1/cmcd/${videoKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/cmcd' },
    body: `e=ps,sid="x",sn=0,sta=p,ts=${clock.now()},v=2\nnonsense`,
  });
  const info = await service.request(`/v1/player/stats/info.json?k=${videoKey}`);
  const { statsInfo } = (await info.json()) as { statsInfo: object };
  const query = new URLSearchParams({ data: JSON.stringify({ e: 'vs', ...statsInfo }) });
  await service.request(`/play/api/videoPlays?${query}`);
  await service.request(`/play/api/videoPlays?${query}`, { headers: { 'user-agent': bot } });
  expect(await ledgerOf(account)).toMatchObject([
    { received: 4, counted: 2, refused: { ...none, BOT: 1, INVALID_BEACON: 1 } },
  ]);
});

test('an account sees that its keys asked too much, beside the beacons', async () => {
  const strict = await startTestService({ clock, environment: { RATE_LIMIT_PER_MINUTE: '2' } });
  const { key } = await strict.addAccount();
  const day = dayOf(clock.now());
  const path = `/report/statistics/video/v1/os?sdate=${day}&edate=${day}`;
  const answers: Response[] = [];
  for (const _ of '12345') answers.push(await strict.get(path, key));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 429, 429]);
  expect(await answers.at(-1)?.json()).toMatchObject({
    detail: 'This key may send 2 requests a minute',
  });
  const ledger = await strict.get(`/manage/v1/ledger?sdate=${day}&edate=${day}`, key);
  expect(await ledger.json()).toMatchObject({
    list: [
      { date: day, received: 0, limitedRequests: { A_MINUTE: 3, AT_ONCE: 0, ENGINE_TIME: 0 } },
    ],
  });
  await strict.stop();
});

test('days are counted separately, even those that begin while it runs', async () => {
  await service.send([beacon({ videoKey })]);
  aheadMs = 86_400_000;
  await service.send([beacon({ videoKey }), beacon({ videoKey })]);
  const days = await ledgerOf(account);
  expect(days.map(({ received }) => received)).toEqual([1, 2]);
  expect(days.map(({ date }) => date)).toEqual([dayOf(clock.now() - dayMs), dayOf(clock.now())]);
});

test('a stranger sees only what is their own', async () => {
  await service.send([beacon({ videoKey })]);
  const stranger = await service.addAccount();
  expect(await ledgerOf(stranger)).toEqual([]);
  expect(await ledgerOf(account)).toHaveLength(1);
});

test.each([
  ['', ['sdate', 'edate']],
  ['sdate=2026-02-30&edate=2026-03-01', ['sdate']],
  ['sdate=2026-03-02&edate=2026-03-01', ['sdate']],
  ['sdate=2010-03-01&edate=2026-03-01', ['edate']],
])('?%s names %s', async (query, names) => {
  const response = await service.get(`/manage/v1/ledger?${query}`, account.key);
  expect(response.status).toBe(400);
  const { errors } = (await response.json()) as { errors: { parameter: string }[] };
  expect(errors.map(({ parameter }) => parameter)).toEqual(names);
});

test('a clock that is set into the next day and back loses nothing', async () => {
  const counted = async () => {
    const response = await service.get(
      `/manage/v1/ledger?sdate=${dayOf(today.now())}&edate=${dayOf(today.now() + dayMs)}`,
      account.key,
    );
    const { list } = (await response.json()) as { list: Day[] };
    return list.reduce((sum, day) => sum + day.counted, 0);
  };
  await service.send([beacon({ videoKey }), beacon({ videoKey })]);
  expect(await counted()).toBe(2);
  aheadMs = dayMs;
  await service.send([beacon({ videoKey, view: 'of the next day' })]);
  expect(await counted()).toBe(3);
  aheadMs = 0;
  await service.send([beacon({ videoKey })]);
  expect(await counted()).toBe(4);
});
