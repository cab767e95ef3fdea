import { expect, test } from 'vitest';
import { rememberLast } from './last-result.ts';

test('the last answer is given again to the same object, and to no other', () => {
  let reads = 0;
  const read = rememberLast(({ name }: { name: string }) => {
    reads += 1;
    return name === '' ? undefined : name;
  });
  const [first, nameless] = [{ name: 'a' }, { name: '' }];
  expect([first, first, { name: 'a' }, first].map(read)).toEqual(['a', 'a', 'a', 'a']);
  expect(reads).toBe(3);
  expect([nameless, nameless].map(read)).toEqual([undefined, undefined]);
  expect(reads).toBe(4);
});
