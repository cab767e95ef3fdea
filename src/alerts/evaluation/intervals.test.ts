import { expect, test } from 'vitest';
import type { AlertInterval } from '../../wire/management/alerts.ts';
import { duePeriod, lastOver } from './intervals.ts';

const text = (instantMs: number) => new Date(instantMs).toISOString().slice(0, 16);

test.each<[AlertInterval, string, string, string]>([
  ['day', 'UTC', '2026-11-20T00:00Z', '2026-11-19 2026-11-19T00:00 2026-11-20T00:00'],
  ['day', 'UTC', '2026-11-19T23:59:59.999Z', '2026-11-18 2026-11-18T00:00 2026-11-19T00:00'],
  ['day', 'Asia/Seoul', '2026-11-19T15:00Z', '2026-11-19 2026-11-18T15:00 2026-11-19T15:00'],
  // 23 and 25 hours.
  ['day', 'Europe/Berlin', '2026-03-29T22:00Z', '2026-03-29 2026-03-28T23:00 2026-03-29T22:00'],
  ['day', 'Europe/Berlin', '2026-03-29T21:59Z', '2026-03-28 2026-03-27T23:00 2026-03-28T23:00'],
  ['day', 'Europe/Berlin', '2026-10-25T23:00Z', '2026-10-25 2026-10-24T22:00 2026-10-25T23:00'],
  // Samoa had no 30 December 2011.
  ['day', 'Pacific/Apia', '2011-12-30T10:00Z', '2011-12-29 2011-12-29T10:00 2011-12-30T10:00'],
  ['hour', 'UTC', '2026-11-20T00:30Z', '2026-11-19T23 2026-11-19T23:00 2026-11-20T00:00'],
  ['hour', 'Asia/Kolkata', '2026-11-20T00:29Z', '2026-11-20T04 2026-11-19T22:30 2026-11-19T23:30'],
  // Two is skipped; then two comes twice.
  ['hour', 'Europe/Berlin', '2026-03-29T02:00Z', '2026-03-29T03 2026-03-29T01:00 2026-03-29T02:00'],
  ['hour', 'Europe/Berlin', '2026-10-25T01:00Z', '2026-10-25T02 2026-10-25T00:00 2026-10-25T01:00'],
  // Set by half an hour: an hour of an hour and a half, and one of half an hour.
  [
    'hour',
    'Australia/Lord_Howe',
    '2026-04-04T15:29Z',
    '2026-04-05T00 2026-04-04T13:00 2026-04-04T14:00',
  ],
  [
    'hour',
    'Australia/Lord_Howe',
    '2026-04-04T15:30Z',
    '2026-04-05T01 2026-04-04T14:00 2026-04-04T15:30',
  ],
  [
    'hour',
    'Australia/Lord_Howe',
    '2026-10-03T16:00Z',
    '2026-10-04T02 2026-10-03T15:30 2026-10-03T16:00',
  ],
  ['hour', 'Europe/Berlin', '2026-10-25T02:00Z', '2026-10-25T02 2026-10-25T01:00 2026-10-25T02:00'],
])('the last %s in %s over at %s', (per, timeZone, through, expected) => {
  const { day, hour, fromMs, untilMs } = lastOver(per, timeZone, Date.parse(through));
  const name = hour === undefined ? day : `${day}T${hour}`;
  expect(`${name} ${text(fromMs)} ${text(untilMs)}`).toBe(expected);
});

const week = (weekday = 1, hour = 6) => ({ every: 'week', weekday, hour }) as const;
const month = (hour = 6) => ({ every: 'month', weekday: 1, hour }) as const;

test.each<[ReturnType<typeof week> | ReturnType<typeof month>, string, string, string]>([
  // 2026-11-23 is a Monday.
  [week(), 'UTC', '2026-11-23T05:59Z', '2026-11-09 2026-11-15, before 2026-11-02 2026-11-08'],
  [week(), 'UTC', '2026-11-23T06:00Z', '2026-11-16 2026-11-22, before 2026-11-09 2026-11-15'],
  [week(), 'UTC', '2026-11-29T23:59Z', '2026-11-16 2026-11-22, before 2026-11-09 2026-11-15'],
  [week(7, 0), 'UTC', '2026-11-22T00:00Z', '2026-11-15 2026-11-21, before 2026-11-08 2026-11-14'],
  [
    week(),
    'Asia/Seoul',
    '2026-11-22T21:00Z',
    '2026-11-16 2026-11-22, before 2026-11-09 2026-11-15',
  ],
  [month(), 'UTC', '2026-03-01T05:59Z', '2026-01-01 2026-01-31, before 2025-12-01 2025-12-31'],
  [month(), 'UTC', '2026-03-01T06:00Z', '2026-02-01 2026-02-28, before 2026-01-01 2026-01-31'],
  [
    month(0),
    'Asia/Seoul',
    '2028-02-29T15:00Z',
    '2028-02-01 2028-02-29, before 2028-01-01 2028-01-31',
  ],
])('%j in %s at %s', (schedule, timeZone, now, expected) => {
  const { sdate, edate, previous } = duePeriod(schedule, timeZone, Date.parse(now));
  expect(`${sdate} ${edate}, before ${previous.sdate} ${previous.edate}`).toBe(expected);
});

test.each([
  // The clock is set on the Sunday: 29 March and 25 October.
  ['2026-03-30T05:00Z', 5, '2026-03-29', '2026-03-29T22:00:00.000Z'],
  ['2026-03-30T02:59Z', 5, '2026-03-22', '2026-03-22T23:00:00.000Z'],
  ['2026-03-30T03:00Z', 5, '2026-03-29', '2026-03-29T22:00:00.000Z'],
  ['2026-10-26T03:59Z', 5, '2026-10-18', '2026-10-18T22:00:00.000Z'],
  ['2026-10-26T04:00Z', 5, '2026-10-25', '2026-10-25T23:00:00.000Z'],
])('in Berlin at %s, from %i, the last day is %s and ends at %s', (now, hour, edate, until) => {
  const due = duePeriod(week(1, hour), 'Europe/Berlin', Date.parse(now));
  expect([due.edate, new Date(due.untilMs).toISOString()]).toEqual([edate, until]);
});

test('an hour that the clock skips is the next', () => {
  const schedule = week(7, 2);
  const at = (now: string) => duePeriod(schedule, 'Europe/Berlin', Date.parse(now)).edate;
  expect(at('2026-03-29T00:59Z')).toBe('2026-03-21');
  expect(at('2026-03-29T01:00Z')).toBe('2026-03-28');
});
