import { expect, test } from 'vitest';
import { placeOf, roundValue, shownBuckets } from './spread-bars.ts';

/** As the interface has them: from 0, then ten for each power of ten. */
const bounds = [0, ...Array.from({ length: 51 }, (_, step) => Math.round(10 ** (1 + step / 10)))];
const bucketsWith = (held: Readonly<Record<number, number>>) =>
  bounds.map((from, index) => ({ from, to: bounds[index + 1] ?? null, views: held[from] ?? 0 }));

test('what is shown begins and ends with an empty bar', () => {
  const shown = shownBuckets(bucketsWith({ 200: 3, 5012: 1 }));
  expect([shown[0]?.from, shown.at(-1)?.from]).toEqual([158, 6_310]);
  expect(shownBuckets(bucketsWith({}))).toEqual([]);
});

test('few ranges are shown among as many empty ones as a chart needs', () => {
  expect(shownBuckets(bucketsWith({ 1000: 9 }))).toHaveLength(13);
});

test('a value stands within its bar, by the logarithm', () => {
  const buckets = bucketsWith({}).slice(0, 12);
  expect(placeOf(5, buckets)).toBe(0.5);
  expect(placeOf(10, buckets)).toBe(1);
  expect(placeOf(Math.sqrt(100 * 126), buckets)).toBe(11.5);
  expect(placeOf(1_000_000, buckets)).toBe(12);
  expect(placeOf(2_000_000, bucketsWith({}))).toBe(51);
});

test('labels stand at 1, 2 and 5 of each power of ten', () => {
  const labels = bucketsWith({}).map((bucket) => roundValue(bucket));
  expect(labels.filter((label) => label !== undefined)).toEqual([
    ...[10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000],
    ...[10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000],
  ]);
});
