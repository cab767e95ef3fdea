/** Exports by a schedule into a real object store, which refuses clocks that are set otherwise. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScheduledExports } from '../../src/app/parts/scheduled-exports.ts';
import { type Catalog, runLeaseMs } from '../../src/catalog/catalog.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { lookEveryMs } from '../../src/lib/time/periodic-reading.ts';
import { createEraser } from '../../src/maintenance/erase/eraser.ts';
import { keepExporting } from '../../src/maintenance/export/export-job.ts';
import { pollMs } from '../../src/maintenance/schedule/scheduled-job.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { program } from '../support/program.ts';
import {
  addFilm,
  startTestService,
  type TestAccount,
  type TestService,
} from '../support/service.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Warnings of the exporting node. */
const said: string[] = [];
const logger = pino({ level: 'warn' }, { write: (line) => void said.push(line) });
const execute = promisify(execFile);
const secret = 'a secret of the service, for its tests';
const today = new Date().setUTCHours(0, 0, 0, 0);
/** None is yesterday, which is complete only some minutes after midnight. */
const day = (daysAgo: number) => new Date(today - daysAgo * 86_400_000).toISOString().slice(0, 10);

let service: TestService;
let account: TestAccount;
let other: TestAccount;
let store: ObjectStore;
let folder: string;
let accessKey: string;
let packageId: number;
let stopExporting: (() => Promise<void>) | undefined;
/** Paths that were written, in order. */
let written: string[] = [];
beforeAll(async () => {
  store = await startObjectStore();
  passAll();
  folder = await mkdtemp(join(tmpdir(), 'playmeter-scheduled-'));
  service = await startTestService({
    // What was noted before the last look is not seen again.
    pace: { lookBackMs: 1_000 },
    clock: hurriedClock(lookEveryMs),
    environment: {
      ...store.environment,
      ...{ EXPORT_SCHEDULE: '30 4 * * *', EXPORT_TO: `${store.location}/facts` },
      ...{ APP_SECRET: secret, OPERATOR_NETWORKS: 'loopback' },
    },
  });
  // Not by the service's own clock: what gives up there after as long a wait would do so too soon.
  const clock = { ...systemClock, ...hurriedClock(pollMs) };
  const parts = createScheduledExports({ ...service, clock, logger }, service);
  stopExporting = parts && keepExporting(parts);
  [account, other] = [await service.addAccount(), await service.addAccount()];
  ({ packageId, accessKey } = await addFilm(account));
  await send(play('one', 4), play('two', 3), play('three', 2));
  await waitUntil('the schedule to begin', async () => {
    return ((await service.catalog.exports.state())?.target ?? '') !== '';
  });
});
afterAll(async () => {
  await stopExporting?.();
  await service?.stop();
  await store?.close();
  await rm(folder, { recursive: true, force: true });
});

function passAll(): void {
  store.meet(({ line, pass }) => {
    if (line.startsWith('PUT')) written.push(line.replace('PUT /copies/facts/', ''));
    pass();
  });
}

const play = (view: string, daysAgo: number, playMs = 60_000) => ({
  ...{ view, stretch: 0, at: `${day(daysAgo)}T00:00:00Z`, playMs, accessKey, packageId },
});

async function send(...beacons: object[]): Promise<void> {
  const answer = await service.send(beacons, { 'x-api-key': account.key });
  expect(await answer.json()).toEqual({ accepted: beacons.length, rejected: [] });
  await service.facts.rollUp();
}

async function note(changes: Parameters<Catalog['exports']['note']>[1]): Promise<void> {
  const { exports } = service.catalog;
  await waitUntil('the lease', async () => (await exports.hold('test')) !== undefined);
  await exports.note('test', changes);
  await exports.release('test');
}

/** As if it were due since long ago. */
const makeDue = () => note({ afterMs: 0, retryAtMs: 0 });

