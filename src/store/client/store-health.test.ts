/** How the store is doing: what an engine says of itself, and what many servers amount to. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { startRecordingServer } from '../../../test/support/recording-server.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import { openStore } from '../open-store.ts';
import { doubtProgress, forgetProgress, saveProgress } from '../roll-up/progress.ts';
import { readStoreHealth } from '../verify/store-verification.ts';

const made = useNewStore();

test('an engine without rows, and with some', async () => {
  const { store, run, rows } = made();
  const empty = await readStoreHealth(store, Date.now);
  expect(empty).toMatchObject({ bytes: 0, busiest: undefined, parts: 0, disk: undefined });
  await run('SYSTEM STOP MERGES stretch');
  for (const accountId of [1, 2, 3])
    await run(`INSERT INTO stretch (accountId) SELECT ${accountId}`);
  await run('INSERT INTO ledger (accountId) SELECT 1');
  const [size] = await rows<{ bytes: number }>(
    'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = currentDatabase()',
  );
  const [engine] = await rows<{ version: string }>('SELECT version() AS version');
  const health = await readStoreHealth(store, Date.now);
  expect(health).toMatchObject({
    ...{ ...engine, bytes: size?.bytes, busiest: { table: 'stretch', parts: 3 }, parts: 4 },
    ...{ partsSetAside: 0, merges: 0, unfinishedMutations: 0 },
  });
  expect(health.memoryBytes).toBeGreaterThan(1_000_000);
  expect(health.disk?.freeBytes).toBeGreaterThan(0);
  expect(health.disk?.freeBytes).toBeLessThanOrEqual(health.disk?.sizeBytes ?? 0);
});

test('roll-up progress of a clock that was ahead is told of, until the clock is accepted', async () => {
  const { store } = made();
  const hourMs = 3_600_000;
  const later = Date.now() + hourMs;
  await saveProgress(store, { through: later, daysThrough: later });
  const ahead = async () => (await readStoreHealth(store, Date.now)).latestAheadMs;
  expect(await ahead()).toBeGreaterThan(hourMs - 60_000);
  // Also after a start, which does not rely on it.
  await doubtProgress(store, later - hourMs);
  expect(await ahead()).toBeGreaterThan(hourMs - 60_000);
  await forgetProgress(store);
  expect(await ahead()).toBeLessThan(60_000);
});

const usual = {
  ...{
    version: '26.1',
    nowMs: 1_000,
    latestMs: 5_000,
    bytes: 1,
    table: 'stretch',
    parts: 2,
    allParts: 3,
  },
  ...{ setAside: 4, merges: 5, mutations: 6, memoryBytes: 7, diskFree: 50, diskSize: 100 },
};
type Row = { readonly [Name in keyof typeof usual]: (typeof usual)[Name] | null };

/** Of the servers of a cluster, each of which says one of these, or nothing. */
async function healthOf(...rows: readonly (Partial<Row> | undefined)[]) {
  const servers = await Promise.all(
    rows.map((row) =>
      startRecordingServer(({ sql }) =>
        sql.includes('crowded') && row ? [{ ...usual, ...row }] : [],
      ),
    ),
  );
  const urls = servers.map(({ url }) => url);
  const { store } = openStore({
    access: { cluster: 'plays', urls, username: 'one', password: '', database: 'stats' },
    ...{ metrics: new Registry(), clock: manualClock(), logger: pino({ level: 'silent' }) },
  });
  onTestFinished(async () => {
    await store.close();
    for (const server of servers) await server.close();
  });
  // Each request begins at the one moment and ends at the other.
  const moments = rows.flatMap(() => [900, 1_100]);
  return readStoreHealth(store, () => moments.shift() ?? expect.fail('nobody asks so often'));
}

test('a clock is compared with the middle of the request', async () => {
  expect(await healthOf({ nowMs: 1_030 })).toEqual({
    ...{
      version: '26.1',
      clockAheadMs: 30,
      latestAheadMs: 4_000,
      bytes: 1,
      busiest: { table: 'stretch', parts: 2 },
    },
    ...{ parts: 3, partsSetAside: 4, merges: 5, unfinishedMutations: 6, memoryBytes: 7 },
    disk: { freeBytes: 50, sizeBytes: 100 },
  });
  await expect(healthOf(undefined)).rejects.toThrow('without a row');
});

test('of many servers what they have is added up, and the worst is reported', async () => {
  const all = { bytes: 10, allParts: 20, setAside: 30, merges: 40, mutations: 50, memoryBytes: 60 };
  expect(await healthOf({}, { ...all, version: '26.2' })).toMatchObject({
    ...{ version: '26.1', bytes: 11, parts: 23, partsSetAside: 34, merges: 45 },
    ...{ unfinishedMutations: 56, memoryBytes: 67 },
  });
  const clocks = [1_005, 990, 1_010].map((nowMs) => ({ nowMs }));
  expect(await healthOf(...clocks)).toMatchObject({ clockAheadMs: -10 });
  expect(await healthOf(...clocks.toReversed())).toMatchObject({ clockAheadMs: 10 });
});

const crowd = (table: string, parts: number) => ({ table, parts });
test.each([
  ['the second', [crowd('peak', 1), crowd('event', 2)], crowd('event', 2)],
  ['the first', [crowd('peak', 2), crowd('event', 1)], crowd('peak', 2)],
  ['the first of equal ones', [crowd('peak', 2), crowd('event', 2)], crowd('peak', 2)],
  ['the only one', [crowd('', 0), crowd('event', 1)], crowd('event', 1)],
  ['the only one, before another', [crowd('peak', 1), crowd('', 0)], crowd('peak', 1)],
  ['none', [crowd('', 0), crowd('', 0)], undefined],
])('the busiest table is that of %s', async (_, tables, busiest) => {
  expect((await healthOf(...tables)).busiest).toEqual(busiest);
});

const disk = (diskFree: number | null, diskSize: number | null) => ({ diskFree, diskSize });
const free = (freeBytes: number, sizeBytes: number) => ({ freeBytes, sizeBytes });
test.each([
  ['the second', [disk(5, 10), disk(40, 100)], free(40, 100)],
  ['the first', [disk(40, 100), disk(5, 10)], free(40, 100)],
  ['the first of equal ones', [disk(5, 10), disk(50, 100)], free(5, 10)],
  ['the only one', [disk(null, null), disk(9, 10)], free(9, 10)],
  ['the only one, before another', [disk(9, 10), disk(null, 10)], free(9, 10)],
  ['none', [disk(10, null), disk(null, null)], undefined],
  ['none, of a single server', [disk(10, null)], undefined],
])('the fullest disk is that of %s', async (_, disks, fullest) => {
  expect((await healthOf(...disks)).disk).toEqual(fullest);
});
