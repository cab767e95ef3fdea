import { expect, test } from 'vitest';
import { combineWork, shareNext } from './serial-work.ts';

const named = (...names: readonly string[]) => new Map(names.map((name) => [name, name]));

test('while it is done for some, others wait, and each goes once', async () => {
  const turns: (readonly string[])[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const go = combineWork((wanted: readonly string[]) => {
    turns.push(wanted);
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  });
  const first = go(named('a'));
  await expect.poll(() => turns).toEqual([['a']]);
  const others = [go(named('b', 'c')), go(named('c', 'a'))];
  ends[0]?.resolve();
  await first;
  await expect.poll(() => turns).toEqual([['a'], ['b', 'c', 'a']]);
  ends[1]?.reject(new Error('away'));
  await Promise.all(others.map((other) => expect(other).rejects.toThrow('away')));
  // A turn that failed stops none after it.
  const last = go(named('d'));
  await expect.poll(() => turns.at(-1)).toEqual(['d']);
  ends[2]?.resolve();
  await last;
});

test('whoever asks while work is done shares the next, under each name by itself', async () => {
  const begun: string[] = [];
  const ends: PromiseWithResolvers<number>[] = [];
  const share = shareNext();
  const ask = (name: string) =>
    share(name, () => {
      begun.push(name);
      const end = Promise.withResolvers<number>();
      ends.push(end);
      return end.promise;
    });
  const [first, second, third, other] = [ask('a'), ask('a'), ask('a'), ask('b')];
  expect(begun).toEqual(['a', 'b']);
  ends[0]?.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await expect.poll(() => begun).toEqual(['a', 'b', 'a']);
  const fourth = ask('a');
  ends[2]?.resolve(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  await expect.poll(() => begun).toEqual(['a', 'b', 'a', 'a']);
  ends[3]?.resolve(3);
  ends[1]?.resolve(1);
  expect(await Promise.all([fourth, other])).toEqual([3, 1]);
  // Nothing is kept of what has ended.
  const last = ask('a');
  expect(begun).toHaveLength(5);
  ends[4]?.resolve(4);
  expect(await last).toBe(4);
});
