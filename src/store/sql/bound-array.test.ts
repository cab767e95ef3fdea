import { expect, test } from 'vitest';
import { boundArray } from './account-days.ts';

test('an empty array is bound as one', () => {
  expect(boundArray('ids', 'UInt32', [])).toEqual({
    sql: '{idsPart0:Array(UInt32)}',
    parameters: { idsPart0: [] },
  });
});

/** As many as the store takes in one field. Numbers count 21 characters, texts twice their bytes. */
test.each<[string, string | number, number]>([
  ['numbers', 1, 4_761],
  ['texts', 'a'.repeat(61), 800],
  ['texts of two bytes a letter', `${'é'.repeat(30)}a`, 800],
])('%s are bound in as many parameters as they need', (_, value, most) => {
  const values = (length: number) => Array.from({ length }, () => value);
  expect(boundArray('of', 'String', values(most))).toEqual({
    sql: '{ofPart0:Array(String)}',
    parameters: { ofPart0: values(most) },
  });
  expect(boundArray('of', 'String', values(2 * most + 1))).toEqual({
    sql: 'arrayConcat({ofPart0:Array(String)}, {ofPart1:Array(String)}, {ofPart2:Array(String)})',
    parameters: { ofPart0: values(most), ofPart1: values(most), ofPart2: [value] },
  });
});
