import { expect, test } from 'vitest';
import { readSchedule } from './schedule.ts';

const at = (text: string) => Date.parse(text);

test.each([
  ['0 4 * * *', '2026-11-23T03:59:59.999Z', '2026-11-23T04:00:00Z'],
  ['0 4 * * *', '2026-11-23T04:00:00Z', '2026-11-24T04:00:00Z'],
  ['*/15 * * * *', '2026-11-23T04:07:00Z', '2026-11-23T04:15:00Z'],
  ['30 5 * * MON', '2026-11-23T05:30:00Z', '2026-11-30T05:30:00Z'],
  ['0 0 1 * *', '2026-12-31T12:00:00Z', '2027-01-01T00:00:00Z'],
  // Clocks go forward in Europe: in UTC nothing is left out.
  ['30 2 * * *', '2026-03-29T00:00:00Z', '2026-03-29T02:30:00Z'],
])('%s after %s is due at %s', (expression, after, due) => {
  expect(readSchedule(expression)?.after(at(after))).toBe(at(due));
});

test.each(['', 'daily', '0 4 * *', '0 0 4 * * *', '61 * * * *', '0 0 30 2 *'])(
  '"%s" is no schedule',
  (expression) => {
    expect(readSchedule(expression)).toBeUndefined();
  },
);
