/** Backups and verifications that a running service makes by itself, as the verbs would. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

let folder: string;
let service: ServiceProcess;
let catalog: Catalog;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-scheduled-backups-'));
  service = await startServiceProcess({
    ...{ BACKUP_SCHEDULE: '0 3 1 1 *', BACKUP_TO: folder, BACKUP_KEEP: '2' },
    VERIFY_SCHEDULE: '0 4 1 1 *',
  });
  const location = { sqliteFile: join(service.dataFolder, 'catalog.sqlite') };
  catalog = await openCatalog({ location, clock: systemClock });
  await waitUntil('the schedules to begin', async () => {
    return (await catalog.verifications.state()) !== undefined;
  });
});
afterAll(async () => {
  await catalog?.close();
  await service?.remove();
  await rm(folder, { recursive: true, force: true });
});

type Kind = 'backups' | 'verifications';

/** As if it were due since long ago. */
async function makeDue(kind: Kind): Promise<void> {
  const runs = catalog[kind];
  await waitUntil('the lease', async () => (await runs.hold('test')) !== undefined);
  await runs.note('test', { afterMs: 0, retryAtMs: 0 });
  await runs.release('test');
}

async function untilDone(kind: Kind, before: number | undefined): Promise<void> {
  await waitUntil(`scheduled ${kind}`, async () => {
    const { succeededAtMs } = (await catalog[kind].state()) ?? {};
    return succeededAtMs !== undefined && succeededAtMs !== before;
  });
}

const lastDone = async (kind: Kind) => (await catalog[kind].state())?.succeededAtMs;

async function passNight(kind: Kind): Promise<void> {
  const before = await lastDone(kind);
  await makeDue(kind);
  await untilDone(kind, before);
}

const scheduled = async () =>
  (await readdir(folder)).filter((name) => name.startsWith('scheduled-')).sort();

async function age(what: 'backup' | 'verify'): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(new RegExp(`^playmeter_${what}_age_seconds (\\S+)$`, 'm').exec(text)?.[1]);
}

const saidOf = (message: string) => service.log().filter((line) => line.includes(message));

test('whole backups, of which the newest are kept, and one that was made by hand', async () => {
  await service.run('backup', join(folder, 'by-hand'));
  const made: string[] = [];
  for (let night = 0; night < 3; night += 1) {
    await passNight('backups');
    made.push((await scheduled()).at(-1) ?? '');
  }
  expect(new Set(made).size).toBe(3);
  expect(await scheduled()).toEqual(made.slice(1));
  expect(await readdir(folder)).toHaveLength(3);
  const newest = join(folder, made[2] ?? '');
  expect(await service.run('backup', 'check', newest)).toMatchObject({ isWhole: true });
  await expect(
    service.run('backup', join(folder, 'tuesday'), '--incremental', newest),
  ).rejects.toThrow('name a backup made by hand');
  expect(saidOf('scheduled backup done')).toHaveLength(3);
  expect(await age('backup')).toBeLessThan(600);
});

test('a verification, whose age the metrics know from then on', async () => {
  expect(await age('verify')).toBeNaN();
  await passNight('verifications');
  expect(saidOf('scheduled verify done')[0]).toContain('all is right');
  expect(await age('verify')).toBeLessThan(600);
});

test('a backup that fails is said once, with its reason, and takes nothing away', async () => {
  const before = await readdir(folder);
  const lock = new SqliteFile(join(service.dataFolder, 'backup-lock'));
  lock.exec('BEGIN EXCLUSIVE');
  await makeDue('backups');
  await waitUntil('the failure', async () => {
    return ((await catalog.backups.state())?.failures ?? 0) > 0;
  }).finally(() => lock.close());
  expect((await catalog.backups.state())?.error).toMatch(/^playmeter backup: Another backup of /);
  expect(saidOf('scheduled backup failed, trying again')).toHaveLength(1);
  expect(await readdir(folder)).toEqual(before);
});

test('what was missed while the service was stopped is made up for at its start', async () => {
  await service.kill('SIGTERM');
  const [before, names] = [await lastDone('backups'), await scheduled()];
  await makeDue('backups');
  await service.start();
  await untilDone('backups', before);
  expect(await scheduled()).toEqual([names[1], expect.not.stringContaining(names[1] ?? '')]);
  expect(await catalog.backups.state()).toMatchObject({ failures: 0, error: undefined });
});
