import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNumberTable, type NumberKey } from './number-table.ts';

const keyOf = (number: number): NumberKey => [number, 7, 0xffff_ffff, number >>> 3];

test('it is a map while there are few', () => {
  // Words that agree in all but one are different keys.
  const word = fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1);
  const key = fc.tuple(word, word, word, word);
  const entries = fc.array(fc.tuple(key, fc.nat({ max: 2 ** 31 - 1 })), { maxLength: 500 });
  fc.assert(
    fc.property(entries, (given) => {
      const table = createNumberTable(256);
      const map = new Map<string, number>();
      for (const [one, value] of given) {
        expect(table.get(one)).toBe(map.get(one.join()));
        table.set(one, value);
        map.set(one.join(), value);
        expect(table.get(one)).toBe(value);
      }
      for (const [one] of given) expect(table.get(one)).toBe(map.get(one.join()));
    }),
  );
});

test('keys that differ in one word alone are told apart wherever they lie', () => {
  const table = createNumberTable(2);
  table.set([1, 1, 1, 1], 5);
  for (const word of [0, 1, 2, 3]) {
    for (let other = 2; other < 100; other += 1) {
      const key: NumberKey = [1, 1, 1, 1].with(word, other) as unknown as NumberKey;
      expect(table.get(key)).toBeUndefined();
    }
  }
});

test('a value that is set again takes no further place', () => {
  const table = createNumberTable(2);
  table.set(keyOf(0), 0);
  for (let value = 0; value < 9; value += 1) table.set(keyOf(1), value);
  expect([table.get(keyOf(0)), table.get(keyOf(1))]).toEqual([0, 8]);
});

test('it holds 0, and large and broken numbers', () => {
  const table = createNumberTable(10);
  for (const [index, value] of [0, 0.5, 2 ** 50].entries()) table.set(keyOf(index), value);
  expect([0, 1, 2, 3].map((index) => table.get(keyOf(index)))).toEqual([
    0,
    0.5,
    2 ** 50,
    undefined,
  ]);
});

test('the keys used last are there, and those of twice as many others ago are not', () => {
  const least = 1_000;
  const table = createNumberTable(least);
  for (let index = 0; index < 10 * least; index += 1) table.set(keyOf(index), index);
  const last = 10 * least - 1;
  for (let index = last; index > last - least; index -= 1) {
    expect(table.get(keyOf(index))).toBe(index);
  }
  for (let index = last - 2 * least; index >= 0; index -= 1) {
    expect(table.get(keyOf(index))).toBeUndefined();
  }
});

test('a key that is asked for again and again stays', () => {
  const table = createNumberTable(1_000);
  table.set(keyOf(0), 5);
  for (let index = 1; index < 10_000; index += 1) {
    table.set(keyOf(index), index);
    if (index % 900 === 0) expect(table.get(keyOf(0))).toBe(5);
  }
});
