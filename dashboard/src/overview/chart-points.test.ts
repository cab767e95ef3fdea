import { expect, test } from 'vitest';
import { createFormats } from '../formats.ts';
import type { Row } from '../questions.ts';
import { chartPoints } from './chart-points.ts';

const formats = createFormats('en-US');
const points = (rows: readonly object[], view: object = {}, timeZone = 'UTC') =>
  chartPoints(
    rows as readonly Row[],
    {
      ...{ measure: 'plays', interval: 'date', isCompared: false, compare: 'weekdays' },
      ...{ from: '2026-03-01', to: '2026-03-31', ...view },
    },
    formats,
    timeZone,
    new Date('2026-03-31T16:30:00Z'),
  );

test('a point has the names of its day and its value, and what it is compared with', () => {
  const row = { date: '2026-03-30', plays: 7, previous: { plays: 4 } };
  const names = { label: '2026-03-30', short: 'Mar 30', long: 'Monday, March 30, 2026' };
  expect(points([row])).toEqual([{ ...names, value: 7, before: undefined }]);
  const before = { before: 4, beforeLong: 'Monday, February 23, 2026' };
  expect(points([row], { isCompared: true })).toEqual([{ ...names, value: 7, ...before }]);
});

test('a point has the value of something else at its time, and what is usual for it', () => {
  const rows = ['2026-03-30', '2026-03-31', '2026-04-01'].map((date) => ({ date, plays: 7 }));
  const otherRows = [
    { date: '2026-03-31', plays: 3 },
    { date: '2026-04-01', plays: 0 },
  ];
  const usual = (day: string) => (day === '2026-03-30' ? [1, 2] : undefined);
  const found = points(rows, { otherRows, usual });
  expect(found.map(({ other }) => other)).toEqual([null, 3, null]);
  expect(found.map(({ usual }) => usual)).toEqual([[1, 2], undefined, undefined]);
});

test.each([
  ['plays', 0],
  ['playMs', 0],
  ['viewers', 0],
  // Of nothing there is no average.
  ['averagePlayMs', null],
  ['averageSeen', null],
])('where nothing was played before, %s were %s', (measure, before) => {
  const row = { date: '2026-03-30', [measure]: 5, positionedViews: 5, previous: null };
  expect(points([row], { measure, isCompared: true })).toMatchObject([{ value: 5, before }]);
});

test('what the interface has no value of has none here: not 0', () => {
  const row = { date: '2026-03-30', averageSeen: null };
  expect(points([row], { measure: 'averageSeen' })).toMatchObject([{ value: null }]);
});

test.each([
  ['date', 'UTC', ['2026-03-31', '2026-04-01'], [1, null]],
  // There it is tomorrow already.
  ['date', 'Asia/Seoul', ['2026-03-31', '2026-04-01', '2026-04-02'], [1, 1, null]],
  ['month', 'UTC', ['2026-03-01', '2026-04-01'], [1, null]],
  ['hour', 'UTC', ['2026-03-31T16:00:00Z', '2026-03-31T17:00:00Z'], [1, null]],
  [
    ...['hour', 'Asia/Kathmandu'],
    ['2026-03-31T22:00:00+05:45', '2026-03-31T23:00:00+05:45'],
    [1, null],
  ],
] as const)(
  'by %s in %s, of %j what has not begun has no value yet',
  (interval, zone, labels, values) => {
    const rows = labels.map((label) => ({ [interval]: label, plays: 1, previous: { plays: 2 } }));
    const found = points(rows, { interval, isCompared: true }, zone);
    expect(found.map(({ value }) => value)).toEqual(values);
    expect(found.map(({ before }) => before)).toEqual(values.map((value) => value && 2));
  },
);

test('a share of fewer than five views is drawn as nothing', () => {
  const values = (positionedViews: number) => ({ averageSeen: 1, positionedViews });
  const row = { date: '2026-03-30', ...values(4), previous: values(5) };
  const view = { measure: 'averageSeen', isCompared: true } as const;
  expect(points([row], view)).toMatchObject([{ value: null, before: 1 }]);
  expect(points([{ ...row, ...values(5) }], view)).toMatchObject([{ value: 1, before: 1 }]);
});

test('rows of another interval, which are still there, are left out', () => {
  expect(points([{ month: '2026-03-01', plays: 1 }])).toEqual([]);
});
