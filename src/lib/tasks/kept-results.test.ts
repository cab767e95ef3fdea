import { expect, test } from 'vitest';
import { makeOnce } from './kept-results.ts';

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
