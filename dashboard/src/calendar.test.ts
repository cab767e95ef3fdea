import { expect, test } from 'vitest';
import { addDays, addMonths, daysBetween, isDate, todayIn } from './calendar.ts';
import { changeOf } from './frame/change-of.ts';
import { rangeBefore } from './view.ts';

test.each([
  ['2026-11-20T23:30:00Z', 'Europe/Berlin', '2026-11-21'],
  ['2026-11-20T23:30:00Z', 'America/New_York', '2026-11-20'],
  ['2026-11-20T18:20:00Z', 'Asia/Kathmandu', '2026-11-21'],
  ['2024-02-29T23:59:59Z', 'UTC', '2024-02-29'],
])('at %s in %s it is %s', (moment, zone, day) => {
  expect(todayIn(zone, new Date(moment))).toBe(day);
});

test.each([
  ['2026-12-31', 1, '2027-01-01'],
  ['2024-02-28', 1, '2024-02-29'],
  ['2026-03-01', -1, '2026-02-28'],
])('%s and %d days is %s', (date, days, other) => {
  expect(addDays(date, days)).toBe(other);
  expect(daysBetween(...([date, other].toSorted() as [string, string]))).toBe(2);
});

test.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2024-02-29', -12, '2023-02-28'],
  ['2026-12-15', 1, '2027-01-15'],
  ['2026-01-15', -1, '2025-12-15'],
])('%s and %d months is %s', (date, months, other) => {
  expect(addMonths(date, months)).toBe(other);
});

test('what no calendar has is no date', () => {
  expect(['2024-02-29', '2026-13-01', '2026-1-1', ''].map(isDate)).toEqual([
    ...[true, false, false, false],
  ]);
});

test.each([
  ['previous', '2026-03-01', '2026-03-10', '2026-02-19', '2026-02-28'],
  // By as many whole weeks as cover it.
  ['weekdays', '2026-03-01', '2026-03-10', '2026-02-15', '2026-02-24'],
  ['weekdays', '2026-03-10', '2026-03-10', '2026-03-03', '2026-03-03'],
  ['year', '2024-02-29', '2024-03-01', '2023-02-28', '2023-03-01'],
] as const)('before (%s) %s to %s are %s to %s', (which, from, to, ...before) => {
  expect(Object.values(rangeBefore({ from, to }, which))).toEqual(before);
});

test.each([
  [3, 2, 0.5],
  [0, 4, -1],
  [4, 0, undefined],
  [null, 4, undefined],
  [4, null, undefined],
])('%s after %s is a change of %s', (value, before, change) => {
  expect(changeOf(value, before)).toBe(change);
});
