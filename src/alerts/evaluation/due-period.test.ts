import { expect, test } from 'vitest';
import { duePeriod } from './due-period.ts';

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
