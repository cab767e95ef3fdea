import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { faultyWriter } from '../../test/support/faulty-writer.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { batchOfRows, encodeFacts, type FactBatch, joinBatches } from './fact-batch.ts';
import type { Writer } from './facts.ts';
import { createJournal, type JournalLimits } from './journal.ts';
import { frameOf, readFrames } from './journal-file.ts';

const logger = pino({ level: 'silent' });
const seldom = 3_600_000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-journal-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function facts(count: number, view = 'view'): FactBatch {
  return encodeFacts(
    Array.from({ length: count }, (_, stretch) => ({
      accountId: 7,
      slotStart: 900_000,
      packageId: 1,
      videoId: 1,
      os: 'Linux',
      osVersion: '₂',
      view,
      stretch,
      plays: 0,
      playMs: 1,
    })),
  );
}

function storeOf(writer: Writer<FactBatch>): (batch: FactBatch) => Promise<void> {
  return (batch) => writer.write([batch]);
}

async function openJournal(limits: Partial<JournalLimits> = { storeEveryMs: seldom }) {
  const store = faultyWriter<FactBatch>();
  const clock = manualClock(1_000);
  const journal = createJournal({ folder, store: storeOf(store), clock, logger, limits });
  await journal.replay();
  return { journal, store, clock };
}

const files = () => readdir(folder);
const stored = ({ written }: { written: readonly (readonly FactBatch[])[] }) =>
  joinBatches(written.flat());

test('what was written goes into the store together, and its file away', async () => {
  const { journal, store } = await openJournal();
  await Promise.all([journal.write(facts(1, 'a')), journal.write(facts(2, 'b'))]);
  await journal.write(facts(1, 'c'));
  expect(store.written).toEqual([]);
  expect(await files()).toHaveLength(1);
  expect(journal.waitingFacts()).toBe(4);
  await journal.flush();
  expect(store.written).toEqual([[joinBatches([facts(1, 'a'), facts(2, 'b'), facts(1, 'c')])]]);
  expect(await files()).toEqual([]);
  expect(journal.waitingFacts()).toBe(0);
  await journal.close();
});

test('by itself it stores what waits before long', async () => {
  const { journal, store } = await openJournal({ storeEveryMs: 1 });
  await journal.write(facts(3));
  await expect.poll(() => stored(store)).toEqual(facts(3));
  await journal.close();
});

test('what a run that was killed has left is in the store before the next one writes', async () => {
  const { journal } = await openJournal();
  await journal.write(facts(2, 'a'));
  await journal.write(facts(1, 'b'));
  const next = await openJournal();
  expect(stored(next.store)).toEqual(joinBatches([facts(2, 'a'), facts(1, 'b')]));
  expect(await files()).toEqual([]);
  await next.journal.close();
});

test('a store that does not take what was left: it stays, and the next attempt brings it', async () => {
  const { journal } = await openJournal();
  await journal.write(facts(2));
  const store = faultyWriter<FactBatch>();
  store.failNext(1);
  const options = { folder, store: storeOf(store), clock: manualClock(0), logger };
  const next = createJournal(options);
  await expect(next.replay()).rejects.toThrow();
  expect(await files()).toHaveLength(1);
  await next.replay();
  expect(stored(store)).toEqual(facts(2));
  await next.close();
});

test('a store that fails is asked again; until then all is waiting', async () => {
  const { journal, store, clock } = await openJournal();
  clock.advance(4_000);
  await journal.write(facts(1, 'a'));
  clock.advance(1_000);
  store.failNext(1);
  await expect(journal.flush()).rejects.toThrow();
  await journal.write(facts(1, 'b'));
  expect(journal.storedThrough()).toBe(5_000);
  expect(journal.waitingFacts()).toBe(2);
  await journal.flush();
  expect(stored(store)).toEqual(joinBatches([facts(1, 'a'), facts(1, 'b')]));
  expect(journal.storedThrough()).toBe(6_000);
  await journal.close();
});

test('while the store is at it, the instant stays at the oldest fact and new ones are taken', async () => {
  const { journal, store, clock } = await openJournal();
  clock.advance(4_000);
  await journal.write(facts(1, 'a'));
  store.hold();
  const flushing = journal.flush();
  clock.advance(1_000);
  await journal.write(facts(1, 'b'));
  expect(journal.storedThrough()).toBe(5_000);
  store.release();
  await flushing;
  expect(journal.storedThrough()).toBe(6_000);
  await journal.close();
  expect(stored(store)).toEqual(joinBatches([facts(1, 'a'), facts(1, 'b')]));
});

test('it is full at its limit, and no longer when the store has taken them', async () => {
  const { journal } = await openJournal({ storeEveryMs: seldom, waitingFacts: 3 });
  await journal.write(facts(2));
  expect(journal.whyNotReady()).toBeUndefined();
  await journal.write(facts(1));
  expect(journal.whyNotReady()).toBeDefined();
  await journal.flush();
  expect(journal.whyNotReady()).toBeUndefined();
  await journal.close();
});

test('a write that fails is told, and the next one begins anew', async () => {
  const { journal } = await openJournal();
  await rm(folder, { recursive: true });
  await expect(journal.write(facts(1, 'a'))).rejects.toMatchObject({ code: 'ENOENT' });
  expect(journal.waitingFacts()).toBe(0);
  await mkdir(folder);
  await journal.write(facts(1, 'b'));
  const next = await openJournal();
  expect(stored(next.store)).toEqual(facts(1, 'b'));
  await next.journal.close();
});

const anyFacts = fc.array(fc.record({ view: fc.uuid(), count: fc.integer({ min: 1, max: 3 }) }), {
  maxLength: 5,
});

test('a file cut off anywhere holds every whole frame before', () => {
  fc.assert(
    fc.property(anyFacts, fc.nat(), (groups, at) => {
      const frames = groups.map(({ view, count }) => frameOf(facts(count, view).rows));
      const bytes = Buffer.concat(frames);
      const cut = at % (bytes.length + 1);
      let whole = 0;
      let end = 0;
      for (const frame of frames) {
        if (end + frame.length > cut) break;
        end += frame.length;
        whole += 1;
      }
      const expected = groups.slice(0, whole).map(({ view, count }) => facts(count, view));
      const { rows, tornBytes } = readFrames(bytes.subarray(0, cut));
      expect(batchOfRows(rows)).toEqual(joinBatches(expected));
      expect(tornBytes).toBe(cut - end);
    }),
  );
});

test('a frame of which one bit is wrong is none', () => {
  fc.assert(
    fc.property(fc.nat(), (at) => {
      const bytes = Buffer.concat([frameOf(facts(1, 'a').rows), frameOf(facts(1, 'b').rows)]);
      const second = frameOf(facts(1, 'a').rows).length;
      const bit = at % (8 * (bytes.length - second));
      const byte = second + Math.floor(bit / 8);
      bytes[byte] = (bytes[byte] as number) ^ (1 << (bit % 8));
      expect(readFrames(bytes)).toEqual({
        rows: facts(1, 'a').rows,
        tornBytes: bytes.length - second,
      });
    }),
  );
});
