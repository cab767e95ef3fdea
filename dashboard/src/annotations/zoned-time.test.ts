import { expect, test } from 'vitest';
import { instantOf, localTimeOf } from './zoned-time.ts';

test.each([
  ['2026-11-20T08:30', 'UTC', '2026-11-20T08:30:00.000Z'],
  ['2026-11-20T08:30', 'Asia/Seoul', '2026-11-19T23:30:00.000Z'],
  ['2026-11-20T00:00', 'America/St_Johns', '2026-11-20T03:30:00.000Z'],
  ['2026-07-01T12:00', 'Europe/Berlin', '2026-07-01T10:00:00.000Z'],
  ['2026-12-01T12:00', 'Europe/Berlin', '2026-12-01T11:00:00.000Z'],
  // An hour after the clock is put back, and before it is put forward.
  ['2026-10-25T04:00', 'Europe/Berlin', '2026-10-25T03:00:00.000Z'],
  ['2026-03-29T01:30', 'Europe/Berlin', '2026-03-29T00:30:00.000Z'],
])('%s in %s is %s, and the other way round', (local, timeZone, instant) => {
  expect(instantOf(local, timeZone)).toBe(instant);
  expect(localTimeOf(instant, timeZone)).toBe(local);
});

test('a time that a clock leaves out is an hour later', () => {
  const instant = instantOf('2026-03-29T02:30', 'Europe/Berlin');
  expect(localTimeOf(instant, 'Europe/Berlin')).toBe('2026-03-29T03:30');
});
