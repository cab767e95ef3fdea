import { expect, test } from 'vitest';
import { readSessionStart, writeSessionStart } from './session-start.ts';

test.each([
  ['20261120123045', Date.UTC(2026, 10, 20, 12, 30, 45)],
  ['20240229235959', Date.UTC(2024, 1, 29, 23, 59, 59)],
  ['19700101000000', 0],
  ['00010101000000', Date.parse('0001-01-01T00:00:00Z')],
])('%s is read and written in UTC', (text, instantMs) => {
  expect(readSessionStart(text)).toBe(instantMs);
  expect(writeSessionStart(instantMs)).toBe(text);
  expect(writeSessionStart(instantMs + 999)).toBe(text);
});

test.each([
  '',
  '2026112012304',
  '202611201230450',
  'x20261120123045',
  '20261120123045x',
  '2026112012304x',
  '20260230101010',
  '20250229101010',
  '20261320123045',
  '20261120240000',
  '20261120236045',
  '20261120235960',
])('%s is no time', (text) => {
  expect(readSessionStart(text)).toBeUndefined();
});
