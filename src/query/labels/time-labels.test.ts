import { expect, test } from 'vitest';
import { findMonday } from '../../lib/time/utc-day.ts';
import type { TimeDimension } from '../../vocabulary/dimensions.ts';
import type { Filter } from '../parse/filter-parser.ts';
import { type LocalSpan, localSpans } from '../ranges/local-days.ts';
import { listIntervals, timeLabels } from './time-labels.ts';

const calendarOf = (firstDay: string, lastDay: string, timeZone = 'UTC') => ({
  firstDay,
  spans: localSpans(firstDay, lastDay, timeZone),
});
/** A Wednesday. */
const calendar = calendarOf('2026-05-06', '2027-06-30');

test.each<[TimeDimension, string, string, number | string]>([
  ['date', '2026-05-06', '2026-05-06', 0],
  ['date', '2026-05-16', '2026-05-16', 10],
  ['week', '2026-05-04', '2026-05-04', 0],
  ['week', '2026-05-18', '2026-05-18', 14],
  ['month', '2026-05-01', '2026-05-01', 0],
  ['month', '2027-02-01', '2027-02-01', 9],
  ['year', '2027-01-01', '2027-01-01', 1],
  ['hourOfDay', '9', '09', '09'],
  ['hourOfDay', '23', '23', '23'],
  ['weekday', '7', '7', '7'],
  ['hourOfWeek', '100', '1-00', '1-00'],
  ['hourOfWeek', '723', '7-23', '7-23'],
])('%s %s is %s, in place %s', (name, key, value, place) => {
  expect(timeLabels(name, calendar)([key])).toEqual({ value, order: value, place });
});

test.each([
  ['2026-05-03', '2026-04-27'],
  ['2026-05-04', '2026-05-04'],
  ['2026-05-05', '2026-05-04'],
  ['2026-05-10', '2026-05-04'],
])('the Monday of %s is %s', (day, monday) => {
  expect(findMonday(Date.parse(day) + 86_399_999)).toBe(monday);
});

const hourAt = (
  local: string,
  offset: number,
  within = { ...calendar, spans: [] as LocalSpan[] },
) => timeLabels('hour', within)([String(Date.parse(`${local}Z`) / 1_000), String(offset)]);

test.each([
  ['2026-05-06T00:00:00', 0, '2026-05-06T00:00:00+00:00', 0],
  ['2026-05-07T05:00:00', 0, '2026-05-07T05:00:00+00:00', 29],
  ['2026-05-06T05:00:00', 20_700, '2026-05-06T05:00:00+05:45', 5],
  ['2026-05-06T05:00:00', -12_600, '2026-05-06T05:00:00-03:30', 5],
  ['2026-05-06T05:00:00', -36_000, '2026-05-06T05:00:00-10:00', 5],
])('the hour %s at %i seconds from UTC is %s', (local, offset, value, place) => {
  const order = Date.parse(`${local}Z`) - offset * 1_000;
  expect(hourAt(local, offset)).toEqual({ value, order, place });
});

test('an hour that a clock shows twice has two places, and its neighbours one', () => {
  const night = calendarOf('2026-10-25', '2026-10-25', 'Europe/Berlin');
  const places = [
    ['2026-10-25T01:00:00', 7_200],
    ['2026-10-25T02:00:00', 7_200],
    ['2026-10-25T02:00:00', 3_600],
    ['2026-10-25T03:00:00', 3_600],
  ].map(([local, offset]) => hourAt(String(local), Number(offset), night).place);
  expect(places).toEqual([1, 2, '2 again', 3]);
  // The clock went on: nothing is shown twice.
  const spring = calendarOf('2026-03-29', '2026-03-29', 'Europe/Berlin');
  expect(hourAt('2026-03-29T01:00:00', 3_600, spring).place).toBe(1);
  expect(hourAt('2026-03-29T03:00:00', 7_200, spring).place).toBe(3);
});

const filter = (dimension: string, operator: Filter['operator'], ...values: string[]): Filter => {
  return { dimension: dimension as Filter['dimension'], operator, values };
};

test.each<[TimeDimension, string[], Filter[], unknown[]]>([
  ['date', ['2026-05-30', '2026-06-01'], [], ['2026-05-30', '2026-05-31', '2026-06-01']],
  ['week', ['2026-05-30', '2026-06-01'], [], ['2026-05-25', '2026-06-01']],
  ['month', ['2026-05-30', '2026-06-01'], [], ['2026-05-01', '2026-06-01']],
  ['year', ['2025-12-31', '2026-01-01'], [], ['2025-01-01', '2026-01-01']],
  ['weekday', ['2026-05-30', '2026-06-01'], [], ['6', '7', '1']],
  ['hourOfDay', ['2026-05-30', '2026-05-31'], [filter('hourOfDay', '==', '09', '22')], ['9', '22']],
  [
    'date',
    ['2026-05-30', '2026-06-01'],
    [filter('weekday', '!=', '7')],
    ['2026-05-30', '2026-06-01'],
  ],
  ['date', ['2026-05-30', '2026-06-01'], [filter('month', '=@', '-06-')], ['2026-06-01']],
  [
    'date',
    ['2026-05-30', '2026-06-01'],
    [filter('month', '!@', '-06-')],
    ['2026-05-30', '2026-05-31'],
  ],
  [
    'date',
    ['2026-05-30', '2026-05-31'],
    [filter('hour', '=@', 't05')],
    ['2026-05-30', '2026-05-31'],
  ],
  ['date', ['2026-05-30', '2026-05-31'], [filter('hour', '!@', 't')], []],
  ['date', ['2026-05-30', '2026-05-30'], [filter('os', '==', 'iOS')], ['2026-05-30']],
  [
    'date',
    ['2026-05-29', '2026-06-01'],
    [filter('weekday', '==', '6', '1'), filter('month', '==', '2026-05-01')],
    ['2026-05-30'],
  ],
])('each %s of %j with %j', async (name, [first = '', last = ''], filters, expected) => {
  expect((await listIntervals(name, calendarOf(first, last), filters)).flat()).toEqual(expected);
});
