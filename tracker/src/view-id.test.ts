import { expect, test } from 'vitest';
import { createViewId } from './view-id.ts';

test('is made of random digits, at most 64, and never the same again', () => {
  const ids = Array.from({ length: 1_000 }, createViewId);
  expect(ids.filter((id) => !/^[0-9]{4,40}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(1_000);
  // Four numbers below 2 ** 32, nearly all of which have nine digits or ten: 128 bits.
  expect(ids.filter((id) => id.length < 34)).toEqual([]);
  // Every place but the first takes every digit: no other part of it is fixed.
  for (let place = 1; place < 34; place += 1) {
    expect(new Set(ids.map((id) => id[place])).size).toBe(10);
  }
});
