import { expect, test } from 'vitest';
import { createWaitingRoom } from './waiting-room.ts';

test('those who wait are let in in their order, as many as left', async () => {
  const room = createWaitingRoom(60_000);
  const entered: string[] = [];
  const enter = async (name: string) => {
    if (await room.enter()) entered.push(name);
  };
  const all = ['first', 'second', 'third'].map(enter);
  room.letIn(2);
  await Promise.all(all.slice(0, 2));
  expect(entered).toEqual(['first', 'second']);
  room.letIn(5);
  await Promise.all(all);
  expect(entered).toEqual(['first', 'second', 'third']);
});

test('whoever waits too long is sent away, and takes no place', async () => {
  const room = createWaitingRoom(20);
  expect(await room.enter()).toBe(false);
  const later = room.enter();
  room.letIn(1);
  expect(await later).toBe(true);
});
