/** A scheduled export whose process is stopped or killed in the middle: the next one goes on. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalog, runLeaseMs } from '../../src/catalog/catalog.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { type ObjectStore, startObjectStore } from '../support/object-store.ts';
import { addProcessAccount } from '../support/process-accounts.ts';
import type { TestAccount } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const today = new Date().setUTCHours(0, 0, 0, 0);
const day = (daysAgo: number) => new Date(today - daysAgo * 86_400_000).toISOString().slice(0, 10);
/** Not yesterday, which is complete only some minutes after midnight. */
const lastDay = day(2);
const days = [day(5), day(4), day(3), lastDay];

let store: ObjectStore;
let service: ServiceProcess;
let account: TestAccount;
let catalog: Catalog;
/** Of a process whose clock is ahead: by it a lease that nobody renews has run out. */
let later: Catalog;
let folder: string;
beforeAll(async () => {
  store = await startObjectStore();
  folder = await mkdtemp(join(tmpdir(), 'playmeter-ended-'));
  const to = `${store.location}/facts`;
  service = await startServiceProcess({
    ...store.environment,
    ...{ EXPORT_SCHEDULE: '30 4 * * *', EXPORT_TO: to, EXPORT_FORMAT: 'csv' },
  });
  const location = { sqliteFile: join(service.dataFolder, 'catalog.sqlite') };
  catalog = await openCatalog({ location, clock: systemClock });
  const ahead = { ...systemClock, now: () => systemClock.now() + runLeaseMs };
  later = await openCatalog({ location, clock: ahead });
  account = await addProcessAccount(service, 'UTC');
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const beacons = days.map((name) => {
    return { view: name, stretch: 0, at: `${name}T10:00:00Z`, playMs: 60_000, videoKey };
  });
  const response = await fetch(`${service.url}/collect/v1/beacons`, {
    method: 'POST',
    headers: { 'x-api-key': account.key },
    body: JSON.stringify({ beacons }),
  });
  expect(await response.json()).toEqual({ accepted: days.length, rejected: [] });
  // What is on its way is exported the next time.
  const asked = `sdate=${days[0]}&edate=${lastDay}`;
  const url = `${service.url}/report/statistics/video/v1/info/date?${asked}`;
  await waitUntil('all days in the store', async () => {
    const answer = await fetch(url, { headers: { 'x-api-key': account.key } });
    const { data } = (await answer.json()) as { data?: { list: object[] } };
    return data?.list.length === days.length;
  });
});
afterAll(async () => {
  await Promise.all([catalog?.close(), later?.close()]);
  await service?.remove();
  await store?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Resolves when a file of the third day is about to be written; it hangs until all pass again. */
function holdThirdDay(): Promise<void> {
  return new Promise((resolve) => {
    store.meet(({ line, pass }) => {
      if (line.startsWith('PUT') && line.includes(`dt=${days[2]}`)) resolve();
      else pass();
    });
  });
}

async function makeDue(): Promise<void> {
  const { exports } = catalog;
  await waitUntil('the lease', async () => (await exports.hold('test')) !== undefined);
  await exports.note('test', { afterMs: 0, target: '' });
  await exports.release('test');
}

const own = (path: string) => store.fileOf(`facts/account=${account.accountId}/${path}`);
const readManifest = async () =>
  JSON.parse(await readFile(own('manifest.json'), 'utf8')) as { files: { path: string }[] };

async function expectWhole(): Promise<void> {
  await waitUntil('the scheduled export', async () => {
    return ((await catalog.exports.state())?.afterMs ?? 0) > 0;
  });
  const { files } = await readManifest();
  expect(files.map(({ path }) => path)).toEqual(days.map((name) => `dt=${name}/facts.csv`));
  const place = join(folder, String(performance.now()));
  const asked = ['--account', String(account.accountId), '--format', 'csv', '--to', lastDay];
  await service.run('export', '--facts', ...asked, place);
  for (const { path } of files) {
    expect(await readFile(own(path), 'utf8')).toBe(await readFile(join(place, path), 'utf8'));
  }
  expect(await readManifest()).toEqual(
    JSON.parse(await readFile(join(place, 'manifest.json'), 'utf8')),
  );
}

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'ended by %s, it leaves no manifest, and the next start goes on',
  async (signal) => {
    await waitUntil('the schedule to begin', async () => {
      return (await catalog.exports.state()) !== undefined;
    });
    const reached = holdThirdDay();
    await makeDue();
    await reached;
    expect(await service.kill(signal)).toBe(signal === 'SIGTERM' ? 0 : null);
    await expect(readManifest()).rejects.toThrow('ENOENT');
    // Of a run that ended in order, nothing has to be waited for.
    const isFree = (await catalog.exports.hold('test')) !== undefined;
    expect(isFree).toBe(signal === 'SIGTERM');
    // That of the killed one runs out in the end, and is taken by another process, which ends too.
    expect(await later.exports.hold('test')).toBeDefined();
    store.meet(({ pass }) => pass());
    await service.start();
    await catalog.exports.release('test');
    await expectWhole();
  },
);
