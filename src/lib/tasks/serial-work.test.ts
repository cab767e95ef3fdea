import { expect, test } from 'vitest';
import { combineWork } from './serial-work.ts';

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
