/** Further pages of an answer: whose they are, how long they live, and what they show. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/time/clock.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const route = '/report/statistics/video/v1/info/date';
const hourPath = `${route}/hour`;
const days = 7;
const lifetimeSeconds = 3_600;
let aheadMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };

let service: TestService;
let account: TestAccount;
let stranger: TestAccount;
beforeAll(async () => {
  service = await startTestService({ clock });
  account = await service.addAccount();
  stranger = await service.addAccount();
  const packageId = await account.addPackage();
  const accessKey = await account.addVideo();
  await account.publish(packageId, accessKey);
  const beacons = Array.from({ length: days }, (_, day) => ({
    view: `view-${day}`,
    stretch: 0,
    at: new Date(Date.UTC(2026, 4, 1 + day, 12)).toISOString(),
    playMs: (day + 1) * 1_000,
    accessKey,
    packageId,
  }));
  await service.send(beacons, { 'x-api-key': account.key });
  await service.facts.rollUp();
});
afterAll(() => service.stop());

const firstPage = (pageSize = 2) =>
  service.ask(`${route}?sdate=2026-05-01&edate=2026-05-07&pageSize=${pageSize}`, account.key);

function nextPage(
  page: { requestId: string; nextToken: string },
  { key = account.key, path = route, more = '' } = {},
): Promise<Response> {
  const { requestId, nextToken } = page;
  return service.get(`${path}?requestId=${requestId}&nextToken=${nextToken}${more}`, key);
}

async function datesOf(response: Response): Promise<string[]> {
  const { data } = (await response.json()) as { data: { list: { date: string }[] } };
  return data.list.map(({ date }) => date.slice(-2));
}

test('pages of changing sizes hold every row once, in order; the last has no token', async () => {
  const first = await firstPage(2);
  expect(first.list.map(({ date }) => date?.slice(-2))).toEqual(['07', '06']);
  const second = await nextPage(first, { more: '&pageSize=3' });
  const { data } = (await second.json()) as { data: typeof first };
  expect(data.list.map(({ date }) => date?.slice(-2))).toEqual(['05', '04', '03']);
  expect(data).toMatchObject({ requestId: first.requestId, pageSize: '3' });
  const last = await nextPage(data);
  const body = (await last.json()) as { data: typeof first };
  expect(body.data.list.map(({ date }) => date?.slice(-2))).toEqual(['02', '01']);
  expect(body.data).toMatchObject({ nextToken: '', pageSize: '30' });
});

test('a token gives the same page again, also encoded once more or with the first parameters', async () => {
  const first = await firstPage();
  const { requestId, nextToken } = first;
  expect(encodeURIComponent(nextToken)).toBe(nextToken);
  const twice = encodeURIComponent(encodeURIComponent(nextToken));
  const ignored = '&sdate=2020-01-01&edate=nonsense&sortData=nothing&packageId=-1';
  const pages = await Promise.all([
    nextPage(first, { more: '&pageSize=2' }),
    nextPage(first, { more: '&pageSize=2' }),
    nextPage({ requestId, nextToken: twice }, { more: '&pageSize=2' }),
    nextPage(first, { more: `&pageSize=2${ignored}` }),
  ]);
  const bodies = await Promise.all(
    pages.map(async (page) => ((await page.json()) as { data: { list: unknown } }).data.list),
  );
  expect(bodies.slice(1)).toEqual([bodies[0], bodies[0], bodies[0]]);
});

test('all pages say the same of the moment that they show', async () => {
  const first = await service.get(
    `${route}?sdate=2026-05-01&edate=2026-05-07&pageSize=2`,
    account.key,
  );
  const { data } = (await first.json()) as { data: { requestId: string; nextToken: string } };
  const second = await nextPage(data);
  for (const header of ['as-of', 'complete-through']) {
    expect(second.headers.get(header)).toBe(first.headers.get(header));
    expect(first.headers.get(header)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
});

test('a token is of its account, its URL and its request only, and cannot be altered', async () => {
  const first = await firstPage();
  const other = await firstPage();
  const { requestId, nextToken } = first;
  const flipped = nextToken.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  const answers = await Promise.all([
    nextPage(first, { key: stranger.key }),
    nextPage(first, { path: hourPath }),
    nextPage({ requestId: other.requestId, nextToken }),
    nextPage({ requestId, nextToken: flipped }),
    nextPage({ requestId, nextToken: `${nextToken}AAAA` }),
    nextPage({ requestId, nextToken: nextToken.slice(4) }),
    nextPage({ requestId, nextToken: 'x' }),
  ]);
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
  // Byte for byte the same, whatever it was that did not fit.
  expect(new Set(bodies).size).toBe(1);
  expect(bodies[0]).toContain('"TOKEN_INVALID"');
});

test.each([
  ['requestId', 'nextToken=abc'],
  ['nextToken', 'requestId=abc'],
])('without %s a continuation is refused by name', async (parameter, query) => {
  const response = await service.get(`${route}?${query}`, account.key);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: 'MISSING_PARAMETER',
    errors: [{ parameter }],
  });
});

test('a token lives for its time, then it has expired; a purge changes nothing of that', async () => {
  const first = await firstPage();
  try {
    aheadMs = (lifetimeSeconds - 5) * 1_000;
    expect(await datesOf(await nextPage(first))).toEqual(['05', '04', '03', '02', '01']);
    aheadMs = (lifetimeSeconds + 5) * 1_000;
    for (const purge of [false, true]) {
      if (purge) await service.catalog.snapshots.purge();
      const response = await nextPage(first);
      expect(response.status).toBe(410);
      expect(await response.json()).toMatchObject({ code: 'TOKEN_EXPIRED' });
    }
  } finally {
    aheadMs = 0;
  }
});
