/** What is said of a machine and of stores that are not well: never without what to do about it. */
import { expect, test } from 'vitest';
import type { StoreHealth } from '../../store/facts.ts';
import {
  lookAtOtherClock,
  lookAtServerClocks,
  lookAtSynchronization,
  lookAtTimeZones,
} from './clocks.ts';
import type { Finding } from './doctor.ts';
import { lookAtDisk, lookAtMemory, lookAtOpenFiles } from './machine.ts';
import {
  lookAtBackup,
  lookAtCatalog,
  lookAtCountries,
  lookAtJournal,
  lookAtStore,
  lookAtStoreDisk,
} from './stores.ts';

const dayMs = 86_400_000;
const well: StoreHealth = {
  version: '26.7.3',
  clockAheadMs: 3,
  latestAheadMs: 3,
  bytes: 1_000_000,
  memoryBytes: 1_000_000,
  parts: 12,
  busiest: { table: 'stretch', parts: 12 },
  partsSetAside: 0,
  merges: 0,
  unfinishedMutations: 0,
  disk: undefined,
};
const clocks = { apartMs: 0, coveredMs: 10_000 };
/** A tenth of it is free, and so are a tenth of its inodes. */
const room = { bsize: 4_096, blocks: 1_000, bavail: 100, files: 1_000, ffree: 100 };
const tenth = (size: number) => size / 10;
const ofDisk = (other: Partial<typeof room>) =>
  lookAtDisk({
    folder: '/data',
    room: { ...room, ...other },
    scarceBytes: tenth,
    scarceInodes: tenth,
    reserved: undefined,
  });
const gigabyte = 1_073_741_824;
const ofStoreDisk = (freeBytes: number) =>
  lookAtStoreDisk({ freeBytes, sizeBytes: 50 * gigabyte }, tenth);
const ofFiles = (ofService: number | undefined, ofProcess = 65_536) =>
  lookAtOpenFiles({ ofService, ofProcess });
const noJournal = { facts: 0, damaged: [], setAside: [] };
const catalog = (damage: readonly string[], serverMs?: number) => ({
  ping: async () => {},
  accounts: { list: async () => [] },
  upkeep: {
    damage: async () => damage,
    serverMs: async () => serverMs,
    version: async () => 'SQLite 3',
  },
});
const nowMs = Date.UTC(2026, 10, 20);
const ofCatalog = (tookMs: number, damage: readonly string[] = [], serverMs?: number) => {
  let elapsedMs = -tookMs;
  const monotonic = () => {
    elapsedMs += tookMs;
    return elapsedMs;
  };
  const now = () => nowMs;
  return lookAtCatalog({ catalog: catalog(damage, serverMs) as never, monotonic, now });
};

test.each<[string, () => readonly Finding[] | Promise<readonly Finding[]>]>([
  ['a store', () => lookAtStore(well)],
  ['the disk of a store', () => ofStoreDisk(5 * gigabyte)],
  ['a catalog', () => ofCatalog(2)],
  ['a catalog on a server', () => ofCatalog(2, [], nowMs + 900)],
  ['a clock', () => lookAtSynchronization(true)],
  ['a clock of which nothing is known', () => lookAtSynchronization(undefined)],
  ['the rules of time zones', () => lookAtTimeZones(undefined)],
  ['a journal', () => lookAtJournal(noJournal)],
  ['files', () => ofFiles(65_536)],
  ['memory', () => lookAtMemory({ engineMb: 1, serviceMb: 1 })],
  ['the clocks of a cluster', () => lookAtServerClocks({ ...clocks, apartMs: 999 })],
  ['a disk', () => ofDisk({})],
  ['a disk whose inodes are made as they are needed', () => ofDisk({ files: 0, ffree: 0 })],
  ['countries', () => lookAtCountries(89 * dayMs, true)],
  ['a backup', () => lookAtBackup(dayMs)],
])('%s that is well has nothing to be done', async (_, look) => {
  const findings = await look();
  expect(findings.length).toBeGreaterThan(0);
  expect(new Set(findings.map(({ level, do: todo }) => `${level} ${todo}`))).toEqual(
    new Set(['ok ']),
  );
});

