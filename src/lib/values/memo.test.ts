import { expect, test } from 'vitest';
import { makeOnce, remembered, rememberLast } from './memo.ts';

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

test('what has a key is made once, also while it is being made', async () => {
  const made: string[] = [];
  const get = makeOnce(async (key: string) => {
    made.push(key);
    return `page ${key}`;
  });
  expect(await Promise.all(['a', 'b', 'a'].map(get))).toEqual(['page a', 'page b', 'page a']);
  await get('a');
  expect(made).toEqual(['a', 'b']);
});

test('what could not be made is made anew', async () => {
  let tries = 0;
  const get = makeOnce(async (key: string) => {
    tries += 1;
    if (tries === 1) throw new Error('EMFILE');
    return `page ${key}`;
  });
  await expect(get('a')).rejects.toThrow('EMFILE');
  expect(await get('a')).toBe('page a');
  expect(await get('a')).toBe('page a');
  expect(tries).toBe(2);
});
