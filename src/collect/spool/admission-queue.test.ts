import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createAdmissionQueue } from './admission-queue.ts';

const clock = manualClock();

function createPlaces(free: number) {
  const places = { free };
  const take = (amount: number) => {
    if (amount > places.free) return false;
    places.free -= amount;
    return true;
  };
  return { places, take };
}

test('those who wait are let in in their order, as many as there is room for', async () => {
  const { places, take } = createPlaces(1);
  const room = createAdmissionQueue({ longestWaitMs: 60_000, clock, take });
  const entered: string[] = [];
  const enter = async (name: string, amount: number) => {
    if (await room.enter(amount)) entered.push(name);
  };
  const all = [enter('first', 1), enter('second', 2), enter('third', 1), enter('fourth', 1)];
  places.free = 1;
  room.letIn();
  await all[0];
  // The third is not let in before the second, although there is room for it.
  expect(entered).toEqual(['first']);
  places.free = 3;
  room.letIn();
  await Promise.all(all.slice(0, 3));
  expect(entered).toEqual(['first', 'second', 'third']);
  places.free = 1;
  room.letIn();
  await Promise.all(all);
  expect(clock.waiting()).toBe(0);
});

test('whoever is let in or sent away is out of the way of those who come later', async () => {
  const { places, take } = createPlaces(1);
  const room = createAdmissionQueue({ longestWaitMs: 20, clock, take });
  expect(await room.enter(1)).toBe(true);
  const [later, last] = [room.enter(1), room.enter(1)];
  places.free = 1;
  room.letIn();
  expect(await later).toBe(true);
  clock.advance(20);
  expect(await last).toBe(false);
  places.free = 1;
  expect(await room.enter(1)).toBe(true);
  expect([places.free, clock.waiting()]).toEqual([0, 0]);
});

test('nobody passes those who came before, though there is room for the one', async () => {
  const { places, take } = createPlaces(0);
  const room = createAdmissionQueue({ longestWaitMs: 20, clock, take });
  const first = room.enter(2);
  places.free = 1;
  const second = room.enter(1);
  expect(places.free).toBe(1);
  places.free = 3;
  room.letIn();
  expect(await Promise.all([first, second])).toEqual([true, true]);
});