test.each<[Finding['level'], RegExp, () => readonly Finding[] | Promise<readonly Finding[]>]>([
  ['warning', /has 300 parts/, () => lookAtStore({ ...well, busiest: busy(300) })],
  ['error', /has 1000 parts/, () => lookAtStore({ ...well, busiest: busy(1_000) })],
  ['error', /2 parts of its tables damaged/, () => lookAtStore({ ...well, partsSetAside: 2 })],
  ['warning', /1 changes .* not finished/, () => lookAtStore({ ...well, unfinishedMutations: 1 })],
  ['error', /clock .* differs by -2000 ms/, () => lookAtStore({ ...well, clockAheadMs: -2_000 })],
  ['error', /clock is behind: .* 60 minutes/, () => lookAtStore({ ...well, latestAheadMs: 3.6e6 })],
  ['error', /DATABASE_URL.* differs by 3000 ms/, () => ofCatalog(2, [], nowMs + 3_000)],
  [
    'warning',
    /servers differ by 1001 ms$/,
    () => lookAtServerClocks({ ...clocks, apartMs: 1_001 }),
  ],
  [
    'error',
    /servers differ by 10001 ms: new playback may be missing/,
    () => lookAtServerClocks({ ...clocks, apartMs: 10_001 }),
  ],
  [
    'warning',
    /^4.5 GB of 50.0 GB are free on the fullest disk of the statistics store$/,
    () => ofStoreDisk(4.5 * gigabyte),
  ],
  ['warning', /not synchronized/, () => lookAtSynchronization(false)],
  [
    'error',
    /^.none has no zoneinfo64.res: .* of Node, 20\d\d[a-z]$/,
    () => lookAtTimeZones('/none'),
  ],
  ['warning', /answers in 300 ms/, () => ofCatalog(300)],
  ['error', /a page is wrong/, () => ofCatalog(2, ['a page is wrong'])],
  [
    'error',
    /a.journal of the journal has 3 places/,
    () => lookAtJournal({ ...noJournal, damaged: [{ file: 'a.journal', places: 3 }] }),
  ],
  ['warning', /1 damaged files/, () => lookAtJournal({ ...noJournal, setAside: ['b.journal'] })],
  ['error', /^The running service may open 128 files: at most 96 con/, () => ofFiles(128)],
  ['warning', /^The running service may open 1024 files/, () => ofFiles(1_024)],
  [
    'warning',
    /^A process that is started here may open 1024 files/,
    () => ofFiles(undefined, 1_024),
  ],
  ['warning', /may need/, () => lookAtMemory({ engineMb: 10 ** 9, serviceMb: 1 })],
  ['warning', /^0 MB of 4 MB are free on the disk of .data$/, () => ofDisk({ bavail: 99 })],
  ['warning', /^99 of 1000 inodes are free on the disk of .data$/, () => ofDisk({ ffree: 99 })],
  ['warning', /91 days old/, () => lookAtCountries(91 * dayMs, false)],
  ['warning', /no backup yet/, () => lookAtBackup(undefined)],
  ['warning', /3 days old/, () => lookAtBackup(3 * dayMs)],
])('%s: %s', async (level, what, look) => {
  const found = (await look()).find((finding) => what.test(finding.what));
  expect(found).toMatchObject({ level, do: expect.stringMatching(/\w{3}/) });
});

test('a clock that is a part of a millisecond behind does not differ', () => {
  const what = 'The clock of the store differs by 0 ms';
  expect(lookAtOtherClock('the store', -0.3)).toMatchObject({ level: 'ok', what });
});

test('of a store without a disk of its own, nothing is said of one', () => {
  expect(lookAtStoreDisk(undefined, () => 0)).toEqual([]);
});

test('of one server, nothing is said of clocks that could differ', () => {
  expect(lookAtServerClocks(undefined)).toEqual([]);
});

function busy(parts: number): StoreHealth['busiest'] {
  return { table: 'stretch', parts };
}
