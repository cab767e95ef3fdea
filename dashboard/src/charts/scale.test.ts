import { expect, test } from 'vitest';
import { chartHeight, momentsTo, ticksTo } from './scale.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

test.each([
  ['a clip', 12 * second, 9, [0, 2, 4, 6, 8, 10, 12].map((at) => at * second)],
  ['a clip on a phone', 12 * second, 4, [0, 5, 10].map((at) => at * second)],
  ['a film', 428 * second, 9, [0, 1, 2, 3, 4, 5, 6, 7].map((at) => at * minute)],
  ['a lecture', 59 * minute, 9, [0, 10, 20, 30, 40, 50].map((at) => at * minute)],
  ['less than a second', 900, 9, [0]],
  ['a day', 24 * hour, 4, [0, 6, 12, 18, 24].map((at) => at * hour)],
])('the moments of %s are evenly apart', (_, lengthMs, most, moments) => {
  expect(momentsTo(lengthMs, most)).toEqual(moments);
});

test('an axis ends at a round value above the largest', () => {
  expect(ticksTo(7, 'count')).toEqual([0, 2, 4, 6, 8]);
  expect(ticksTo(1_300 * hour, 'duration')).toEqual([0, 500, 1_000, 1_500].map((at) => at * hour));
});

test('a chart is a fifth as tall as it is wide, within bounds', () => {
  expect([320, 1_240, 2_000, 3_800].map(chartHeight)).toEqual([248, 248, 400, 440]);
});
