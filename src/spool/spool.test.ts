import { pino } from 'pino';
import { expect, test } from 'vitest';
import { faultyWriter } from '../../test/support/faulty-writer.ts';
import type { StretchFact } from '../facts/facts.ts';
import { createSpool } from './spool.ts';

const logger = pino({ level: 'silent' });

function facts(count: number, view = 'view'): StretchFact[] {
  return Array.from({ length: count }, (_, stretch) => ({
    accountId: 1,
    slotStart: 0,
    packageId: 1,
    videoId: 1,
    os: 'Linux',
    osVersion: 'Unknown',
    view,
    stretch,
    plays: 0,
    playMs: 1,
  }));
}

/** The same for small requests and large ones. */
function forAll(limit: number) {
  return { small: limit, large: limit };
}

test('whatever arrives during an insert goes with the next one', async () => {
  const writer = faultyWriter();
  const spool = createSpool({ writer, logger, limits: { insertEveryMs: 0 } });
  writer.hold();
  const adding = [spool.add(facts(1)), spool.add(facts(2)), spool.add(facts(3))];
  writer.release();
  await Promise.all(adding);
  expect(writer.written.map((group) => group.length)).toEqual([1, 5]);
  expect(spool.waitingFacts()).toBe(0);
});

test('an insert takes no more than its bound, but a sender whole', async () => {
  const writer = faultyWriter();
  const limits = { insertEveryMs: 0, factsPerInsert: 4 };
  const spool = createSpool({ writer, logger, limits });
  writer.hold();
  const adding = [1, 3, 2, 9, 1].map((count) => spool.add(facts(count)));
  writer.release();
  await Promise.all(adding);
  expect(writer.written.map((group) => group.length)).toEqual([1, 3, 2, 9, 1]);
});

test('an insert that failed is written again before the senders are answered', async () => {
  const writer = faultyWriter();
  const spool = createSpool({ writer, logger });
  writer.failNext(2);
  await spool.add(facts(2));
  expect(writer.attempts()).toBe(3);
  expect(writer.written).toHaveLength(1);
});

test('a store that never takes them: the senders are told to send again', async () => {
  const writer = faultyWriter();
  const spool = createSpool({ writer, logger, limits: { waitMs: 250 } });
  writer.failNext(1_000);
  await expect(spool.add(facts(1))).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: 2,
  });
  expect(spool.waitingFacts()).toBe(0);
});

test('beyond its bound the spool refuses at once', async () => {
  const writer = faultyWriter();
  const spool = createSpool({ writer, logger, limits: { waitingFacts: 10 } });
  writer.hold();
  const adding = [spool.add(facts(6)), spool.add(facts(6))];
  await expect(spool.add(facts(1))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  writer.release();
  await Promise.all(adding);
  await spool.add(facts(1));
});

test('while the store is not ready the spool refuses at once', async () => {
  const writer = faultyWriter();
  const spool = createSpool({ writer, logger });
  writer.notReady('The engine is starting');
  await expect(spool.add(facts(1))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(writer.attempts()).toBe(0);
});

const soon = () => new Promise((resolve) => setTimeout(resolve, 30));

test('stopping writes what waits and takes no more', async () => {
  const writer = faultyWriter();
  const spool = createSpool({ writer, logger });
  writer.hold();
  const adding = [spool.add(facts(1)), spool.add(facts(2))];
  const stopping = spool.stop();
  writer.release();
  await Promise.all([...adding, stopping]);
  expect(writer.written.flat()).toHaveLength(3);
  await expect(spool.add(facts(1))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('while much is waiting, requests are kept outside until there is room for what they bring', async () => {
  const writer = faultyWriter();
  const limits = {
    crowdedFacts: { small: 9_000, large: 2_000 },
    waitForRoomMs: forAll(60_000),
  };
  const spool = createSpool({ writer, logger, limits });
  writer.hold();
  const adding = [spool.add(facts(500)), spool.add(facts(1_500))];
  const letIn: (() => void)[] = [];
  const outside = Array.from({ length: 5 }, async () => letIn.push(await spool.requireRoom(1_000)));
  // Small ones pass them.
  const leaveSmall = await spool.requireRoom(1);
  leaveSmall();
  await soon();
  expect(letIn).toHaveLength(0);
  writer.release();
  await Promise.all(adding);
  await soon();
  // Two bring as much as there is room for, and it is not known how much they will.
  expect(letIn).toHaveLength(2);
  const [leave] = letIn;
  leave?.();
  leave?.();
  await soon();
  expect(letIn).toHaveLength(3);
  for (const leaveToo of letIn) leaveToo();
  await Promise.all(outside);
});

test('whoever is slow to come takes no room for long', async () => {
  const writer = faultyWriter();
  const limits = {
    crowdedFacts: forAll(1_000),
    waitForRoomMs: forAll(60_000),
  };
  const spool = createSpool({ writer, logger, limits });
  await spool.requireRoom(1_000);
  const leave = await spool.requireRoom(1);
  leave();
  await spool.stop();
});

test('where nothing leaves, those outside are told to send again', async () => {
  const writer = faultyWriter();
  const spool = createSpool({
    writer,
    logger,
    limits: { crowdedFacts: forAll(1), waitForRoomMs: forAll(20) },
  });
  writer.hold();
  const adding = spool.add(facts(1));
  await expect(spool.requireRoom(1_000)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  writer.release();
  await adding;
  await spool.requireRoom(1_000);
});

test('a store that is away for a moment is waited for outside', async () => {
  const writer = faultyWriter();
  const spool = createSpool({
    writer,
    logger,
    limits: { waitForRoomMs: forAll(50) },
  });
  writer.notReady('The engine is starting');
  const outside = spool.requireRoom(1_000);
  writer.notReady(undefined);
  await outside;
  writer.notReady('The engine is starting');
  await expect(spool.requireRoom(1_000)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('nobody waits outside of a service that stops', async () => {
  const writer = faultyWriter();
  const spool = createSpool({
    writer,
    logger,
    limits: { waitForRoomMs: forAll(60_000) },
  });
  writer.notReady('The engine has ended');
  const outside = spool.requireRoom(1_000);
  await spool.stop();
  await expect(outside).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(spool.requireRoom(1_000)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});
