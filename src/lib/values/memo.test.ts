import { expect, test } from 'vitest';
import { remembered, rememberLast } from './memo.ts';

test('what has one key is made once, and is then the same', () => {
  const asked: string[][] = [];
  const joined = remembered(
    (words: string[]) => {
      asked.push(words);
      return { text: words.join('-') };
    },
    (words) => words.join(' '),
  );
  const first = joined(['a', 'b']);
  expect([first, joined(['b'])]).toEqual([{ text: 'a-b' }, { text: 'b' }]);
  expect(joined(['a', 'b'])).toBe(first);
  expect(asked).toEqual([['a', 'b'], ['b']]);
});

test('also what is empty', () => {
  let made = 0;
  const textOf = remembered(
    () => {
      made += 1;
      return '';
    },
    (number: number) => number,
  );
  expect([textOf(1), textOf(1), made]).toEqual(['', '', 1]);
});

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
