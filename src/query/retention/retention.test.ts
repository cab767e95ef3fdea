import { expect, test } from 'vitest';
import { computeRetention, type PartChange } from './retention.ts';

/** Positioned views, views, and what they saw. */
const whole = (audience: number, ranges: number, positionsMs: number) =>
  change(-1, audience, ranges, positionsMs);

function change(part: number, audience: number, ranges: number, positionsMs: number): PartChange {
  return {
    part,
    audience: String(audience),
    ranges: String(ranges),
    positionsMs: String(positionsMs),
  };
}

const watched = (changes: readonly PartChange[], lengthMs: number, parts: number) =>
  computeRetention(changes, { lengthMs, parts }).list.map((part) => [part.audience, part.watched]);

test('without views nothing was seen', () => {
  expect(computeRetention([], { lengthMs: 10, parts: 2 })).toEqual({
    ...{ lengthMs: 10, views: 0, positionedViews: 0, averageSeen: null },
    list: [
      { part: 0, fromMs: 0, toMs: 5, audience: 0, watched: 0 },
      { part: 1, fromMs: 5, toMs: 10, audience: 0, watched: 0 },
    ],
  });
});

test('a length that does not divide is cut at whole milliseconds', () => {
  const { list } = computeRetention([], { lengthMs: 10, parts: 3 });
  expect(list.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([
    [0, 3],
    [3, 6],
    [6, 10],
  ]);
});

test('what was played from 2 to 7, and from 4 to 10, by one of two views', () => {
  const changes = [
    whole(2, 3, 8),
    change(0, 1, 2, 6),
    change(1, 0, -1, -7),
    change(2, -1, -1, -10),
  ];
  expect(watched(changes, 10, 2)).toEqual([
    [1, 0.4],
    [1, 0.7],
  ]);
  const { views, positionedViews, averageSeen } = computeRetention(changes, {
    lengthMs: 10,
    parts: 2,
  });
  expect([views, positionedViews, averageSeen]).toEqual([3, 2, 0.4]);
});

test('a part without length has no audience', () => {
  const changes = [whole(1, 1, 2), change(1, 1, 1, 0), change(3, 0, 0, 0), change(4, -1, -1, -2)];
  expect(watched(changes, 2, 4)).toEqual([
    [0, 0],
    [1, 1],
    [0, 0],
    [1, 1],
  ]);
});
