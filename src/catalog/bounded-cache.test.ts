import { expect, test } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

test('at its limit the one not used for longest goes', () => {
  const cache = new BoundedCache<string, number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  expect(cache.size).toBe(2);
});

test('setting what is there replaces it and drops nothing', () => {
  const cache = new BoundedCache<string, number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.set('a', 3);
  expect([cache.get('a'), cache.get('b')]).toEqual([3, 2]);
});

test('is empty once cleared', () => {
  const cache = new BoundedCache<string, number>(2);
  cache.set('a', 1);
  cache.clear();
  expect([cache.size, cache.get('a')]).toEqual([0, undefined]);
});
