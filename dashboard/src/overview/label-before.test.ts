import { expect, test } from 'vitest';
import { labelBefore } from './label-before.ts';

test.each([
  ['date', 'weekdays', '2026-03-02', '2026-03-31', '2026-03-05', '2026-01-29'],
  ['date', 'previous', '2026-03-02', '2026-03-31', '2026-03-05', '2026-02-03'],
  // First day with first day: the 29th of February has no place of its own.
  ['date', 'year', '2024-02-28', '2024-03-01', '2024-03-01', '2023-03-02'],
  [
    'hour',
    'previous',
    '2026-03-31',
    '2026-03-31',
    '2026-03-31T09:00:00+09:00',
    '2026-03-30T09:00:00+09:00',
  ],
  ['week', 'previous', '2026-03-04', '2026-03-31', '2026-03-09', '2026-02-09'],
  ['week', 'year', '2026-03-04', '2026-03-31', '2026-03-02', '2025-03-03'],
  ['month', 'year', '2025-12-15', '2026-03-31', '2026-02-01', '2025-02-01'],
  ['month', 'previous', '2026-02-01', '2026-03-31', '2026-03-01', '2026-01-01'],
] as const)(
  'by %s, compared with %s, of %s to %s: %s with %s',
  (interval, compare, from, to, label, before) => {
    expect(labelBefore(label, { interval, compare, from, to })).toBe(before);
  },
);

test('without a comparison there is none', () => {
  const view = { interval: 'date', compare: 'none', from: '2026-03-01', to: '2026-03-31' } as const;
  expect(labelBefore('2026-03-01', view)).toBeUndefined();
});
