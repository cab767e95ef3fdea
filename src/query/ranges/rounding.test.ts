import { expect, test } from 'vitest';
import { halfUp } from './rounding.ts';

test.each([
  [0n, 7n, 3, 0],
  [1n, 3n, 3, 0.333],
  [2n, 3n, 3, 0.667],
  [1n, 2_000n, 3, 0.001],
  [999n, 2_000_000n, 3, 0],
  [1_000n, 2_000_000n, 3, 0.001],
  [3n, 2_000n, 3, 0.002],
  [103_125n, 100_000n, 4, 1.0313],
  [5n, 1n, 0, 5],
  [2n ** 70n + 1n, 2n ** 71n, 4, 0.5],
])('%d / %d to %d decimals is %d', (part, whole, decimals, expected) => {
  expect(halfUp(part, whole, decimals)).toBe(expected);
});
