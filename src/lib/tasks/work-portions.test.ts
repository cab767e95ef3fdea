import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextTurn } from './fair-turns.ts';
import { sortPortions } from './work-portions.ts';

test('the order is that of sort, also of equals', async () => {
  const item = fc.record({ key: fc.nat(50), name: fc.string({ maxLength: 2 }) });
  const lengths = fc.constantFrom(0, 1, 3_999, 4_000, 4_001, 12_345);
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 1, maxLength: 40 }),
      lengths,
      async (some, length) => {
        const items = Array.from({ length }, (_, index) => ({
          ...some[index % some.length],
          index,
        }));
        const compare = (one: { key?: number }, other: { key?: number }) =>
          (one.key ?? 0) - (other.key ?? 0);
        expect(await sortPortions(items, compare, nextTurn)).toEqual(items.toSorted(compare));
      },
    ),
    { numRuns: 20 },
  );
});

test('others have their turn in between', async () => {
  let turns = 0;
  const takeTurn = async () => {
    turns += 1;
  };
  await sortPortions(
    Array.from({ length: 20_000 }, (_, index) => -index),
    (a, b) => a - b,
    takeTurn,
  );
  expect(turns).toBeGreaterThan(8);
});
