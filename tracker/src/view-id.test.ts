import { expect, test } from 'vitest';
import { createViewId } from './view-id.ts';

test('has 128 bits in a form of one length, and never the same again', () => {
  const ids = Array.from({ length: 1_000 }, createViewId);
  expect(ids.filter((id) => !/^[0-9a-f]{32}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(1_000);
  // Every place takes every digit: no part of it is fixed.
  const digits = Array.from({ length: 32 }, (_, place) => new Set(ids.map((id) => id[place])).size);
  expect(new Set(digits)).toEqual(new Set([16]));
});