async function passNight(): Promise<void> {
  written = [];
  const before = (await service.catalog.exports.state())?.succeededAtMs;
  await makeDue();
  await waitUntil('the scheduled export', async () => {
    const { succeededAtMs } = (await service.catalog.exports.state()) ?? {};
    return succeededAtMs !== undefined && succeededAtMs !== before;
  });
}

const own = () => `account=${account.accountId}`;
const daysWritten = () =>
  written.flatMap((path) => /dt=([\d-]+)\/facts\.parquet/.exec(path)?.[1] ?? []);
const fileOf = (path: string) => store.fileOf(`facts/${own()}/${path}`);
const readFacts = async (name: string) => {
  const file = new Uint8Array(await readFile(fileOf(`dt=${name}/facts.parquet`))).buffer;
  return parquetReadObjects({ file, compressors });
};

async function daysInManifest(): Promise<string[]> {
  const { files } = JSON.parse(await readFile(fileOf('manifest.json'), 'utf8')) as {
    files: { path: string; rows: number }[];
  };
  return files.map(({ path }) => path.slice('dt='.length, -'/facts.parquet'.length));
}

/** The same, made by hand. */
async function exportByHand(name: string): Promise<Buffer> {
  const { DATA_DIR, CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD, CLICKHOUSE_DATABASE } =
    service.config;
  const stores = { DATA_DIR, CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD };
  const place = join(folder, name);
  const asked = ['--account', String(account.accountId), '--from', name, '--to', name];
  const words = ['export', '--facts', '--format', 'parquet', ...asked, place];
  await execute(process.execPath, [program, ...words], { env: { ...stores, CLICKHOUSE_DATABASE } });
  return readFile(join(place, `dt=${name}/facts.parquet`));
}

async function playsOf(name: string): Promise<number> {
  const route = `/report/statistics/video/v1/info/date?sdate=${name}&edate=${name}`;
  const { list } = await service.ask(route, account.key);
  return list.reduce((sum, { videoCount }) => sum + Number(videoCount), 0);
}

test('the first night exports all complete days, as by hand and as the answers say', async () => {
  await send({ ...play('now', 0, 0), at: new Date().toISOString() });
  await passNight();
  expect(await daysInManifest()).toEqual([day(4), day(3), day(2)]);
  expect(daysWritten()).toEqual([day(4), day(3), day(2)]);
  for (const name of await daysInManifest()) {
    expect(await readFile(fileOf(`dt=${name}/facts.parquet`))).toEqual(await exportByHand(name));
    const plays = (await readFacts(name)).reduce((sum, row) => sum + Number(row.plays), 0);
    expect(plays).toBe(await playsOf(name));
  }
  // What has no facts has no folder.
  expect(written.filter((path) => path.includes(`account=${other.accountId}`))).toEqual([]);
  // Where midnight passes, its day would be complete in a later night.
  await erase('now');
});

test('a night without anything new writes nothing', async () => {
  // What came in shortly before a look is written again after the next: at last nothing is.
  await waitUntil('a night without anything new', async () => {
    await passNight();
    expect([[], [day(4), day(3), day(2)]]).toContainEqual(daysWritten());
    return written.length === 0;
  });
});

test('a day with late facts is exported again, and no other', async () => {
  await send(play('late', 4), play('two', 3, 61_000));
  await passNight();
  expect(daysWritten()).toEqual([day(4), day(3)]);
  expect(await readFacts(day(4))).toHaveLength(2);
  expect(await readFacts(day(3))).toMatchObject([{ playMs: 61_000 }]);
});

async function erase(view: string): Promise<void> {
  const parts = { facts: service.facts.erasing, clock: systemClock };
  const eraser = createEraser({ ...parts, secret: async () => secret });
  const { receipt } = await eraser.record(service.catalog, { accountId: account.accountId, view });
  await eraser.carryOut(service.catalog, receipt);
}

test('what was erased goes from the files too', async () => {
  await erase('late');
  await passNight();
  expect(await readFacts(day(4))).toHaveLength(1);
  expect(await daysInManifest()).toEqual([day(4), day(3), day(2)]);
});

