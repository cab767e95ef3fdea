import { expect, test } from 'vitest';
import { areaPath, bandPath, curvePaths, linePath, spotsOf } from './line-path.ts';

/** Points 10 px apart, a px for each unit above a floor at 100. */
const spots = (...values: (number | null | undefined)[]) =>
  spotsOf(
    values,
    (index) => 10 * index,
    (value) => 100 - value,
  );

test.each([
  ['nothing', [], '', ''],
  ['no value', [null, undefined], '', ''],
  ['values, 0 among them', [5, 0, 7], 'M0 95L10 100L20 93', 'M0 95L10 100L20 93L20 100L0 100Z'],
  ['a first one alone', [5, null], 'M0 95', 'M0 95L0 100L0 100Z'],
  [
    'a gap',
    [1, 2, null, 3, 4],
    'M0 99L10 98M30 97L40 96',
    'M0 99L10 98L10 100L0 100ZM30 97L40 96L40 100L30 100Z',
  ],
  ['gaps at both ends', [null, 1, 2, null], 'M10 99L20 98', 'M10 99L20 98L20 100L10 100Z'],
  ['tenths of a px', [1.26], 'M0 98.7', 'M0 98.7L0 100L0 100Z'],
])('the line and the area of %s', (_, values, line, area) => {
  expect(linePath(spots(...values))).toBe(line);
  expect(areaPath(spots(...values), 100)).toBe(area);
});

test.each([
  ['is over', [1, 2, 3], false, { line: 'M0 99L10 98L20 97' }],
  ['is running', [1, 2, 3], true, { line: 'M0 99L10 98', running: 'M10 98L20 97' }],
  [
    'is running, with points to come',
    [1, 2, null, null],
    true,
    { line: 'M0 99', running: 'M0 99L10 98' },
  ],
  ['is all that there is', [1], true, { line: 'M0 99', only: { x: 0, y: 99 } }],
  ['is all that has begun', [1, null], false, { line: 'M0 99', only: { x: 0, y: 99 } }],
  ['has not begun', [null, null], true, { line: '' }],
])('the curve whose last point %s', (_, values, isRunning, paths) => {
  const area = areaPath(spots(...values), 100);
  expect(curvePaths(spots(...values), 100, isRunning)).toEqual({ area, ...paths });
});

test('a band lies between its lines, interrupted where one of them has no value', () => {
  const lower = [2, 2, null, 4, 4].map((y, x) => ({ x, y }));
  const upper = [1, 1, 1, 3, 3].map((y, x) => ({ x, y }));
  expect(bandPath(lower, upper)).toBe('M0 1L1 1L1 2L0 2ZM3 3L4 3L4 4L3 4Z');
});
