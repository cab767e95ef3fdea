import { expect, test } from 'vitest';
import { remembered } from './memo.ts';

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
