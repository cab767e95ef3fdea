import { expect, test } from 'vitest';
import type { Fault } from '../../vocabulary/faults.ts';
import { audienceMeasureNames } from '../../vocabulary/measures.ts';
import type { QueryRequest } from '../../wire/questions/audience-messages.ts';
import { readQuery } from './query-parser.ts';

const labels = new Map([['plan', 2]]);
type Given = Partial<Record<keyof QueryRequest, string>>;
const read = (given: Given) =>
  readQuery(
    { sdate: '2026-05-01', edate: '2026-05-31', measures: 'plays', pageSize: '50', ...given },
    { accountId: 7, timeZone: 'Asia/Seoul', labels },
  );

test('what is not given is as the account has it, or nothing', () => {
  expect(read({})).toEqual({
    ...{ accountId: 7, firstDay: '2026-05-01', lastDay: '2026-05-31', timeZone: 'Asia/Seoul' },
    ...{ measures: ['plays'], dimensions: [], filters: [], labels, sort: [] },
    ...{ compare: undefined, fillZero: false, pageSize: 50 },
  });
});

test.each<[Given, object]>([
  [{ timeZone: 'europe/berlin' }, { timeZone: 'Europe/Berlin' }],
  [
    { compare: 'weekdays', fill: 'zero' },
    { compare: 'weekdays', fillZero: true },
  ],
  [{ measures: ' plays ,views' }, { measures: ['plays', 'views'] }],
  [{ dimensions: 'os, osVersion,label.plan' }, { dimensions: ['os', 'osVersion', 'label.plan'] }],
  [{ dimensions: 'browser,browserVersion' }, { dimensions: ['browser', 'browserVersion'] }],
  [
    { dimensions: 'video', sort: '-plays,video' },
    {
      sort: [
        { name: 'plays', isDescending: true },
        { name: 'video', isDescending: false },
      ],
    },
  ],
  [
    { filters: 'os==iOS', packageId: '3', accessKey: 'film' },
    {
      filters: [
        { dimension: 'os', operator: '==', values: ['iOS'] },
        { dimension: 'package', operator: '==', values: ['3'] },
        { dimension: 'video', operator: '==', values: ['film'] },
      ],
    },
  ],
  [{ measures: audienceMeasureNames.slice(0, 10).join() }, {}],
  [{ dimensions: 'os,date,video' }, { dimensions: ['os', 'date', 'video'] }],
])('%j', (given, expected) => {
  expect(read(given)).toMatchObject(expected);
});

/** What is wrong with each parameter. */
function refused(given: Given): Record<string, string> {
  try {
    read(given);
  } catch (error) {
    const { errors = [] } = error as Fault;
    expect(new Set(errors.map(({ parameter }) => parameter)).size).toBe(errors.length);
    return Object.fromEntries(errors.map(({ parameter, detail }) => [parameter, detail]));
  }
  throw new Error('It was not refused');
}

const notByError =
  'may name error only with attempts, starts, exitsBeforeStart, startFailures, failures, stalls, ' +
  'not with plays, stallMs';

test.each<[Given, Record<string, string>]>([
  [{ sdate: '2026-06-01' }, { sdate: 'must not be after edate' }],
  [{ timeZone: 'Mars/Base' }, { timeZone: 'must be the IANA name of a time zone' }],
  [
    { measures: 'plays,clicks' },
    { measures: `has no measure "clicks"; there are ${audienceMeasureNames.join(', ')}` },
  ],
  [{ measures: audienceMeasureNames.slice(0, 11).join() }, { measures: 'may name 10 at most' }],
  [{ measures: 'plays,views,plays' }, { measures: 'names plays twice' }],
  [{ dimensions: 'os,video,host,page' }, { dimensions: 'may name 3 at most' }],
  [{ dimensions: 'os,video,os' }, { dimensions: 'names os twice' }],
  [{ dimensions: 'date,hour' }, { dimensions: 'may name one time only, not date and hour' }],
  [{ dimensions: 'osVersion' }, { dimensions: 'must name os as well as osVersion' }],
  [
    { dimensions: 'os,browserVersion' },
    { dimensions: 'must name browser as well as browserVersion' },
  ],
  [
    { measures: 'failures,plays,stallMs', dimensions: 'error', filters: 'error==3016' },
    { dimensions: notByError, filters: notByError },
  ],
  [{ dimensions: 'os', sort: 'views' }, { sort: sortable('plays, os', 'views') }],
  [{ sort: '-' }, { sort: sortable('plays', '') }],
  [{ sort: 'plays,-plays' }, { sort: 'names plays twice' }],
])('%j is refused', (given, expected) => {
  expect(refused(given)).toEqual(expected);
});

function sortable(asked: string, name: string): string {
  return `must be among what is asked for: ${asked}; not "${name}"`;
}

test('everything that is wrong is said at once, but not of a sort by what is refused', () => {
  const errors = refused({ dimensions: 'shoe', filters: 'os', sort: 'shoe', timeZone: 'x' });
  expect(Object.keys(errors)).toEqual(['dimensions', 'filters', 'timeZone']);
  expect(errors.dimensions).toMatch(/^has no dimension "shoe"; there are .*label\.plan$/);
  expect(Object.keys(refused({ measures: 'shoe', sort: 'shoe' }))).toEqual(['measures']);
  expect(refused({ measures: 'shoe', sort: 'zzz' }).sort).toBe(sortable('shoe', 'zzz'));
  expect(Object.keys(refused({ dimensions: 'x'.repeat(2_000), sort: 'os' }))).toEqual([
    'dimensions',
  ]);
  expect(Object.keys(refused({ filters: 'os', sort: 'shoe' }))).toEqual(['filters', 'sort']);
  expect(Object.keys(refused({ sdate: 'x', sort: 'shoe' }))).toEqual(['sdate', 'sort']);
});

test('also what is wrong with a parameter by itself is said with the rest', () => {
  const given = { edate: '2026-04-01', measures: 'shoe', dimensions: 'shoe', pageSize: '0' };
  expect(Object.keys(refused(given))).toEqual(['pageSize', 'sdate', 'measures', 'dimensions']);
  const asker = { accountId: 7, timeZone: 'UTC', labels };
  expect(() =>
    readQuery({ edate: '2026-05-31', measures: 'shoe', timeZone: 'Mars/X' }, asker),
  ).toThrow(
    expect.objectContaining({
      code: 'MISSING_PARAMETER',
      errors: ['sdate', 'measures', 'timeZone'].map((parameter) =>
        expect.objectContaining({ parameter }),
      ),
    }),
  );
});
