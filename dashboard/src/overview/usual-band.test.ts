import { expect, test } from 'vitest';
import { addDays } from '../calendar.ts';
import { usualBand } from './usual-band.ts';

const day = '2026-11-29';
const weeks = (values: readonly (number | null)[]) =>
  new Map(
    values.map((value, index) => [addDays(day, -7 * (values.length - index)), value] as const),
  );

test('the band reaches from the 10th to the 90th percentile of the same weekday in eight weeks', () => {
  expect(usualBand(day, weeks([80, 10, 20, 30, 40, 50, 60, 70]))).toEqual([17, 73]);
});

test('earlier weeks, other weekdays and days without a value are left out', () => {
  const values = new Map([
    [addDays(day, -63), 900],
    ...weeks([4, null, 4, null, 4, null, 4, 4]),
    [addDays(day, -6), 900],
    [addDays(day, -1), 900],
  ]);
  expect(usualBand(day, values)).toEqual([4, 4]);
});

test.each([
  ['nothing was counted', weeks([0, 0, 0, 0, 0, 0, 0, 0]), undefined],
  ['counting began three weeks ago', weeks([0, 0, 0, 0, 0, 7, 8, 9]), undefined],
  ['counting began four weeks ago', weeks([0, 0, 0, 0, 9, 9, 9, 9]), [9, 9]],
  ['a day is empty later', weeks([0, 0, 10, 0, 0, 0, 0, 4]), [0, 7]],
])('where %s, days before the first play are not known', (_, values, band) => {
  expect(usualBand(day, values)).toEqual(band);
});
