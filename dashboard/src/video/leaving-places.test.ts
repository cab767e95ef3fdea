import { expect, test } from 'vitest';
import { leavingPlaces } from './leaving-places.ts';

const views = 1_000;

/** A film whose parts lose so many of a thousand views each; all others lose none. */
function curveOf(partMs: number, losses: Readonly<Record<number, number>>, parts = 100) {
  let audience = views;
  const list = Array.from({ length: parts }, (_, part) => {
    audience -= losses[part] ?? 0;
    return { part, fromMs: part * partMs, toMs: (part + 1) * partMs, audience, watched: 1 };
  });
  return { lengthMs: parts * partMs, views, positionedViews: views, averageSeen: null, list };
}

const everyPart = (loss: number) =>
  Object.fromEntries(Array.from({ length: 99 }, (_, part) => [part + 1, loss]));

test.each([
  ['nobody leaves', 4_000, {}, []],
  ['nobody reported a position', 4_000, { 0: views }, []],
  ['many leave at once', 4_000, { 30: 200 }, [[120_000, 120_000, 0.2]]],
  ['a fall over three parts', 4_000, { 94: 120, 95: 130, 96: 110 }, [[376_000, 384_000, 0.36]]],
  ['a calm part within it', 4_000, { 94: 120, 95: 5, 96: 110 }, [[376_000, 384_000, 0.235]]],
  ['parts that are too small alone', 4_000, { 10: 20, 11: 20 }, [[40_000, 44_000, 0.04]]],
  ['too few in all', 4_000, { 10: 29 }, []],
  ['as many in each part', 4_000, everyPart(10), []],
  [
    'two falls apart',
    4_000,
    { 10: 100, 13: 50 },
    [
      [40_000, 40_000, 0.1],
      [52_000, 52_000, 0.05],
    ],
  ],
  // Both would be written as 0:01.
  ['two falls within a second', 120, { 9: 100, 14: 50 }, [[1_080, 1_680, 0.15]]],
  [
    'the largest three of four, in the order of the film',
    4_000,
    { 10: 40, 20: 100, 30: 80, 40: 60 },
    [
      [80_000, 80_000, 0.1],
      [120_000, 120_000, 0.08],
      [160_000, 160_000, 0.06],
    ],
  ],
  ['some who join after the beginning', 4_000, { 5: -300, 6: 300 }, [[24_000, 24_000, 0.3]]],
])('%s', (_, partMs, losses, places) => {
  expect(leavingPlaces(curveOf(partMs, losses))).toEqual(
    places.map(([fromMs, toMs, lost]) => ({ fromMs, toMs, lost })),
  );
});

test('of a thousand parts, many that leave at once are found, and chance is not', () => {
  const chance = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [3 * index + 1, 1 + (index % 2)]),
  );
  expect(leavingPlaces(curveOf(3_600, { ...chance, 503: 200 }, 1_000))).toEqual([
    { fromMs: 1_836_000, toMs: 1_836_000, lost: 0.205 },
  ]);
});
