import { expect, test } from 'vitest';
import { checkRange, readQuestion } from './question-parser.ts';

const asker = { accountId: 7, timeZone: 'Asia/Seoul' };
const request = { sdate: '2026-05-01', edate: '2026-05-07' };
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
    packageId: '3',
    accessKey: 'film',
    fill: 'zero',
  };
  expect(readQuestion('date', given, asker)).toEqual({
    ...question,
    timeZone: 'America/New_York',
    packageId: 3,
    accessKey: 'film',
    fillZero: true,
  });
});

test('hours are asked for one date, which all their rows share', () => {
  const ofDay = { date: '2026-05-04' };
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
  const ofSystem = { ...request, os: 'iOS' };
  expect(readQuestion('detail', ofSystem, asker)).toMatchObject({ given: { os: 'iOS' } });
});

const noZone = { parameter: 'timeZone', detail: 'must be the IANA name of a time zone' };
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
  ['9989-12-31', '9999-12-31', []],
  ['9989-12-30', '9999-12-31', [tooLong]],
  ['9999-12-30', '9999-12-31', []],
  [undefined, '2026-05-04', []],
  ['2026-05-05', undefined, []],
])('from %s to %s: %j', (firstDay, lastDay, errors) => {
  expect(checkRange(firstDay, lastDay)).toEqual(errors);
});

test.each([
  ['a range that ends before it begins', { edate: '2026-04-30' }, [after]],
  ['a zone that nobody has', { timeZone: 'Mars/Olympus' }, [noZone]],
  ['both at once', { edate: '2036-05-02', timeZone: '+09:00' }, [tooLong, noZone]],
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
  expect(() => readQuestion('date', { ...request, ...change }, asker)).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMETER', errors }),
  );
});

test('a parameter that is missing is named together with what is wrong with the others', () => {
  const given = { edate: '2026-04-30', timeZone: 'Mars/X' };
  expect(() => readQuestion('date', given, asker)).toThrow(
    expect.objectContaining({
      code: 'MISSING_PARAMETER',
      errors: [{ parameter: 'sdate', detail: 'is required' }, noZone],
    }),
  );
});
