import { beforeEach, expect, test } from 'vitest';
import { type ManualClock, manualClock } from '../../../test/support/manual-clock.ts';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { type Admission, createAdmission, createAdmissionQueue } from './admission.ts';

let clock: ManualClock;
let waitingFacts: number;
let refusal: Fault | undefined;
let isFull: boolean;
let isFilling: boolean;
let entrance: Admission;
beforeEach(() => {
  clock = manualClock();
  waitingFacts = 0;
  refusal = undefined;
  isFull = false;
  isFilling = false;
  entrance = createAdmission({
    limits: {
      crowdedFacts: { small: 1_000, large: 500 },
      waitForRoomMs: { small: 20, large: 50 },
      factsBeforeParts: 100,
    },
    waitingFacts: () => waitingFacts,
    whyRefused: () => refusal,
    isFull: () => isFull,
    isFilling: () => isFilling,
    clock,
  });
});

/** Whether a request is let in that brings so many; it does not leave before it has to. */
async function isLetInAtOnce(mostFacts: number): Promise<boolean> {
  let isLetIn = false;
  Promise.resolve(entrance.requireRoom(mostFacts)).then(
    () => {
      isLetIn = true;
    },
    () => {},
  );
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  return isLetIn;
}

test.each([
  [499, 129, true],
  [500, 129, false],
  [500, 128, true],
  [999, 128, true],
  [1_000, 128, false],
  [1_000, 1, false],
])('while %d facts wait, a request of up to %d is let in: %s', async (waiting, most, isLetIn) => {
  waitingFacts = waiting;
  expect(await isLetInAtOnce(most)).toBe(isLetIn);
});

test('facts that are coming count as those that wait', async () => {
  waitingFacts = 300;
  expect(await isLetInAtOnce(199)).toBe(true);
  expect(await isLetInAtOnce(129)).toBe(true);
  expect(await isLetInAtOnce(129)).toBe(false);
});

test.each([
  [128, 20],
  [129, 50],
])('a request of up to %d waits %d ms for room', async (most, waitMs) => {
  waitingFacts = 1_000;
  const refused = expect(entrance.requireRoom(most)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'Too many facts are waiting',
    retryAfterSeconds: 2,
  });
  clock.advance(waitMs - 1);
  expect(clock.waiting()).toBe(1);
  clock.advance(1);
  await refused;
  expect(clock.waiting()).toBe(0);
});

test('whoever is refused hears why', async () => {
  refusal = new Fault('UNAVAILABLE', 'The store is not ready');
  const refused = expect(entrance.requireRoom(1)).rejects.toBe(refusal);
  clock.advance(20);
  await refused;
});

test('what a request held is free when it has left, once', async () => {
  waitingFacts = 400;
  const room = await entrance.requireRoom(200);
  expect(await isLetInAtOnce(200)).toBe(false);
  room.leave();
  // The one outside has the room now, and a second leave does not take it away.
  room.leave();
  expect(await isLetInAtOnce(200)).toBe(false);
});

test('a request that has been read holds its room until it leaves', async () => {
  waitingFacts = 400;
  const room = await entrance.requireRoom(200);
  clock.advance(999);
  await room.arrived();
  clock.advance(5_000);
  expect(await isLetInAtOnce(200)).toBe(false);
  // That one has waited long enough.
  clock.advance(50);
  room.leave();
  expect(await isLetInAtOnce(200)).toBe(true);
});

test('a request that was read too late takes its room again, and gives it back', async () => {
  waitingFacts = 400;
  const room = await entrance.requireRoom(200);
  clock.advance(1_000);
  await room.arrived();
  expect(await isLetInAtOnce(200)).toBe(false);
  clock.advance(50);
  room.leave();
  await room.arrived();
  expect(await isLetInAtOnce(200)).toBe(true);
});

test('each request that is not read gives its room to others a second after it came', async () => {
  await entrance.requireRoom(200);
  clock.advance(400);
  await entrance.requireRoom(200);
  const read = await entrance.requireRoom(100);
  await read.arrived();
  expect(clock.waiting()).toBe(1);
  clock.advance(599);
  expect(await isLetInAtOnce(200)).toBe(false);
  clock.advance(1);
  // The one outside has the room of the first.
  expect(await isLetInAtOnce(200)).toBe(false);
  clock.advance(399);
  expect(await isLetInAtOnce(200)).toBe(false);
  clock.advance(1);
  read.leave();
  expect(await isLetInAtOnce(200)).toBe(true);
});

