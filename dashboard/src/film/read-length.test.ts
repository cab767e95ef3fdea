import { expect, test } from 'vitest';
import { readLength } from './read-length.ts';

test.each([
  ['', 0],
  [' 95 ', 95_000],
  ['2:05', 125_000],
  ['1:02:03.5', 3_723_500],
  ['soon', undefined],
  ['1:2:3:4', undefined],
  ['-5', undefined],
])('"%s" is %s ms', (text, ms) => {
  expect(readLength(text)).toBe(ms);
});
