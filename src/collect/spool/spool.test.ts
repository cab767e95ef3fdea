import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { type FaultyWriter, faultyWriter } from '../../../test/support/faulty-writer.ts';
import { type ManualClock, manualClock } from '../../../test/support/manual-clock.ts';
import type { Fact } from '../../store/facts.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { createSpool } from './spool.ts';

const logger = pino({ level: 'silent' });

let clock: ManualClock;
beforeEach(() => {
  clock = manualClock();
});

function open(limits: Parameters<typeof createSpool>[0]['limits'] = {}) {
  const writer = faultyWriter();
  return { writer, spool: createSpool<Fact>({ writer, clock, logger, limits }) };
}

function facts(count: number, view = 'view'): Fact[] {
  return Array.from({ length: count }, (_, stretch) => ({
    ...{ accountId: 1, slotStart: 0, packageId: 1, videoId: 1, os: 'Linux', osVersion: 'Unknown' },
    ...{ view, stretch, suspect: '', plays: 0, playMs: 1 },
  }));
}

/** The same for small requests and large ones. */
function forAll(limit: number) {
  return { small: limit, large: limit };
}

test('whatever arrives during an insert goes with the next one', async () => {
  const { writer, spool } = open({ insertEveryMs: 0 });
  writer.hold();
  const first = spool.add(facts(1));
  await settled();
  const next = [spool.add(facts(2)), spool.add(facts(3))];
  writer.release();
  await Promise.all([first, ...next]);
  expect(writer.written.map((group) => group.length)).toEqual([1, 5]);
  expect(spool.waitingFacts()).toBe(0);
});

/** Adds facts in each turn, before the spool looks whether some came, while `goesOn` says so. */
function addInTurns(add: () => void, goesOn: (turns: number) => boolean): Promise<number> {
  return new Promise((resolve) => {
    const turn = (turns: number): void => {
      if (goesOn(turns)) setImmediate(turn, turns + 1);
      else resolve(turns);
      add();
    };
    turn(1);
  });
}

test('what arrives in one turn after another goes together', async () => {
  const { writer, spool } = open();
  const adding: Promise<void>[] = [];
  await addInTurns(
    () => adding.push(spool.add(facts(1))),
    (turns) => turns < 5,
  );
  expect(writer.attempts()).toBe(0);
  await Promise.all(adding);
  expect(writer.written.map((group) => group.length)).toEqual([5]);
});

test('an insert waits only so long for facts that keep arriving', async () => {
  const { writer, spool } = open();
  const adding: Promise<void>[] = [];
  const turns = await addInTurns(
    () => {
      adding.push(spool.add(facts(1)));
      clock.advance(1);
    },
    () => writer.attempts() === 0,
  );
  expect(turns).toBe(5);
  await Promise.all(adding);
});

test('facts that the store refuses for our mistake are not tried again', async () => {
  const { writer, spool } = open();
  writer.failNext(1, new Fault('INTERNAL', 'no such column, as the test said'));
  await expect(spool.add(facts(1))).rejects.toMatchObject({ code: 'INTERNAL' });
  expect(writer.attempts()).toBe(1);
  expect([spool.waitingFacts(), clock.waiting()]).toEqual([0, 0]);
  await spool.add(facts(1));
});

