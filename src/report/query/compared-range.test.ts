import { expect, test } from 'vitest';
import { comparedRange } from './compared-range.ts';

const nowMs = Date.parse('2026-11-20T15:20:30Z');
const query = {
  ...{ firstDay: '2026-11-16', lastDay: '2026-11-19', timeZone: 'UTC' },
  dimensions: [] as ('week' | 'month' | 'year' | 'date' | 'weekday')[],
};

const shown = (ms: number | undefined) => ms !== undefined && new Date(ms).toISOString();

test.each([
  [{ compare: 'previous' }, '2026-11-12', '2026-11-15', '2026-11-16T00:00:00.000Z'],
  [{ compare: 'year' }, '2025-11-16', '2025-11-19', '2025-11-20T00:00:00.000Z'],
  // It ends today: up to the last quarter of an hour that has passed.
  [
    { compare: 'previous', lastDay: '2026-11-20' },
    ...['2026-11-11', '2026-11-15', '2026-11-15T15:15:00.000Z'],
  ],
  [
    { compare: 'year', lastDay: '2026-11-20' },
    ...['2025-11-16', '2025-11-20', '2025-11-21T00:00:00.000Z'],
  ],
  // Today is another day there.
  [
    { compare: 'previous', firstDay: '2026-11-21', lastDay: '2026-11-21', timeZone: 'Asia/Seoul' },
    ...['2026-11-20', '2026-11-20', '2026-11-19T15:15:00.000Z'],
  ],
  [
    { compare: 'previous', firstDay: '2026-11-20', lastDay: '2026-11-20', timeZone: 'Asia/Seoul' },
    ...['2026-11-19', '2026-11-19', '2026-11-19T15:00:00.000Z'],
  ],
  [
    { compare: 'year', firstDay: '2024-02-29', lastDay: '2024-03-02' },
    ...['2023-02-28', '2023-03-02', '2023-03-03T00:00:00.000Z'],
  ],
] as [object, string, string, string][])('%j', (change, firstDay, lastDay, until) => {
  const range = comparedRange({ ...query, compare: undefined, ...change }, nowMs);
  expect(range).toMatchObject({ firstDay, lastDay });
  expect(shown(range?.spans.at(-1)?.untilMs)).toBe(until);
});

test.each([
  ['week', 'previous', 4],
  ['month', 'previous', 4],
  ['year', 'previous', 4],
  ['week', 'year', 365],
  ['month', 'year', 0],
  ['date', 'previous', 0],
  ['weekday', 'previous', 0],
] as const)('each %s of the range %s has the same days, %d later', (name, compare, shiftDays) => {
  const range = comparedRange({ ...query, dimensions: [name], compare }, nowMs);
  expect(range?.shiftDays).toBe(shiftDays);
});

test('nothing is compared unless asked for', () => {
  expect(comparedRange({ ...query, compare: undefined }, nowMs)).toBeUndefined();
});
