import { expect, test } from 'vitest';
import { Fault } from '../../vocabulary/faults.ts';
import type { ShareFields } from '../../wire/management/shares.ts';
import { readShare } from './share-parser.ts';

const maker = { accountId: 7, labels: new Map<string, number>() };
const days = { sdate: '2026-11-01', edate: '2026-11-30' };
const read = (fields: Partial<ShareFields>) => readShare({ name: 'November', ...fields }, maker);
const conditions = (count: number) => Array.from({ length: count }, () => 'os==iOS').join(';');

const shared = {
  ...{ accountId: 7, name: 'November', filters: '', period: { from: days.sdate, to: days.edate } },
  ...{ accessKey: undefined, packageId: undefined, compare: 'none', timeZone: undefined },
  ...{ origins: [], expiresAt: undefined },
};
const all: Partial<ShareFields> = {
  ...{ accessKey: 'key', packageId: 3, filters: conditions(10), compare: 'year' },
  ...{ timeZone: 'Asia/Seoul', origins: ['https://a.example'] },
};

test.each<[string, Partial<ShareFields>, object]>([
  ['only days', days, shared],
  [
    'null where nothing is said',
    {
      ...{ ...days, lastDays: null, accessKey: null, packageId: null, filters: null },
      ...{ timeZone: null, expiresAt: null },
    },
    shared,
  ],
  ['the last days', { lastDays: 28 }, { ...shared, period: { lastDays: 28 } }],
  ['all else', { ...days, ...all }, { ...shared, ...all }],
  [
    'an end',
    { ...days, expiresAt: '2026-12-01T00:00:00Z' },
    { ...shared, expiresAt: new Date('2026-12-01T00:00:00Z') },
  ],
])('a share with %s', (_, fields, expected) => {
  expect(read(fields)).toEqual(expected);
});

const noPeriod = {
  parameter: 'lastDays',
  detail: 'must be given, or else the first and the last day',
};

test.each<[string, Partial<ShareFields>, object[]]>([
  ['no days', {}, [noPeriod]],
  ['a first day alone', { sdate: days.sdate }, [noPeriod]],
  ['a last day alone', { edate: days.edate }, [noPeriod]],
  ['both kinds of days', { ...days, lastDays: 28 }, [noPeriod]],
  ['the last days and a first one', { sdate: days.sdate, lastDays: 28 }, [noPeriod]],
  ['the last days and a last one', { edate: days.edate, lastDays: 28 }, [noPeriod]],
  [
    'days the wrong way round',
    { sdate: days.edate, edate: days.sdate },
    [{ parameter: 'sdate', detail: 'must not be after edate' }],
  ],
  [
    'days that no calendar has',
    { sdate: '0000-01-01', edate: '2026-02-30' },
    ['sdate', 'edate'].map((parameter) => ({
      ...{ parameter, detail: 'must be a date that exists, as yyyy-mm-dd' },
    })),
  ],
  [
    'a filter on errors, which its overview does not have',
    { ...days, filters: 'error==404' },
    [{ parameter: 'filters', detail: 'may not name error: playback has none' }],
  ],
  [
    'a condition too many',
    { ...days, filters: conditions(11) },
    [{ parameter: 'filters', detail: 'may have 10 conditions' }],
  ],
  [
    'all that can be wrong',
    { filters: 'nonsense', expiresAt: '2026-13-01T00:00:00Z' },
    [
      { parameter: 'filters', detail: expect.stringContaining('nonsense') },
      noPeriod,
      {
        parameter: 'expiresAt',
        detail: 'must be an existing date and time, such as 2026-11-20T10:15:30.123Z',
      },
    ],
  ],
])('no share with %s', (_, fields, errors) => {
  const refusal = (() => {
    try {
      return read(fields);
    } catch (error) {
      return error;
    }
  })();
  expect(refusal).toBeInstanceOf(Fault);
  expect(refusal).toMatchObject({ code: expect.stringMatching(/_PARAMETER$/), errors });
});