test('large requests that have been read are worked on one in a turn', async () => {
  const rooms = await Promise.all([200, 200, 1].map((most) => entrance.requireRoom(most)));
  const begun: number[] = [];
  rooms.forEach(
    (room, index) => void Promise.resolve(room.arrived()).then(() => begun.push(index)),
  );
  await Promise.resolve();
  await Promise.resolve();
  expect(begun).toEqual([2]);
  await nextTurn();
  expect(begun).toEqual([2, 0]);
  await nextTurn();
  expect(begun).toEqual([2, 0, 1]);
});

test('while the disk is full nobody waits for room: all are refused at once', async () => {
  isFull = true;
  refusal = new Fault('UNAVAILABLE', 'The store is not ready');
  await expect(entrance.requireRoom(1)).rejects.toBe(refusal);
  expect(entrance.waitingRequests()).toBe(0);
  isFull = false;
  refusal = undefined;
  expect(await isLetInAtOnce(1)).toBe(true);
});

test('while the store falls behind, large requests wait and small ones do not', async () => {
  isFilling = true;
  expect(await isLetInAtOnce(129)).toBe(false);
  expect(await isLetInAtOnce(128)).toBe(true);
});

test('a request that is not read holds its room for a second', async () => {
  waitingFacts = 400;
  await entrance.requireRoom(200);
  clock.advance(980);
  const next = entrance.requireRoom(200);
  clock.advance(19);
  expect(clock.waiting()).toBe(2);
  clock.advance(1);
  (await next).leave();
  // One timer for all that came within its second; then it rests.
  for (let count = 0; count < 3; count += 1) (await entrance.requireRoom(1)).leave();
  expect(clock.waiting()).toBe(1);
  clock.advance(1_000);
  expect(clock.waiting()).toBe(0);
});

test.each([1, 200])('one that brings up to %d is let in when facts have left', async (most) => {
  waitingFacts = 1_000;
  const entering = entrance.requireRoom(most);
  waitingFacts = 0;
  entrance.letIn();
  (await entering).leave();
  // Of the waiting nothing is left.
  entrance.close();
  expect(clock.waiting()).toBe(0);
});

/** The order in which parts were let go. */
function askForParts(...parts: number[]) {
  const gone: number[] = [];
  const asked = parts.map(async (facts, index) => {
    const leave = await entrance.requirePart(facts);
    gone.push(index);
    return leave;
  });
  return { gone, asked };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
}

test('parts go while few facts wait, in the order in which they asked', async () => {
  waitingFacts = 99;
  const { gone, asked } = askForParts(1, 500, 1);
  await settled();
  expect(gone).toEqual([0]);
  waitingFacts = 0;
  clock.advance(10);
  await settled();
  // The first is still coming, and the second is large, but there was room when it was looked.
  expect(gone).toEqual([0, 1]);
  for (const leave of (await Promise.all(asked.slice(0, 2))) ?? []) leave();
  clock.advance(10);
  await settled();
  expect(gone).toEqual([0, 1, 2]);
  await Promise.all(asked);
});

test('parts wait while the store falls behind, and small requests do not', async () => {
  isFilling = true;
  const { gone } = askForParts(1);
  await settled();
  expect(gone).toEqual([]);
  expect(await isLetInAtOnce(1)).toBe(true);
  isFilling = false;
  clock.advance(10);
  await settled();
  expect(gone).toEqual([0]);
});

test('a part that waits for too long is refused, and those behind it have their time', async () => {
  waitingFacts = 100;
  const refused = expect(entrance.requirePart(1)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  clock.advance(40);
  await settled();
  const { gone } = askForParts(1);
  clock.advance(10);
  await refused;
  waitingFacts = 0;
  clock.advance(10);
  await settled();
  expect(gone).toEqual([0]);
});

test('when it closes, parts are refused too', async () => {
  waitingFacts = 100;
  const refused = expect(entrance.requirePart(1)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await settled();
  entrance.close();
  clock.advance(10);
  await refused;
});

test('when it closes, those outside and all who come are refused at once', async () => {
  waitingFacts = 1_000;
  const outside = [1, 200].map((most) => expect(entrance.requireRoom(most)).rejects.toThrow());
  entrance.close();
  await Promise.all(outside);
  waitingFacts = 0;
  await expect(entrance.requireRoom(1)).rejects.toThrow('Too many facts are waiting');
  expect(clock.waiting()).toBe(0);
});

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
