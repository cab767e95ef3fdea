import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseInstant } from './instant.ts';

test.each([
  '2026-11-20T10:15:30.123Z',
  '2026-11-20T10:15:30Z',
  '2026-11-20T10:15:30.123456789Z',
  '2026-11-20T10:15:30+09:00',
  '2026-11-20T10:15:30.5-03:30',
  '2028-02-29T23:59:59Z',
])('%s is an instant', (text) => {
  expect(parseInstant(text)).toBe(Date.parse(text));
});

test.each([
  '',
  'now',
  '2026-11-20',
  '2026-11-20 10:15:30Z',
  '2026-11-20T10:15:30',
  '2026-11-20T10:15Z',
  '2026-02-29T10:15:30Z',
  '2026-02-30T10:15:30Z',
  '2026-04-31T10:15:30Z',
  '2026-00-10T10:15:30Z',
  '2026-13-10T10:15:30Z',
  '2026-11-00T10:15:30Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T10:60:30Z',
  '2026-11-20T10:15:60Z',
  '2026-11-20T10:15:30+24:00',
  '+012026-11-20T10:15:30Z',
])('%j is none', (text) => {
  expect(parseInstant(text)).toBeUndefined();
});

test('every instant is read back to the millisecond', () => {
  const instants = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instants, (date) => {
      expect(parseInstant(date.toISOString())).toBe(date.getTime());
    }),
  );
});
