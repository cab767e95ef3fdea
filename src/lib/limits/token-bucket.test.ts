import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBucketPace, debtMs, fullBucket } from './token-bucket.ts';

const perMinute = (tokens: number) => tokens / 60_000;

test('a bucket begins full, empties to the last token and fills at its pace', () => {
  const { room, take } = createBucketPace({ tokensPerMs: perMinute(200), fillMs: 180_000 });
  const bucket = fullBucket();
  const startMs = 5e8;
  expect(room(bucket, startMs)).toBe(600);
  for (let token = 0; token < 600; token += 1) take(bucket, 1, startMs);
  const later: readonly (readonly [number, number])[] = [
    [0, 0],
    [299, 0],
    [300, 1],
    [179_999, 599],
    [180_000, 600],
    [1e9, 600],
  ];
  expect(later.map(([afterMs]) => [afterMs, room(bucket, startMs + afterMs)])).toEqual(later);
});

test('what is taken beyond its room is a debt that is filled first', () => {
  const { room, take } = createBucketPace({ tokensPerMs: 0.5, fillMs: 100 });
  const bucket = fullBucket();
  take(bucket, 50, 1_000);
  expect(debtMs(bucket, 100, 1_000)).toBe(0);
  take(bucket, 10, 1_000);
  expect([room(bucket, 1_000), debtMs(bucket, 100, 1_000)]).toEqual([0, 20]);
  expect([room(bucket, 1_020), debtMs(bucket, 100, 1_020)]).toEqual([0, 0]);
  expect(room(bucket, 1_022)).toBe(1);
});

test('each bucket is a full one of its own', () => {
  const { room, take } = createBucketPace({ tokensPerMs: 1, fillMs: 100 });
  const [one, other] = [fullBucket(), fullBucket()];
  take(one, 100, 0);
  expect([room(one, 0), room(other, 0)]).toEqual([0, 100]);
});

test('never more is taken than was there and has come since', () => {
  const step = fc.record({ waitMs: fc.nat(5_000), wanted: fc.nat(50) });
  const pace = fc.constantFrom(perMinute(7), 1 / 3, 2, perMinute(200));
  const fill = fc.integer({ min: 1, max: 9_000 });
  fc.assert(
    fc.property(pace, fill, fc.array(step), (tokensPerMs, fillMs, steps) => {
      const { room, take } = createBucketPace({ tokensPerMs, fillMs });
      const bucket = fullBucket();
      let nowMs = 0;
      let exact = fillMs * tokensPerMs;
      for (const { waitMs, wanted } of steps) {
        nowMs += waitMs;
        exact = Math.min(fillMs * tokensPerMs, exact + waitMs * tokensPerMs);
        expect(Math.abs(room(bucket, nowMs) - exact)).toBeLessThan(1.001);
        const tokens = Math.min(wanted, room(bucket, nowMs));
        take(bucket, tokens, nowMs);
        exact -= tokens;
      }
    }),
  );
});
