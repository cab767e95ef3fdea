/** Every parameter of the statistics: allowed values, defaults, and errors that name it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Problem } from '../../src/vocabulary/faults.ts';
import {
  addFilm,
  startTestService,
  type TestAccount,
  type TestService,
} from '../support/service.ts';

let service: TestService;
let account: TestAccount;
beforeAll(async () => {
  service = await startTestService();
  account = await service.addAccount('Asia/Seoul');
  const { packageId, accessKey } = await addFilm(account);
  const about = { accessKey, packageId, stretch: 0, playMs: 61_999 };
  await service.send(
    [
      {
        view: 'a',
        at: '2026-05-04T10:00:00Z',
        platform: 'Windows',
        platformVersion: '15',
        ...about,
      },
      {
        view: 'b',
        at: '2026-05-05T11:00:00Z',
        userAgent: '(SM-G991N; Android 14) App/1',
        ...about,
      },
      { view: 'c', at: '2026-05-05T12:00:00Z', userAgent: '(SM-G950N; Android 9) App/1', ...about },
    ],
    { 'x-api-key': account.key },
  );
  await service.facts.rollUp();
});
afterAll(() => service.stop());

const base = '/report/statistics/video/v1';
const range = 'sdate=2026-05-01&edate=2026-05-31';

test.each([
  [
    `${base}/info/date?${range}`,
    [
      { duration: '123', videoCount: '2', date: '2026-05-05' },
      { duration: '61', videoCount: '1', date: '2026-05-04' },
    ],
  ],
  [
    `${base}/info/date/hour?date=2026-05-05`,
    [
      { duration: '61', videoCount: '1', date: '2026-05-05', hour: '21' },
      { duration: '61', videoCount: '1', date: '2026-05-05', hour: '20' },
    ],
  ],
  [
    `${base}/os?${range}`,
    [
      { duration: '123', videoCount: '2', os: 'Android' },
      { duration: '61', videoCount: '1', os: 'Windows' },
    ],
  ],
  [
    `${base}/os/detail?${range}&os=Android`,
    [
      { duration: '61', videoCount: '1', os: 'Android', detail: '14' },
      { duration: '61', videoCount: '1', os: 'Android', detail: '9' },
    ],
  ],
])('the envelope of %s, to the letter', async (path, list) => {
  const response = await service.get(path, account.key);
  const text = await response.text();
  const requestId = /"requestId":"([0-9a-f-]{36})"/.exec(text)?.[1];
  expect(text).toBe(
    JSON.stringify({
      isSuccess: true,
      message: '',
      data: { list, requestId, pageSize: '30', nextToken: '' },
    }),
  );
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

const defaults = [
  [`${base}/info/date?${range}`, 'sortData=date&sortDirection=desc&pageSize=30'],
  [`${base}/info/date/hour?date=2026-05-05`, 'sortData=hour&sortDirection=desc&pageSize=30'],
  [`${base}/os?${range}`, 'sortData=videoCount&sortDirection=desc&pageSize=30'],
  [`${base}/os/detail?${range}&os=Android`, 'sortData=detail&sortDirection=desc&pageSize=30'],
] as const;

test.each(defaults)('%s has the defaults %s', async (path, written) => {
  const plain = await service.ask(path, account.key);
  const explicit = await service.ask(`${path}&${written}&unknown=ignored`, account.key);
  expect(explicit.list).toEqual(plain.list);
});

test.each([
  ['date', 'asc', ['04', '05']],
  ['date', 'desc', ['05', '04']],
  ['videoCount', 'asc', ['04', '05']],
  ['videoCount', 'desc', ['05', '04']],
  ['duration', 'asc', ['04', '05']],
  ['duration', 'desc', ['05', '04']],
])('by %s, %s', async (sortData, sortDirection, days) => {
  const query = `${range}&sortData=${sortData}&sortDirection=${sortDirection}`;
  const { list } = await service.ask(`${base}/info/date?${query}`, account.key);
  expect(list.map(({ date }) => date?.slice(-2))).toEqual(days);
});

test.each(defaults)(
  '%s takes empty parameters, as forms send them, for absent ones',
  async (path) => {
    const empty = 'sortData=&sortDirection=&pageSize=&packageId=&accessKey=&timeZone=&fill=';
    const answer = await service.ask(`${path}&${empty}&requestId=&nextToken=`, account.key);
    expect(answer.list).toEqual((await service.ask(path, account.key)).list);
  },
);

test('ties are broken by the own label, ascending, in either direction', async () => {
  for (const sortDirection of ['asc', 'desc']) {
    const query = `date=2026-05-05&sortData=videoCount&sortDirection=${sortDirection}`;
    const { list } = await service.ask(`${base}/info/date/hour?${query}`, account.key);
    expect(list.map(({ hour }) => hour)).toEqual(['20', '21']);
    const details = `${range}&os=Android&sortData=duration&sortDirection=${sortDirection}`;
    const versions = await service.ask(`${base}/os/detail?${details}`, account.key);
    expect(versions.list.map(({ detail }) => detail)).toEqual(['9', '14']);
  }
});

test('another time zone for one query', async () => {
  const { list } = await service.ask(
    `${base}/info/date?${range}&timeZone=America/Los_Angeles&sortDirection=asc`,
    account.key,
  );
  expect(list.map(({ date, videoCount }) => [date, videoCount])).toEqual([
    ['2026-05-04', '1'],
    ['2026-05-05', '2'],
  ]);
  const lower = await service.ask(`${base}/info/date?${range}&timeZone=asia/seoul`, account.key);
  expect(lower.list).toHaveLength(2);
});

test('empty days are put in where asked for', async () => {
  const { list } = await service.ask(
    `${base}/info/date?${range}&fill=zero&pageSize=1000`,
    account.key,
  );
  expect(list).toHaveLength(31);
  expect(list[0]).toEqual({ duration: '0', videoCount: '0', date: '2026-05-31' });
});

test.each([
  ['sdate=2026-02-30&edate=2026-03-01', ['sdate']],
  [`${range}&pageSize=0x10`, ['pageSize']],
  [`${range}&packageId=9007199254740992`, ['packageId']],
  [`${range}&accessKey=%zz&packageId=%FF&timeZone=Asia%2`, ['packageId', 'accessKey', 'timeZone']],
  ['sdate=&edate=', ['sdate', 'edate']],
  [`${range}&requestId=a&nextToken=`, ['nextToken']],
  [`${range}&pageSize=5&pageSize=5`, ['pageSize']],
  [
    'sdate=x&edate=y&pageSize=z&packageId=a&sortData=b&fill=c',
    ['sdate', 'edate', 'packageId', 'pageSize', 'sortData', 'fill'],
  ],
])('%s is refused, naming %j', async (query, names) => {
  const response = await service.get(`${base}/info/date?${query}`, account.key);
  expect(response.status).toBe(400);
  const problem = (await response.json()) as Problem;
  expect(problem.code).toBe('INVALID_PARAMETER');
  expect(problem.errors?.map(({ parameter }) => parameter)).toEqual(names);
  expect(problem.message).toBe(problem.detail);
});

test.each([
  [`${base}/info/date`, ['sdate', 'edate']],
  [`${base}/info/date/hour`, ['date']],
  [`${base}/os`, ['sdate', 'edate']],
  [`${base}/os/detail`, ['sdate', 'edate', 'os']],
])('%s says which parameters are missing: %j', async (path, names) => {
  const response = await service.get(path, account.key);
  const problem = (await response.json()) as Problem;
  expect(problem).toMatchObject({ status: 400, code: 'MISSING_PARAMETER', isSuccess: false });
  expect(problem.errors?.map(({ parameter }) => parameter)).toEqual(names);
});

test('a range of ten years is fine', async () => {
  const { list } = await service.ask(
    `${base}/info/date?sdate=2016-06-01&edate=2026-06-01`,
    account.key,
  );
  expect(list).toHaveLength(2);
});
