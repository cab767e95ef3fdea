import { expect, test } from 'vitest';
import { createViewId } from './view-id.ts';

test('is made of random digits, at most 64, and never the same again', () => {
  const ids = Array.from({ length: 1_000 }, createViewId);
  expect(ids.filter((id) => !/^[0-9]{4,40}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(1_000);
  // Four numbers below 2 ** 32, of nine or ten digits as a rule: a thousand of 128 bits have a
  // shorter one once in a hundred thousand runs.
  expect(ids.filter((id) => id.length < 28)).toEqual([]);
  // Every place but the first takes every digit: no other part of it is fixed.
  for (let place = 1; place < 28; place += 1) {
    expect(new Set(ids.map((id) => id[place])).size).toBe(10);
  }
});
