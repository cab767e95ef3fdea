import { expect, test } from 'vitest';
import { Fault } from '../../vocabulary/faults.ts';
import { readConcurrency, readLive, readRetention, readViewers } from './curve-question.ts';

const asker = { accountId: 7, timeZone: 'Asia/Seoul', labels: new Map<string, number>() };
const days = { sdate: '2026-11-01', edate: '2026-11-30' };
const curve = {
  ...{ accountId: 7, firstDay: days.sdate, lastDay: days.edate, timeZone: 'Asia/Seoul' },
  ...{ packageId: undefined, accessKey: undefined, filters: [], labels: asker.labels },
};
const hours = days;
const parts = { ...days, accessKey: 'film' };
const narrowed = { packageId: '3', timeZone: 'europe/berlin', filters: 'os==iOS' };
const narrower = {
  ...{ packageId: 3, timeZone: 'Europe/Berlin' },
  filters: [expect.objectContaining({ dimension: 'os', values: ['iOS'] })],
};

test('a curve of all playback, in the zone of the account', () => {
  expect(readConcurrency(hours, asker)).toEqual({ ...curve, interval: 'hour' });
  expect(readRetention(parts, asker)).toEqual({ ...curve, accessKey: 'film', parts: 100 });
});

test('a curve of some playback, in another zone', () => {
  expect(readConcurrency({ ...hours, ...narrowed, accessKey: 'film' }, asker)).toEqual({
    ...{ ...curve, ...narrower },
    ...{ accessKey: 'film', interval: 'hour' },
  });
  expect(readRetention({ ...parts, ...narrowed }, asker)).toEqual({
    ...{ ...curve, ...narrower },
    ...{ accessKey: 'film', parts: 100 },
  });
});

/** What is wrong, by parameter. */
function errorsOf(read: () => unknown): object {
  try {
    return { read: read() };
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    const { code, errors = [] } = error as Fault;
    expect(code).toBe('INVALID_PARAMETER');
    return Object.fromEntries(errors.map(({ parameter, detail }) => [parameter, detail]));
  }
}

test.each([
  ['minute', '2026-11-30', undefined],
  ['minute', '2026-12-01', undefined],
  ['minute', '2026-12-02', 'must be at most 31 days with sdate for minutes'],
  ['hour', '2026-12-02', undefined],
  ['day', '2027-10-31', undefined],
] as const)('by %s until %s', (interval, edate, detail) => {
  const read = () => readConcurrency({ ...days, edate, interval }, asker);
  if (detail === undefined) expect(read()).toMatchObject({ lastDay: edate, interval });
  else expect(errorsOf(read)).toEqual({ edate: detail });
});

const wrong = { timeZone: 'Seoul', filters: 'nonsense' };
const wrongZone = 'must be the IANA name of a time zone';

test('all that is wrong is said at once', () => {
  const backwards = { sdate: days.edate, edate: days.sdate };
  const errors = {
    sdate: 'must not be after edate',
    timeZone: wrongZone,
    filters: expect.stringContaining('nonsense'),
  };
  expect(errorsOf(() => readConcurrency({ ...hours, ...backwards, ...wrong }, asker))).toEqual(
    errors,
  );
  expect(errorsOf(() => readRetention({ ...parts, ...backwards, ...wrong }, asker))).toEqual(
    errors,
  );
});

test('also what is wrong with a parameter by itself is said with the rest', () => {
  const inOrder = (read: () => unknown) => Object.keys(errorsOf(read));
  const backwards = { sdate: days.edate, edate: days.sdate, ...wrong };
  expect(inOrder(() => readConcurrency({ ...backwards, interval: 'week' }, asker))).toEqual([
    ...['interval', 'sdate', 'timeZone', 'filters'],
  ]);
  expect(inOrder(() => readRetention({ ...parts, ...backwards, parts: '0' }, asker))).toEqual([
    ...['parts', 'sdate', 'timeZone', 'filters'],
  ]);
  expect(inOrder(() => readLive({ list: 'hours', ...wrong }, asker))).toEqual([
    ...['list', 'timeZone'],
  ]);
});

test('a range that is too long for minutes is named once, however long', () => {
  const longest = { sdate: '2006-11-01', edate: days.edate, interval: 'minute' };
  expect(() => readConcurrency(longest, asker)).toThrow(
    expect.objectContaining({
      errors: [{ parameter: 'edate', detail: 'must be at most 31 days with sdate for minutes' }],
    }),
  );
});

test.each(['sdate', 'edate'])('without %s there is no range that is too long', (name) => {
  const { [name]: _, ...others } = { ...days, interval: 'minute' } as Record<string, string>;
  expect(() => readConcurrency(others, asker)).toThrow(
    expect.objectContaining({ errors: [expect.objectContaining({ parameter: name })] }),
  );
});

test('viewers are asked for by names as long as tokens have', () => {
  const longest = '\u{1F600}'.repeat(256);
  const read = (names: string) => readViewers({ ...days, packageId: '3', names }, asker);
  expect(read(`ada\n${longest}`).names).toEqual(['ada', longest]);
  expect(errorsOf(() => read(`ada\n${longest}x`))).toEqual({
    names: 'must be names of at most 256 characters, one on a line',
  });
});

test('who is watching now, in the zone of the account or another one', () => {
  expect(readLive({}, asker)).toEqual({
    ...{ accountId: 7, timeZone: 'Asia/Seoul', list: 'videos' },
  });
  const { timeZone } = narrowed;
  expect(readLive({ list: 'videos', timeZone }, asker)).toEqual({
    accountId: 7,
    timeZone: 'Europe/Berlin',
    list: 'videos',
  });
  expect(errorsOf(() => readLive({ list: 'videos', ...wrong }, asker))).toEqual({
    timeZone: wrongZone,
  });
});
