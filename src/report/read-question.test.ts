import { expect, test } from 'vitest';
import type { FirstRequest } from '../wire/statistics-messages.ts';
import { checkRange, readQuestion } from './read-question.ts';

const asker = { accountId: 7, timeZone: 'Asia/Seoul' };
const request: FirstRequest = {
  sdate: '2026-05-01',
  edate: '2026-05-07',
  pageSize: 30,
  sortData: 'date',
  sortDirection: 'desc',
};
const question = {
  accountId: 7,
  statistic: 'date',
  firstDay: '2026-05-01',
  lastDay: '2026-05-07',
  timeZone: 'Asia/Seoul',
  packageId: undefined,
  accessKey: undefined,
  given: {},
  sortData: 'date',
  sortDirection: 'desc',
  fillZero: false,
  pageSize: 30,
} as const;

test("a question takes the account's zone, and no filter, where none is given", () => {
  expect(readQuestion('date', request, asker)).toEqual(question);
});

test('a question takes what the request gives', () => {
  const given = {
    ...request,
    timeZone: 'us/eastern',
    packageId: 3,
    accessKey: 'film',
    fill: 'zero',
  } as const;
  expect(readQuestion('date', given, asker)).toEqual({
    ...question,
    timeZone: 'America/New_York',
    packageId: 3,
    accessKey: 'film',
    fillZero: true,
  });
});

test('hours are asked for one date, which all their rows share', () => {
  const { sdate: _, edate: __, ...rest } = request;
  const ofDay = { ...rest, date: '2026-05-04', sortData: 'hour' } as const;
  expect(readQuestion('hour', ofDay, asker)).toEqual({
    ...question,
    statistic: 'hour',
    firstDay: '2026-05-04',
    lastDay: '2026-05-04',
    given: { date: '2026-05-04' },
    sortData: 'hour',
  });
});

test('versions share their system', () => {
  const ofSystem = { ...request, os: 'iOS', sortData: 'detail' } as const;
  expect(readQuestion('detail', ofSystem, asker)).toMatchObject({ given: { os: 'iOS' } });
});

const after = { parameter: 'sdate', detail: 'must not be after edate' };
const tooLong = { parameter: 'edate', detail: 'must not be more than 10 years after sdate' };

test.each([
  ['2026-05-04', '2026-05-04', []],
  ['2026-05-05', '2026-05-04', [after]],
  ['2026-05-04', '2036-05-04', []],
  ['2026-05-04', '2036-05-05', [tooLong]],
  ['2024-02-29', '2034-02-28', []],
  ['2024-02-29', '2034-03-01', [tooLong]],
  ['0001-01-01', '0011-01-01', []],
  ['0001-01-01', '0011-01-02', [tooLong]],
])('from %s to %s: %j', (firstDay, lastDay, errors) => {
  expect(checkRange(firstDay, lastDay)).toEqual(errors);
});

test.each([
  ['a range that ends before it begins', { edate: '2026-04-30' }, [after]],
  [
    'a zone that nobody has',
    { timeZone: 'Mars/Olympus' },
    [{ parameter: 'timeZone', detail: 'must be the IANA name of a time zone' }],
  ],
  [
    'both at once',
    { edate: '2036-05-02', timeZone: '' },
    [tooLong, { parameter: 'timeZone', detail: 'must be the IANA name of a time zone' }],
  ],
])('%s is refused by name', (_name, change, errors) => {
  expect(() => readQuestion('date', { ...request, ...change }, asker)).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMETER', errors }),
  );
});
