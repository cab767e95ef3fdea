/** v1 as presets: what is asked for, and how rows are shown. */
import { expect, test } from 'vitest';
import type { Query } from './parse/query.ts';
import { presentStatistic, readStatistic } from './statistic-preset.ts';

const asker = { accountId: 7, timeZone: 'Asia/Seoul' };
const request = { sdate: '2026-05-01', edate: '2026-05-07' };
const query: Query = {
  ...{ accountId: 7, firstDay: '2026-05-01', lastDay: '2026-05-07', timeZone: 'Asia/Seoul' },
  ...{ measures: ['plays', 'playMs'], dimensions: ['date'], filters: [], labels: new Map() },
  ...{ given: {}, sort: [{ name: 'date', isDescending: true }] },
  ...{ compare: undefined, fillZero: false, pageSize: 30 },
};

test("a question takes the account's zone, and no filter, where none is given", () => {
  expect(readStatistic('date', request, asker)).toEqual(query);
});

test('a question takes what the request gives', () => {
  const given = {
    ...{ ...request, timeZone: 'us/eastern', packageId: '3', accessKey: 'a,film', fill: 'zero' },
    ...{ pageSize: '7', os: 'iOS', date: '2026-05-04' },
  };
  expect(readStatistic('date', given, asker)).toEqual({
    ...{ ...query, timeZone: 'America/New_York', fillZero: true, pageSize: 7 },
    filters: [
      { dimension: 'package', operator: '==', values: ['3'] },
      { dimension: 'video', operator: '==', values: ['a,film'] },
    ],
  });
});

test('hours are asked for one date, which all their rows share', () => {
  expect(readStatistic('hour', { date: '2026-05-04' }, asker)).toEqual({
    ...{ ...query, firstDay: '2026-05-04', lastDay: '2026-05-04', dimensions: ['hourOfDay'] },
    ...{ given: { date: '2026-05-04' }, sort: [{ name: 'hourOfDay', isDescending: true }] },
  });
});

test('versions are of one system, which all their rows share', () => {
  expect(readStatistic('detail', { ...request, os: 'a;b' }, asker)).toEqual({
    ...{ ...query, dimensions: ['osVersion'], given: { os: 'a;b' }, mostListed: 10_000 },
    ...{ filters: [{ dimension: 'os', operator: '==', values: ['a;b'] }] },
    sort: [{ name: 'osVersion', isDescending: true }],
  });
});

test.each([
  ['os', {}, { name: 'plays', isDescending: true, perUnit: 1 }],
  ['os', { sortData: 'os' }, { name: 'os', isDescending: true }],
  ['date', { sortDirection: 'asc' }, { name: 'date', isDescending: false }],
  [
    'detail',
    { os: 'iOS', sortData: 'duration', sortDirection: 'asc' },
    { name: 'playMs', isDescending: false, perUnit: 1_000 },
  ],
] as const)('%s with %j is ordered by %j', (name, more, sort) => {
  expect(readStatistic(name, { ...request, ...more }, asker).sort).toEqual([sort]);
});

test('numbers are texts, time is in whole seconds, and labels come after', () => {
  const row = { date: '2026-05-04', hourOfDay: '09', plays: 2, playMs: 5_999 };
  const page = { list: [row], requestId: 'a', pageSize: 30, nextToken: 'b' };
  const data = { ...page, totals: { plays: 9, playMs: 9 }, rowCount: 7 };
  expect(JSON.stringify(presentStatistic('hour', { isSuccess: true, message: '', data }))).toBe(
    '{"isSuccess":true,"message":"","data":{"list":[' +
      '{"duration":"5","videoCount":"2","date":"2026-05-04","hour":"09"}],' +
      '"requestId":"a","pageSize":"30","nextToken":"b"}}',
  );
});

const noZone = { parameter: 'timeZone', detail: 'must be the IANA name of a time zone' };
const after = { parameter: 'sdate', detail: 'must not be after edate' };

test.each([
  [
    'what is wrong by itself, together with what does not go together',
    { edate: '2026-04-30', timeZone: 'Mars/X', pageSize: '0' },
    [{ parameter: 'pageSize', detail: 'must be a whole number from 1 to 1000' }, after, noZone],
  ],
  [
    'a date that does not exist, but no range with it',
    { edate: '2026-04-31', timeZone: 'Mars/X' },
    [{ parameter: 'edate', detail: 'must be a date that exists, as yyyy-mm-dd' }, noZone],
  ],
])('%s is refused by name', (_name, change, errors) => {
  expect(() => readStatistic('date', { ...request, ...change }, asker)).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMETER', errors }),
  );
});

test('a parameter that is missing is named together with what is wrong with the others', () => {
  const given = { edate: '2026-04-30', timeZone: 'Mars/X' };
  expect(() => readStatistic('date', given, asker)).toThrow(
    expect.objectContaining({
      code: 'MISSING_PARAMETER',
      errors: [{ parameter: 'sdate', detail: 'is required' }, noZone],
    }),
  );
});
