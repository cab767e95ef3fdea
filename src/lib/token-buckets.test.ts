import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTokenBuckets } from './token-buckets.ts';

const perMinute = (tokens: number) => tokens / 60_000;

test('a bucket begins full, empties to the last token and fills at its pace', () => {
  const options = { tokensPerMs: perMinute(200), fillMs: 180_000, mostBuckets: 10 };
  const { room, take } = createTokenBuckets(options);
  const startMs = 5e8;
  expect(room('a', startMs)).toBe(600);
  for (let token = 0; token < 600; token += 1) take('a', 1, startMs);
  const later: readonly (readonly [number, number])[] = [
    [0, 0],
    [299, 0],
    [300, 1],
    [179_999, 599],
    [180_000, 600],
    [1e9, 600],
  ];
  expect(later.map(([afterMs]) => [afterMs, room('a', startMs + afterMs)])).toEqual(later);
});

test('each name has a bucket of its own', () => {
  const { room, take } = createTokenBuckets({ tokensPerMs: 1, fillMs: 100, mostBuckets: 10 });
  take('a', 100, 0);
  expect([room('a', 0), room('b', 0)]).toEqual([0, 100]);
});

test('beyond the bound the bucket not used for longest is forgotten', () => {
  const { room, take } = createTokenBuckets({ tokensPerMs: 1, fillMs: 100, mostBuckets: 2 });
  take('a', 100, 0);
  take('b', 100, 0);
  expect(room('a', 0)).toBe(0);
  take('c', 100, 0);
  expect([room('a', 0), room('b', 0), room('c', 0)]).toEqual([0, 100, 0]);
});

test('never more is taken than was there and has come since', () => {
  const step = fc.record({ waitMs: fc.nat(5_000), wanted: fc.nat(50) });
  const pace = fc.constantFrom(perMinute(7), 1 / 3, 2, perMinute(200));
  const fill = fc.integer({ min: 1, max: 9_000 });
  fc.assert(
    fc.property(pace, fill, fc.array(step), (tokensPerMs, fillMs, steps) => {
      const { room, take } = createTokenBuckets({ tokensPerMs, fillMs, mostBuckets: 1 });
      let nowMs = 0;
      let exact = fillMs * tokensPerMs;
      for (const { waitMs, wanted } of steps) {
        nowMs += waitMs;
        exact = Math.min(fillMs * tokensPerMs, exact + waitMs * tokensPerMs);
        expect(Math.abs(room('a', nowMs) - exact)).toBeLessThan(1.001);
        const tokens = Math.min(wanted, room('a', nowMs));
        take('a', tokens, nowMs);
        exact -= tokens;
      }
    }),
  );
});
