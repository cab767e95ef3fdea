import { expect, test } from 'vitest';
import { localSpans } from '../ranges/local-days.ts';
import { localInstant, localIntervals } from './local-intervals.ts';

const minuteMs = 60_000;
const around = async (day: string, timeZone: string, interval: 'minute' | 'hour' | 'day') =>
  (await localIntervals(interval, localSpans(day, day, timeZone))).map(
    ({ time, lengthMs }) => `${time} ${lengthMs / minuteMs}`,
  );

test.each([
  ['UTC', '2026-03-08', 24, 1_440],
  ['America/New_York', '2026-03-08', 23, 23 * 60],
  ['America/New_York', '2026-11-01', 25, 25 * 60],
  ['Australia/Lord_Howe', '2026-04-05', 24, 24 * 60 + 30],
  ['Australia/Lord_Howe', '2026-10-04', 24, 24 * 60 - 30],
  ['Asia/Kathmandu', '2026-10-04', 24, 1_440],
])('in %s %s has %d rows of hours and %d minutes', async (timeZone, day, hours, minutes) => {
  expect(await around(day, timeZone, 'day')).toEqual([`${day} ${minutes}`]);
  expect(await around(day, timeZone, 'hour')).toHaveLength(hours);
  const rows = await around(day, timeZone, 'minute');
  expect(rows).toHaveLength(minutes);
  expect(new Set(rows).size).toBe(minutes);
});

test('a day in two pieces is one row', async () => {
  const [day, ...others] = await around('2009-10-31', 'America/St_Johns', 'day');
  expect(others).toEqual([]);
  expect(day).toBe('2009-10-31 1485');
});

test('instants have the offset of their slot', () => {
  const spans = localSpans('2026-11-01', '2026-11-01', 'America/New_York');
  const change = Date.UTC(2026, 10, 1, 6);
  expect(localInstant(change - 1, spans)).toBe('2026-11-01T01:59:59.999-04:00');
  expect(localInstant(change, spans)).toBe('2026-11-01T01:00:00.000-05:00');
  const inUtc = localSpans('2026-11-01', '2026-11-01', 'UTC');
  expect(localInstant(change, inUtc)).toBe('2026-11-01T06:00:00.000+00:00');
});
