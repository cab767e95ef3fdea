import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coverRange, overlaps, type Span } from './range-cover.ts';

const dayMs = 86_400_000;
const quarterMs = 900_000;

test.each([
  // range in quarters of an hour, unsettled days, expected days, expected slots
  [[0, 96], [], [[0, 96]], []],
  [[4, 90], [], [], [[4, 90]]],
  [
    [4, 300],
    [],
    [[96, 288]],
    [
      [4, 96],
      [288, 300],
    ],
  ],
  [
    [0, 288],
    [1],
    [
      [0, 96],
      [192, 288],
    ],
    [[96, 192]],
  ],
  [[4, 288], [1], [[192, 288]], [[4, 192]]],
  [[0, 288], [0, 1, 2], [], [[0, 288]]],
  [[0, 192], [5], [[0, 192]], []],
  [[0, 300], [2], [[0, 192]], [[192, 300]]],
] as const)('%j with unsettled %j', (range, unsettled, days, slots) => {
  const cover = coverRange(
    span(range),
    unsettled.map((day) => day * dayMs),
  );
  expect(cover).toEqual({ days: days.map(span), slots: slots.map(span) });
});

test('a range is cut for 16 runs of unsettled days in it; for more, slots answer for all', () => {
  const range = span([96, 96 * 40]);
  const unsettledDays = (count: number) => {
    const inside = Array.from({ length: count }, (_, index) => 2 + 2 * index);
    // The day before the range and the day after it do not cut it.
    return [0, ...inside, 40].map((day) => day * dayMs);
  };
  expect(coverRange(range, unsettledDays(16)).days).toHaveLength(17);
  expect(coverRange(range, unsettledDays(17))).toEqual({ days: [], slots: [range] });
});

test('days that follow each other, as an import leaves them, cut it once', () => {
  const days = Array.from({ length: 20 }, (_, index) => (10 + index) * dayMs);
  expect(coverRange(span([96, 96 * 40]), days)).toEqual({
    days: [span([96, 96 * 10]), span([96 * 30, 96 * 40])],
    slots: [span([96 * 10, 96 * 30])],
  });
});

test('the pieces are the range, once, and no unsettled day is among the days', () => {
  const quarter = fc.nat(96 * 40);
  const unsettled = fc.uniqueArray(fc.nat(42), { maxLength: 20 });
  fc.assert(
    fc.property(quarter, quarter, unsettled, (one, other, daysOff) => {
      const range = span([Math.min(one, other), Math.max(one, other) + 1]);
      const unsettledDays = daysOff.sort((a, b) => a - b).map((day) => day * dayMs);
      const { days, slots } = coverRange(range, unsettledDays);
      const pieces = [...days, ...slots].sort((a, b) => a.fromMs - b.fromMs);
      expect(pieces[0]?.fromMs).toBe(range.fromMs);
      expect(pieces.at(-1)?.untilMs).toBe(range.untilMs);
      for (const [index, piece] of pieces.entries()) {
        expect(piece.fromMs).toBeLessThan(piece.untilMs);
        expect(pieces[index + 1]?.fromMs ?? piece.untilMs).toBe(piece.untilMs);
      }
      for (const { fromMs, untilMs } of days) {
        expect([fromMs % dayMs, untilMs % dayMs]).toEqual([0, 0]);
        expect(unsettledDays.some((day) => day >= fromMs && day < untilMs)).toBe(false);
      }
    }),
  );
});

test('what lies before a span is passed over, and no more', () => {
  const others = [span([0, 1]), span([5, 6]), span([8, 9])];
  expect(overlaps([span([5, 10])], others)).toEqual(others.slice(1));
});

function span([from, until]: readonly [number, number]): Span {
  return { fromMs: from * quarterMs, untilMs: until * quarterMs };
}
