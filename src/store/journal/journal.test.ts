import { constants, type MakeDirectoryOptions } from 'node:fs';
import * as nodeFileSystem from 'node:fs/promises';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { faultyWriter } from '../../../test/support/faulty-writer.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { LedgerRow, Writer } from '../facts.ts';
import { batchOfRows, encodeFacts, type FactBatch, joinBatches } from './fact-batch.ts';
import { createJournal, type JournalOptions } from './journal.ts';
import type { FileSystem } from './journal-file.ts';
import { createFrame } from './journal-frame.ts';
import { createFactMetrics } from './store-metrics.ts';

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
      ...{ accountId: 7, slotStart: 900_000, packageId: 1, videoId: 1, os: 'Linux' },
      ...{ osVersion: '₂', view, stretch, suspect: '', plays: 0, playMs: 1 },
    })),
  );
}

const noLedger = async () => {};

function storeOf(writer: Writer<FactBatch>): (batch: FactBatch) => Promise<void> {
  return (batch) => writer.write([batch]);
}

async function openJournal(other: Partial<JournalOptions> = {}) {
  const store = faultyWriter<FactBatch>();
  const clock = manualClock(1_000);
  const registry = new Registry();
  const metrics = createFactMetrics(registry);
  const limits = { storeEveryMs: seldom };
  const ledger = faultyWriter<LedgerRow>();
  const to = { store: storeOf(store), storeLedger: ledger.write };
  const own = { folder, ...to, clock, logger, metrics, limits };
  const journal = createJournal({ ...own, ...other });
  await journal.replay();
  const damaged = async () =>
    (await registry.getMetricsAsJSON()).find(
      ({ name }) => name === 'playmeter_journal_damaged_total',
    )?.values[0]?.value;
  return { journal, store, ledger, clock, damaged };
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

test('rows with other columns go into the store beside the others', async () => {
  const { journal, store } = await openJournal();
  const fewer = (view: string) =>
    batchOfRows(['accountId', 'slot', 'view'], Buffer.from(`7\t0000000900\t${view}\n`));
  for (const batch of [fewer('a'), facts(1, 'b'), fewer('c')]) await journal.write(batch);
  expect(await files()).toHaveLength(1);
  await journal.flush();
  expect(store.written).toEqual([[joinBatches([fewer('a'), fewer('c')])], [facts(1, 'b')]]);
  expect(await files()).toEqual([]);
  expect(journal.waitingFacts()).toBe(0);
  await journal.close();
});

test('by itself it stores what has waited for 0.6 seconds', async () => {
  const { journal, store, clock } = await openJournal({ limits: {} });
  await journal.write(facts(3));
  clock.advance(599);
  expect(store.attempts()).toBe(0);
  clock.advance(1);
  await expect.poll(() => stored(store)).toEqual(facts(3));
  await journal.close();
});

test('by itself it stores nothing for 0.6 seconds after a flush', async () => {
  const { journal, store, clock } = await openJournal({ limits: {} });
  clock.advance(400);
  await journal.flush();
  await journal.write(facts(3));
  clock.advance(200);
  await waitUntil('the next wait', () => clock.waiting() === 1);
  expect(store.attempts()).toBe(0);
  clock.advance(399);
  expect(store.attempts()).toBe(0);
  clock.advance(1);
  await expect.poll(() => stored(store)).toEqual(facts(3));
  await journal.close();
});

test('what a run that was killed has left is in the store before the next one writes', async () => {
  const { journal } = await openJournal();
  await journal.write(facts(2, 'a'));
  await journal.write(facts(1, 'b'));
  expect(journal.recovered).toEqual({ files: 0, facts: 0, keptFiles: 0 });
  const next = await openJournal();
  expect(stored(next.store)).toEqual(joinBatches([facts(2, 'a'), facts(1, 'b')]));
  expect(await files()).toEqual([]);
  expect(next.journal.recovered).toEqual({ files: 1, facts: 3, keptFiles: 0 });
  await next.journal.close();
});

const counted = (beacons: number, outcome = 'COUNTED', run = 'first'): LedgerRow => ({
  ...{ accountId: 7, day: '2026-11-20', outcome, run, beacons },
});

test('counts of the ledger go with the facts that they count, and only the last of each', async () => {
  const { journal, store, ledger } = await openJournal();
  await journal.write(facts(1, 'a'), [counted(1)]);
  await journal.write(facts(1, 'b'), [counted(2), counted(1, 'BOT')]);
  await journal.write(facts(0), [counted(3)]);
  expect(journal.waitingFacts()).toBe(2);
  ledger.failNext(1);
  await expect(journal.flush()).rejects.toThrow();
  // Their only place so far.
  expect(await files()).toHaveLength(1);
  await journal.flush();
  expect(ledger.written).toEqual([[counted(3), counted(1, 'BOT')]]);
  expect(stored(store).slots.size).toBe(1);
  expect(await files()).toEqual([]);
  await journal.write(facts(0), [counted(4)]);
  await journal.flush();
  expect(ledger.written).toHaveLength(2);
  expect(await files()).toEqual([]);
  await journal.close();
});

test('counts that a killed run has left are those of its run, however often they are found', async () => {
  const { journal } = await openJournal();
  await journal.write(facts(2, 'a'), [counted(2)]);
  await journal.write(facts(0), [counted(1, 'BOT')]);
  const store = faultyWriter<FactBatch>();
  const away = faultyWriter<LedgerRow>();
  away.failNext(1);
  const metrics = createFactMetrics(new Registry());
  const to = { store: storeOf(store), storeLedger: away.write };
  const next = createJournal({ folder, ...to, clock: manualClock(0), logger, metrics });
  await expect(next.replay()).rejects.toThrow();
  await next.replay();
  expect(away.written).toEqual([[counted(2), counted(1, 'BOT')]]);
  expect(await files()).toEqual([]);
  await next.close();
});

test('a store that does not take what was left: it stays, and the next attempt brings it', async () => {
  const { journal } = await openJournal();
  await journal.write(facts(2));
  const store = faultyWriter<FactBatch>();
  store.failNext(1);
  const metrics = createFactMetrics(new Registry());
  const to = { store: storeOf(store), storeLedger: noLedger };
  const options = { folder, ...to, clock: manualClock(0), logger, metrics };
  const next = createJournal(options);
  await expect(next.replay()).rejects.toThrow();
  expect(await files()).toHaveLength(1);
  await next.replay();
  expect(stored(store)).toEqual(facts(2));
  await next.close();
});

test('by itself it looks again when facts are due, and a second after the store has failed', async () => {
  const { lines, logged } = loggedLines();
  const clock = manualClock(1_000);
  const pausesMs: number[] = [];
  const after: typeof clock.after = (delayMs, work) => {
    pausesMs.push(delayMs);
    return clock.after(delayMs, work);
  };
  const { journal, store } = await openJournal({
    ...{ clock: { ...clock, after }, logger: logged, limits: {} },
  });
  await journal.write(facts(3));
  store.failNext(1);
  clock.advance(600);
  await waitUntil('the pause', () => pausesMs.length === 2);
  expect([pausesMs, store.attempts()]).toEqual([[600, 1_000], 1]);
  expect(lines.filter(({ level }) => level === 40)).toMatchObject([
    { reason: 'the store failed, as the test said', waitingFacts: 3 },
  ]);
  clock.advance(1_000);
  // The facts are long due.
  await waitUntil('the next attempt', () => pausesMs.length === 3);
  clock.advance(0);
  await waitUntil('the next wait', () => pausesMs.length === 4);
  expect(stored(store)).toEqual(facts(3));
  expect(pausesMs).toEqual([600, 1_000, 0, 600]);
  await journal.close();
});

test('what waits when it is closed is tried once more, and stays for the next run', async () => {
  const { lines, logged } = loggedLines();
  const { journal, store } = await openJournal({ logger: logged });
  await journal.write(facts(2));
  store.failNext(1);
  await journal.close();
  expect([store.attempts(), await files()]).toEqual([1, ['000000000001.journal']]);
  expect(lines.filter(({ level }) => level === 40)).toMatchObject([
    { reason: 'the store failed, as the test said', waitingFacts: 2 },
  ]);
  const next = await openJournal();
  expect(stored(next.store)).toEqual(facts(2));
  await next.journal.close();
});

const smallFiles = { storeEveryMs: seldom, bytesPerFile: 1 };

/** Its answers in their order: what it fails with, or that it takes the facts; then it takes all. */
function storeThat(answers: (Error | undefined)[]) {
  const taken: FactBatch[] = [];
  const store = async (batch: FactBatch) => {
    const failure = answers.shift();
    if (failure) throw failure;
    taken.push(batch);
  };
  return { taken, store };
}

test('of several files those that the store did not take wait for the next time', async () => {
  const { taken, store } = storeThat([undefined, new Error('away, as the test said')]);
  const { journal, clock } = await openJournal({ limits: smallFiles, store });
  for (const view of ['a', 'b', 'c']) {
    await journal.write(facts(1, view));
    clock.advance(1_000);
  }
  await expect(journal.flush()).rejects.toThrow('away');
  expect([taken, journal.waitingFacts()]).toEqual([[facts(1, 'a')], 2]);
  expect([journal.storedThrough(), (await files()).length]).toEqual([2_000, 2]);
  await journal.flush();
  expect(taken).toEqual(['a', 'b', 'c'].map((view) => facts(1, view)));
  expect([await files(), journal.waitingFacts()]).toEqual([[], 0]);
  await journal.close();
});

test('the journals of processes that are gone are replayed too, before its own', async () => {
  const left = join(folder, 'left');
  const earlier = await openJournal({ folder: left });
  await earlier.journal.write(facts(1, 'a'));
  const own = join(folder, 'own');
  const killed = await openJournal({ folder: own });
  await killed.journal.write(facts(1, 'b'));
  const made: unknown[] = [];
  const mkdir = async (path: string, how: MakeDirectoryOptions) => {
    made.push(path);
    return nodeFileSystem.mkdir(path, how);
  };
  const fileSystem = { ...nodeFileSystem, mkdir: mkdir as FileSystem['mkdir'] };
  const leftFolders = async () => [left];
  const { journal, store } = await openJournal({ folder: own, leftFolders, fileSystem });
  expect(store.written).toEqual([[facts(1, 'a')], [facts(1, 'b')]]);
  expect([await readdir(left), await readdir(own)]).toEqual([[], []]);
  const alone = await openJournal({ folder: own, fileSystem });
  expect(made).toEqual([left, own, own]);
  await Promise.all([journal.close(), alone.journal.close()]);
});

test('while the store is at it, the instant stays at the oldest fact and new ones are taken', async () => {
  const { journal, store, clock } = await openJournal();
  clock.advance(4_000);
  await journal.write(facts(1, 'a'));
  store.hold();
  const flushing = journal.flush();
  await waitUntil('the store to be at it', () => store.attempts() === 1);
  clock.advance(1_000);
  await journal.write(facts(1, 'b'));
  expect(journal.storedThrough()).toBe(5_000);
  store.release();
  await flushing;
  expect(stored(store)).toEqual(facts(1, 'a'));
  expect(journal.storedThrough()).toBe(6_000);
  await journal.close();
  expect(stored(store)).toEqual(joinBatches([facts(1, 'a'), facts(1, 'b')]));
});

test.each([
  ['facts', { waitingFacts: 4 }],
  ['bytes, however few facts they are', { waitingBytes: 4 * facts(1).rows.length }],
])(
  'it is full at its limit of %s, and no longer when the store has taken them',
  async (_, limit) => {
    const { journal } = await openJournal({ limits: { storeEveryMs: seldom, ...limit } });
    await journal.write(facts(1));
    expect(journal.isFilling()).toBe(false);
    await journal.write(facts(1));
    expect(journal.isFilling()).toBe(true);
    await journal.write(facts(1));
    expect(journal.whyNotReady()).toBeUndefined();
    await journal.write(facts(1));
    expect(journal.whyNotReady()).toBeDefined();
    await journal.flush();
    expect(journal.whyNotReady()).toBeUndefined();
    await journal.close();
  },
);

test('neither a file nor an insert grows past its size', async () => {
  const bytesPerFile = 2 * facts(1, 'a').rows.length;
  const limits = { storeEveryMs: seldom, bytesPerFile };
  const { journal, store } = await openJournal({ limits });
  const views = ['a', 'b', 'c', 'd', 'e'];
  for (const view of views) await journal.write(facts(1, view));
  expect(await files()).toHaveLength(3);
  store.failNext(1);
  await expect(journal.flush()).rejects.toThrow();
  expect(store.written).toEqual([]);
  await journal.flush();
  const [ab, cd, e] = [['a', 'b'], ['c', 'd'], ['e']].map((of) =>
    joinBatches(of.map((view) => facts(1, view))),
  );
  expect(store.written).toEqual([[ab], [cd], [e]]);
  expect([await files(), journal.waitingFacts()]).toEqual([[], 0]);
  await journal.close();
});

test('small files that wait go into the store together, as many as one insert may hold', async () => {
  const bytesPerFile = 2 * facts(1, 'a').rows.length;
  const { journal, store } = await openJournal({ limits: { storeEveryMs: seldom, bytesPerFile } });
  for (const view of ['a', 'b', 'c']) {
    await journal.write(facts(1, view));
    store.failNext(1);
    await expect(journal.flush()).rejects.toThrow();
  }
  expect(await files()).toHaveLength(3);
  await journal.flush();
  const ab = joinBatches([facts(1, 'a'), facts(1, 'b')]);
  expect(store.written).toEqual([[ab], [facts(1, 'c')]]);
  await journal.close();
});

test('a failed write is reported, and the next one starts a new file', async () => {
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

/** Logs what came, for a test to look at. */
function loggedLines() {
  const lines: Record<string, unknown>[] = [];
  const logged = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  return { lines, logged };
}

/** Node's file system that remembers what would outlive a power cut: only what was synced. */
function powerCut() {
  /** The bytes of each file when it was last synced, and the names in each synced folder. */
  const syncedBytes = new Map<string, Buffer>();
  const syncedNames = new Map<string, readonly string[]>();

  const watched = async (path: string, file: nodeFileSystem.FileHandle, flags: unknown) => {
    const areWritesSynced = typeof flags === 'number' && (flags & constants.O_DSYNC) !== 0;
    const syncing = areWritesSynced ? ['sync', 'datasync', 'appendFile'] : ['sync', 'datasync'];
    const isFolder = (await file.stat()).isDirectory();
    const keep = async (): Promise<void> => {
      if (isFolder) syncedNames.set(path, await nodeFileSystem.readdir(path));
      else syncedBytes.set(path, await nodeFileSystem.readFile(path));
    };
    return new Proxy(file, {
      get(target, name) {
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        if (!syncing.includes(String(name))) return member.bind(target);
        return async (...given: unknown[]) => {
          const answer = await member.apply(target, given);
          await keep();
          return answer;
        };
      },
    });
  };

  const fileSystem: FileSystem = {
    ...nodeFileSystem,
    open: async (path, ...how) =>
      watched(String(path), await nodeFileSystem.open(path, ...how), how[0]),
    async rename(from, to) {
      await nodeFileSystem.rename(from, to);
      // The bytes have both names until the folder is synced.
      const bytes = syncedBytes.get(String(from));
      if (bytes) syncedBytes.set(String(to), bytes);
    },
  };
  return {
    fileSystem,
    /** Writes into an empty folder what a power cut now would leave of another. */
    async leave(from: string, into: string) {
      const isThere = syncedNames.get(dirname(from))?.includes(from.split('/').at(-1) as string);
      for (const name of isThere ? (syncedNames.get(from) ?? []) : []) {
        const bytes = syncedBytes.get(join(from, name)) ?? Buffer.alloc(0);
        await nodeFileSystem.writeFile(join(into, name), bytes);
      }
    },
  };
}

test('what was acknowledged outlives a power cut: the bytes and the name of the file', async () => {
  const { fileSystem, leave } = powerCut();
  const own = join(folder, 'journal');
  const { journal } = await openJournal({ folder: own, fileSystem });
  await journal.write(facts(2, 'a'));
  await journal.write(facts(1, 'b'));
  const left = await mkdtemp(join(folder, 'left-'));
  await leave(own, left);
  const next = await openJournal({ folder: left });
  expect(stored(next.store)).toEqual(joinBatches([facts(2, 'a'), facts(1, 'b')]));
  await Promise.all([journal.close(), next.journal.close()]);
});

test('a damaged file that is kept for inspection outlives a power cut, under its new name', async () => {
  const { fileSystem, leave } = powerCut();
  const own = join(folder, 'journal');
  const { journal } = await openJournal({ folder: own, fileSystem });
  await journal.write(facts(1));
  const [name] = (await readdir(own)) as [string];
  const bytes = await readFile(join(own, name));
  await writeFile(join(own, name), bytes.fill(0, 0, 40));
  const next = await openJournal({ folder: own, fileSystem });
  const left = await mkdtemp(join(folder, 'left-'));
  await leave(own, left);
  expect(await readdir(left)).toEqual([expect.stringMatching(`${name}.damaged$`)]);
  await Promise.all([journal.close(), next.journal.close()]);
});

test('a damaged file: the rest is stored, the file kept, and the span of time logged', async () => {
  const { journal, clock } = await openJournal();
  for (const view of ['a', 'b', 'c']) {
    await journal.write(facts(1, view));
    clock.advance(5_000);
  }
  const [name] = (await files()) as [string];
  const bytes = await readFile(join(folder, name));
  const length = createFrame(facts(1, 'a'), 0).length;
  bytes[length + 40] = (bytes[length + 40] as number) ^ 1;
  await writeFile(join(folder, name), bytes);

  const { lines, logged } = loggedLines();
  const next = await openJournal({ logger: logged });
  expect(stored(next.store)).toEqual(joinBatches([facts(1, 'a'), facts(1, 'c')]));
  const keptNames = await files();
  expect(keptNames).toEqual([expect.stringMatching(`${name}.damaged$`)]);
  expect(await readFile(join(folder, keptNames[0] as string))).toEqual(bytes);
  expect(lines.filter(({ level }) => level === 50)).toEqual([
    expect.objectContaining({
      file: name,
      keptAs: join(folder, keptNames[0] as string),
      facts: 2,
      damagedPlaces: [
        {
          at: length,
          bytes: length,
          from: new Date(1_000).toISOString(),
          until: new Date(11_000).toISOString(),
        },
      ],
    }),
  ]);
  expect(await next.damaged()).toBe(1);
  expect(next.journal.recovered.keptFiles).toBe(1);

  const third = await openJournal();
  expect(third.store.attempts()).toBe(0);
  expect(await third.damaged()).toBe(0);
  await Promise.all([next.journal.close(), third.journal.close()]);
});

test('damage at the first and last frame: its span reaches to the making of the file and its last write', async () => {
  const bytes = createFrame(facts(1, 'a'), 1_000);
  bytes[bytes.length - 1] = 0;
  await writeFile(join(folder, '000000000001.journal'), bytes);
  const { birthtime, mtime } = await stat(join(folder, '000000000001.journal'));
  const { lines, logged } = loggedLines();
  const { journal } = await openJournal({ logger: logged });
  expect(lines.find(({ level }) => level === 50)?.damagedPlaces).toEqual([
    { at: 0, bytes: bytes.length, from: birthtime.toISOString(), until: mtime.toISOString() },
  ]);
  await journal.close();
});

test('a write that a crash cut off is no damage', async () => {
  const bytes = Buffer.concat([createFrame(facts(1, 'a'), 0), createFrame(facts(1, 'b'), 0)]);
  await writeFile(join(folder, '000000000001.journal'), bytes.subarray(0, -1));
  const { lines, logged } = loggedLines();
  const { journal, store, damaged } = await openJournal({ logger: logged });
  expect(stored(store)).toEqual(facts(1, 'a'));
  expect(lines.filter(({ level }) => level === 50)).toEqual([]);
  expect([await files(), await damaged()]).toEqual([[], 0]);
  await journal.close();
});

test('of damaged files the sixteen newest are kept', async () => {
  for (let number = 1; number <= 20; number += 1) {
    const path = join(folder, `${String(number).padStart(12, '0')}.journal`);
    await writeFile(path, 'no frame at all\n');
    await utimes(path, number, number);
  }
  const { journal, damaged } = await openJournal();
  const kept = (await files()).sort();
  expect(kept).toHaveLength(16);
  expect(kept[0]).toMatch(/^1970-01-01T000005.000Z-000000000005/);
  expect(await damaged()).toBe(20);
  await journal.close();
});

test('a column of a later release: refused, and the file stays', async () => {
  const batch = batchOfRows(['accountId', 'slot', 'mood'], Buffer.from('1\t0000000900\tgood\n'));
  await writeFile(join(folder, '000000000004.journal'), createFrame(batch, 0));
  await expect(openJournal()).rejects.toMatchObject({
    code: 'INTERNAL',
    message: 'Journal file 000000000004.journal is of a later release: it has the column mood',
  });
  expect(await files()).toEqual(['000000000004.journal']);
});

test('a write that failed ends its file: the next one is whole behind it', async () => {
  let failures = 0;
  const fileSystem: FileSystem = {
    ...nodeFileSystem,
    async open(...how) {
      const file = await nodeFileSystem.open(...how);
      const appendFile = file.appendFile.bind(file);
      file.appendFile = async (bytes) => {
        if (failures === 0) return appendFile(bytes);
        failures -= 1;
        await appendFile((bytes as Buffer).subarray(0, 40));
        throw new Error('no space left, as the test said');
      };
      return file;
    },
  };
  const { journal } = await openJournal({ fileSystem });
  failures = 1;
  await expect(journal.write(facts(1))).rejects.toThrow('no space left');
  expect(await files()).toEqual([]);
  await journal.flush();
  await journal.write(facts(1, 'a'));
  failures = 1;
  await expect(journal.write(facts(1, 'b'))).rejects.toThrow('no space left');
  await journal.write(facts(1, 'c'));
  expect(await files()).toHaveLength(2);
  const next = await openJournal();
  expect(stored(next.store)).toEqual(joinBatches([facts(1, 'a'), facts(1, 'c')]));
  expect(await next.damaged()).toBe(0);
  await next.journal.close();
});

const refused = new Fault('INTERNAL', 'no such column, as the test said');

test('facts that the store refuses stay in their file, alone, and are tried at the next start', async () => {
  const { journal, store, clock } = await openJournal();
  await journal.write(facts(1, 'a'));
  store.failNext(1);
  await expect(journal.flush()).rejects.toThrow();
  await journal.write(facts(2, 'b'));
  // All together, then each file by itself: only the first is refused again.
  store.failNext(2, refused);
  await journal.flush();
  expect(stored(store)).toEqual(facts(2, 'b'));
  expect(await files()).toEqual(['000000000001.journal']);
  clock.advance(8_000);
  expect([journal.waitingFacts(), journal.storedThrough()]).toEqual([1, 1_000]);
  const attempts = store.attempts();
  await journal.flush();
  expect(store.attempts()).toBe(attempts);
  await journal.close();

  const again = faultyWriter<FactBatch>();
  again.failNext(1, refused);
  const next = await openJournal({ store: storeOf(again) });
  expect([next.journal.waitingFacts(), next.journal.storedThrough()]).toEqual([1, 1_000]);
  await next.journal.write(facts(1, 'c'));
  await next.journal.flush();
  expect(await files()).toEqual(['000000000001.journal']);
  await next.journal.close();

  const mended = await openJournal();
  expect(stored(mended.store)).toEqual(facts(1, 'a'));
  expect(await files()).toEqual([]);
  await mended.journal.close();
});

test('files that the store refuses are reported once, however often what was left is tried', async () => {
  const { journal } = await openJournal({ limits: smallFiles });
  for (const view of ['a', 'b', 'c']) await journal.write(facts(1, view));
  const away = new Error('away, as the test said');
  const { taken, store } = storeThat([refused, undefined, away, refused]);
  const { lines, logged } = loggedLines();
  const metrics = createFactMetrics(new Registry());
  const to = { store, storeLedger: noLedger };
  const next = createJournal({ folder, ...to, clock: manualClock(9_000), logger: logged, metrics });
  await expect(next.replay()).rejects.toThrow('away');
  await next.replay();
  expect(taken).toEqual([facts(1, 'b'), facts(1, 'c')]);
  expect(next.recovered).toEqual({ files: 2, facts: 2, keptFiles: 1 });
  expect([next.waitingFacts(), next.storedThrough()]).toEqual([1, 1_000]);
  expect(lines.filter(({ level }) => level === 50)).toMatchObject([
    { err: { message: refused.message }, file: '000000000001.journal', facts: 1 },
  ]);
  expect(lines.filter(({ level }) => level === 30)).toMatchObject([
    { file: '000000000002.journal', facts: 1, tornBytes: 0 },
    { file: '000000000003.journal', facts: 1, tornBytes: 0 },
  ]);
  await next.close();
});

test.each([-90_000, -3_000, 3_000, 90_000])(
  'a clock that is set by %i ms changes nothing about how long facts wait',
  async (stepMs) => {
    const { journal, clock } = await openJournal();
    await journal.write(facts(1, 'a'));
    clock.advance(5_000);
    clock.set(clock.now() + stepMs);
    expect(clock.now() - journal.storedThrough()).toBe(5_000);
    await journal.close();
  },
);
