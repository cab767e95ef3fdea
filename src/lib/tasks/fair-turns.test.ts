import { expect, test } from 'vitest';
import { createFairTurns, nextTurn } from './fair-turns.ts';

test('each turn of the event loop lets one portion go, in the order in which they asked', async () => {
  const takeTurn = createFairTurns();
  const done: string[] = [];
  const work = async (name: string, portions: number) => {
    for (let portion = 0; portion < portions; portion += 1) {
      await takeTurn();
      done.push(name);
    }
  };
  const all = Promise.all([work('a', 3), work('b', 1), work('c', 2)]);
  const doneByTurn: number[] = [];
  while (done.length < 6) {
    await nextTurn();
    doneByTurn.push(done.length);
  }
  await all;
  expect(done).toEqual(['a', 'b', 'c', 'a', 'c', 'a']);
  const steps = doneByTurn.map((count, turn) => count - (doneByTurn[turn - 1] ?? 0));
  expect(Math.max(...steps)).toBe(1);
});

test('it goes on after everybody has been served', async () => {
  const takeTurn = createFairTurns();
  await takeTurn();
  await nextTurn();
  await takeTurn();
});

test('with a share of the turns, the others are left free', async () => {
  const takeTurn = createFairTurns(3);
  let done = 0;
  const all = Promise.all([1, 2, 3].map(() => takeTurn().then(() => (done += 1))));
  let turns = 0;
  for (; done < 3; turns += 1) await nextTurn();
  await all;
  expect(turns).toBeGreaterThanOrEqual(9);
});
