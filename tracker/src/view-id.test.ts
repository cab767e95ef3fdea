import { expect, test } from 'vitest';
import { createViewId } from './view-id.ts';

test('is made of random digits, at most 64, and never the same again', () => {
  const ids = Array.from({ length: 1_000 }, createViewId);
  expect(ids.filter((id) => !/^[0-9]{28,40}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(1_000);
  // Four numbers below 2 ** 32 each, 128 bits: 38.97 digits on average, give or take 0.03.
  expect(ids.join('').length / ids.length).toBeGreaterThan(38.7);
  // Every place but the first takes every digit: no other part of it is fixed.
  for (let place = 1; place < 34; place += 1) {
    expect(new Set(ids.flatMap((id) => id[place] ?? [])).size).toBe(10);
  }
});