test('a clock that was ahead, and is set right, leaves no late facts out', async () => {
  const aheadMs = Date.now() + 7_200_000;
  await note({ lookedAtMs: aheadMs, notedThroughMs: aheadMs });
  await send(play('three', 2, 61_000));
  await waitUntil('a look by the right clock', async () => {
    return ((await service.catalog.exports.state())?.lookedAtMs ?? aheadMs) < aheadMs;
  });
  await passNight();
  expect(await readFacts(day(2))).toMatchObject([{ playMs: 61_000 }]);
});

test('after failures, which are said, the days that are missing are made up for', async () => {
  await send(play('four', 5), play('five', 6));
  store.meet(({ line, pass, response }) =>
    line.startsWith('PUT') && line.includes(`dt=${day(5)}`)
      ? response.writeHead(403).end()
      : pass(),
  );
  await makeDue();
  await waitUntil('a failure', async () => {
    return ((await service.catalog.exports.state())?.failures ?? 0) > 0;
  });
  await expect(readFile(fileOf('manifest.json'))).rejects.toThrow('ENOENT');
  const metric = async (name: string) => {
    const text = await (await service.request('/metrics')).text();
    return Number(new RegExp(`^playmeter_export_${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  await waitUntil('the metrics', async () => (await metric('failures')) === 1);
  expect(await metric('overdue_seconds')).toBeGreaterThan(2 * 24 * 3_600);
  expect((await service.catalog.exports.state())?.error).toContain('The bucket copies refuses');
  passAll();
  await passNight();
  expect(daysWritten()).toContain(day(5));
  expect(await daysInManifest()).toEqual([6, 5, 4, 3, 2].map(day));
  expect(await service.catalog.exports.state()).toMatchObject({ failures: 0, error: undefined });
});

test('a node that hung for longer than its lease writes nothing any more, and says why', async () => {
  const location = { sqliteFile: join(service.config.DATA_DIR, 'catalog.sqlite') };
  const clock = { ...systemClock, now: () => systemClock.now() + runLeaseMs };
  const next = await openCatalog({ location, clock });
  await send(play('five', 6, 61_000));
  [written, said.length] = [[], 0];
  store.meet(({ line, pass, response }) => {
    if (line.startsWith('PUT')) written.push(line);
    if (!line.startsWith('PUT') || !line.includes(`dt=${day(6)}`)) return pass();
    // This attempt fails; before another one the next node takes over.
    void next.exports.hold('next').then(() => response.writeHead(503).end());
  });
  await makeDue();
  await waitUntil('what the node says', () =>
    said.some((line) => line.includes('has lost its lease: another process has taken it over')),
  );
  expect(written.filter((line) => line.includes(`dt=${day(6)}`))).toHaveLength(1);
  expect(written.filter((line) => line.includes('manifest.json'))).toEqual([]);
  await next.exports.release('next');
  await next.close();
  passAll();
  await passNight();
  expect(await readFacts(day(6))).toMatchObject([{ playMs: 61_000 }]);
  expect(await daysInManifest()).toEqual([6, 5, 4, 3, 2].map(day));
});

test('a place that was emptied is filled again', async () => {
  const { place } =
    createScheduledExports({ ...service, clock: systemClock, logger }, service) ?? {};
  await place?.remove();
  await passNight();
  expect(await daysInManifest()).toEqual([6, 5, 4, 3, 2].map(day));
});

test('a closed account gets no new days, and what is erased still goes from those it has', async () => {
  const { accounts } = service.catalog;
  await send(play('five again', 6));
  await passNight();
  expect(await readFacts(day(6))).toHaveLength(2);
  await send(play('six', 7));
  accepted(await accounts.close(account.accountId));
  await erase('five again');
  await passNight();
  expect(await readFacts(day(6))).toHaveLength(1);
  expect(await daysInManifest()).toEqual([6, 5, 4, 3, 2].map(day));
  accepted(await accounts.reopen(account.accountId));
  await passNight();
  expect(await daysInManifest()).toEqual([7, 6, 5, 4, 3, 2].map(day));
});