test('while the store is not ready the spool refuses at once', async () => {
  const { writer, spool } = open();
  writer.notReady('The engine is starting');
  await expect(spool.add(facts(1))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(writer.attempts()).toBe(0);
});

/** Lets everything happen that needs no time to pass. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

/** Moves the clock over the pause behind each failed attempt. */
async function passRetries(writer: FaultyWriter<Fact>, retries: number): Promise<void> {
  for (let attempt = 1; attempt <= retries; attempt += 1) {
    await expect.poll(() => [writer.attempts(), clock.waiting()]).toEqual([attempt, 1]);
    clock.advance(100);
  }
}

test('parts of large requests keep nobody waiting: each goes when few facts do', async () => {
  const { writer, spool } = open({ insertEveryMs: 0, factsBeforeParts: 10 });
  writer.hold();
  const parts = [spool.addInTurn(facts(8))];
  await settled();
  parts.push(spool.addInTurn(facts(8)), spool.addInTurn(facts(8)));
  await settled();
  // Two fit before the limit is reached; the third waits outside.
  expect(spool.waitingFacts()).toBe(16);
  const small = spool.add(facts(1));
  writer.release();
  await small;
  await settled();
  clock.advance(10);
  await Promise.all(parts);
  expect(writer.written.map((group) => group.length)).toEqual([8, 9, 8]);
});

test('a part that does not become durable is refused like any facts', async () => {
  const { writer, spool } = open();
  writer.failNext(1, new Fault('INTERNAL', 'no such column, as the test said'));
  await expect(spool.addInTurn(facts(1))).rejects.toMatchObject({ code: 'INTERNAL' });
  await spool.addInTurn(facts(1));
});

test('stopping writes what waits and takes no more', async () => {
  const { writer, spool } = open();
  writer.hold();
  const adding = [spool.add(facts(1)), spool.add(facts(2))];
  const stopping = spool.stop();
  writer.release();
  await Promise.all([...adding, stopping]);
  expect(writer.written.flat()).toHaveLength(3);
  await expect(spool.add(facts(1))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('while much is waiting, requests are kept outside until it has been written', async () => {
  const { writer, spool } = open({
    ...{ insertEveryMs: 0, waitForRoomMs: forAll(60_000) },
    crowdedFacts: { small: 9_000, large: 2_000 },
  });
  writer.hold();
  const adding = spool.add(facts(2_000));
  let isLetIn = false;
  void Promise.resolve(spool.requireRoom(1_000)).then(() => {
    isLetIn = true;
  });
  // Small ones pass them.
  (await spool.requireRoom(1)).leave();
  await settled();
  expect(isLetIn).toBe(false);
  writer.release();
  await adding;
  await settled();
  expect(isLetIn).toBe(true);
});

test('a store that is away for a moment is waited for outside', async () => {
  const { writer, spool } = open({ waitForRoomMs: forAll(50) });
  writer.notReady('The engine is starting');
  const outside = spool.requireRoom(1_000);
  writer.notReady(undefined);
  clock.advance(50);
  await outside;
  writer.notReady('The engine is starting');
  const refused = expect(spool.requireRoom(1_000)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  clock.advance(50);
  await refused;
});

test('nobody waits outside of a service that stops', async () => {
  const { writer, spool } = open({ waitForRoomMs: forAll(60_000) });
  writer.notReady('The engine has ended');
  const outside = spool.requireRoom(1_000);
  await spool.stop();
  await expect(outside).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(spool.requireRoom(1_000)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('what waits is cut into inserts of as many facts as one may hold', async () => {
  const { writer, spool } = open({ insertEveryMs: 0, factsPerInsert: 4 });
  writer.hold();
  const adding = [1, 2, 2, 1, 4, 4, 5].map((count) => spool.add(facts(count)));
  writer.release();
  await Promise.all(adding);
  expect(writer.written.map((group) => group.length)).toEqual([3, 3, 4, 4, 5]);
});

test('facts wait in their order and count until they are durable', async () => {
  const { writer, spool } = open({ insertEveryMs: 0 });
  writer.hold();
  const adding = [spool.add(facts(2, 'a')), spool.add(facts(1, 'b')), spool.add(facts(1, 'c'))];
  expect(spool.waitingFacts()).toBe(4);
  writer.release();
  await Promise.all(adding);
  expect(writer.written.flat().map(({ view }) => view)).toEqual(['a', 'a', 'b', 'c']);
  expect(spool.waitingFacts()).toBe(0);
});

test('no facts are durable at once', async () => {
  const writer = faultyWriter();
  await createSpool({ writer, clock, logger }).add([]);
  expect(writer.attempts()).toBe(0);
});

test('the spool takes facts until as many wait as may, and then none', async () => {
  const { writer, spool } = open({ insertEveryMs: 0, waitingFacts: 10 });
  writer.hold();
  const adding = [spool.add(facts(9)), spool.add(facts(1))];
  await expect(spool.add(facts(1))).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'Too many facts are waiting',
  });
  writer.release();
  await Promise.all(adding);
});

test('inserts start no sooner after each other than they may', async () => {
  const { writer, spool } = open({ insertEveryMs: 10 });
  writer.hold();
  const first = spool.add(facts(1));
  await settled();
  const second = spool.add(facts(2));
  clock.advance(4);
  writer.release();
  await first;
  await settled();
  clock.advance(5);
  await settled();
  expect(writer.attempts()).toBe(1);
  clock.advance(1);
  await second;
  expect([writer.attempts(), clock.waiting()]).toEqual([2, 0]);
});

test.each([
  ['an insert took as long as the rest', 10, 1],
  ['nothing waits', 0, 0],
])('there is no rest where %s', async (_, tookMs, more) => {
  const { writer, spool } = open({ insertEveryMs: 10 });
  writer.hold();
  const first = spool.add(facts(1));
  await settled();
  const others = Array.from({ length: more }, () => spool.add(facts(1)));
  clock.advance(tookMs);
  writer.release();
  await Promise.all([first, ...others]);
  await settled();
  expect([writer.attempts(), clock.waiting()]).toEqual([1 + more, 0]);
});

test('stopping ends the rest between two inserts, and there is none after it', async () => {
  const { writer, spool } = open({ insertEveryMs: 10, factsPerInsert: 1 });
  const adding = [spool.add(facts(1)), spool.add(facts(1)), spool.add(facts(1))];
  await settled();
  expect([writer.attempts(), clock.waiting()]).toEqual([1, 1]);
  await Promise.all([spool.stop(), ...adding]);
  expect([writer.attempts(), clock.waiting()]).toEqual([3, 0]);
});

test('after an insert the spool begins again with whoever comes next', async () => {
  const { writer, spool } = open();
  for (let sent = 0; sent < 3; sent += 1) {
    await spool.add(facts(1));
    await settled();
  }
  expect(writer.attempts()).toBe(3);
});

test.each([
  [199, 1],
  [200, 1],
  [201, 2],
])('whoever may wait %d ms is refused, with %d pauses before', async (waitMs, pauses) => {
  const { writer, spool } = open({ waitMs });
  writer.failNext(1_000);
  const refused = expect(spool.add(facts(1))).rejects.toMatchObject({
    ...{ code: 'UNAVAILABLE', message: 'The store accepts no facts', retryAfterSeconds: 2 },
  });
  await passRetries(writer, pauses);
  await refused;
  expect([writer.attempts(), clock.waiting()]).toEqual([pauses + 1, 0]);
});

test('all of an insert are refused when the first of them has waited long enough', async () => {
  const { writer, spool } = open({ waitMs: 1_000, insertEveryMs: 0 });
  writer.hold();
  const first = spool.add(facts(1));
  await settled();
  const second = expect(spool.add(facts(1))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  clock.advance(800);
  const third = expect(spool.add(facts(1))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  writer.release();
  await first;
  writer.failNext(1_000);
  await expect.poll(() => [writer.attempts(), clock.waiting()]).toEqual([2, 1]);
  clock.advance(100);
  await Promise.all([second, third]);
  expect([writer.attempts(), spool.waitingFacts()]).toEqual([3, 0]);
});

test('an outage is tried again, whatever kind of error says so', async () => {
  const { writer, spool } = open();
  const errors = [
    new Fault('UNAVAILABLE', 'away'),
    Object.assign(new Error('not ours'), { code: 'INTERNAL' }),
  ];
  for (const [index, error] of errors.entries()) {
    writer.failNext(1, error);
    const adding = spool.add(facts(1));
    await expect.poll(() => [writer.attempts(), clock.waiting()]).toEqual([2 * index + 1, 1]);
    clock.advance(100);
    await adding;
  }
  expect(writer.written).toHaveLength(2);
});

test('a failed insert is logged with its reason and size', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
  const writer = faultyWriter();
  const spool = createSpool({ writer, clock, logger: log });
  writer.failNext(1, new Fault('INTERNAL', 'no such column'));
  await expect(spool.add(facts(3))).rejects.toThrow();
  expect(lines).toMatchObject([{ facts: 3, err: { message: 'no such column' } }]);
});

test('what goes into an insert, waits and is kept outside is bounded without being asked', async () => {
  const writer = faultyWriter<number>();
  const spool = createSpool<number>({ writer, clock, logger });
  const many = (count: number) => Array<number>(count).fill(0);
  writer.hold();
  const adding = [spool.add(many(49_999))];
  await settled();
  adding.push(...[1, 49_999, 1].map((count) => spool.add(many(count))));
  const entered: string[] = [];
  const enter = async (size: string, most: number) => {
    const room = await spool.requireRoom(most);
    entered.push(size);
    room.leave();
  };
  const outside = Promise.allSettled([enter('large', 129), enter('small', 128)]);
  await settled();
  expect(entered).toEqual([]);
  clock.advance(999);
  expect(clock.waiting()).toBe(2);
  clock.advance(1);
  expect(clock.waiting()).toBe(1);
  clock.advance(3_999);
  expect(clock.waiting()).toBe(1);
  clock.advance(1);
  expect((await outside).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  adding.push(spool.add(many(100_000)));
  await expect(spool.add(many(1))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  writer.release();
  for (const attempts of [2, 3]) {
    await settled();
    clock.advance(9);
    expect(writer.attempts()).toBe(attempts);
    clock.advance(1);
  }
  await Promise.all(adding);
  expect(writer.written.map((group) => group.length)).toEqual([49_999, 50_000, 1, 100_000]);
});
