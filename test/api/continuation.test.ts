/** Further pages of an answer. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addFilm,
  startTestService,
  type TestAccount,
  type TestService,
} from '../support/service.ts';

const route = '/report/statistics/video/v1/info/date';
const days = 7;

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService();
  account = await service.addAccount();
  const { packageId, accessKey } = await addFilm(account);
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

function nextPage(page: { requestId: string; nextToken: string }, more = ''): Promise<Response> {
  const { requestId, nextToken } = page;
  return service.get(`${route}?requestId=${requestId}&nextToken=${nextToken}${more}`, account.key);
}

test('pages of changing sizes hold every row once, in order; the last has no token', async () => {
  const first = await firstPage(2);
  expect(first.list.map(({ date }) => date?.slice(-2))).toEqual(['07', '06']);
  const second = await nextPage(first, '&pageSize=3');
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
    nextPage(first, '&pageSize=2'),
    nextPage(first, '&pageSize=2'),
    nextPage({ requestId, nextToken: twice }, '&pageSize=2'),
    nextPage(first, `&pageSize=2${ignored}`),
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
