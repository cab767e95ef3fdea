/** The bundled engine with a catalog in PostgreSQL: the backup has all but that, and minds which. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { addProcessAccount } from '../support/process-accounts.ts';
import type { TestAccount } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

const today = new Date().setUTCHours(0, 0, 0, 0);
const yesterday = new Date(today - 86_400_000).toISOString().slice(0, 10);

let postgres: Postgres;
/** Read at each start and each verb. */
const environment: Record<string, string> = {};
let service: ServiceProcess;
let account: TestAccount;
let backups: string;
let database: string;
/** Copies of the database: before the videos, and after the backup. */
let early: string;
let dump: string;
let before: unknown;

beforeAll(async () => {
  postgres = await startPostgres();
  backups = await mkdtemp(join(tmpdir(), 'playmeter-backups-'));
  database = await postgres.createDatabase();
  environment.DATABASE_URL = database;
  service = await startServiceProcess(environment);
  account = await addProcessAccount(service, 'Europe/Berlin');
  await service.kill('SIGTERM');
  early = await copyDatabase('early');
  await service.start();
  const videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const at = `${yesterday}T12:00:00.000Z`;
  const beacons = Array.from({ length: 50 }, (_, number) => ({
    ...{ view: `view${number}`, stretch: 0, at, playMs: 60_000 + number, videoKey },
    ...{ viewer: `viewer${number % 7}`, address: '8.8.8.8' },
  }));
  const response = await fetch(`${service.url}/collect/v1/beacons`, {
    method: 'POST',
    headers: { 'x-api-key': account.key },
    body: JSON.stringify({ beacons }),
  });
  expect(await response.json()).toEqual({ accepted: 50, rejected: [] });
  await waitUntil('all plays in the answer', async () => {
    before = await answer();
    return JSON.stringify(before).includes('"plays":50');
  });
});
afterAll(async () => {
  await service?.remove();
  await postgres?.stop();
  await rm(backups, { recursive: true, force: true });
});

async function answer(): Promise<unknown> {
  const question = `measures=plays,playMs,viewers&dimensions=video&sdate=${yesterday}&edate=${yesterday}`;
  const response = await fetch(`${service.url}/report/statistics/video/v2/query?${question}`, {
    headers: { 'x-api-key': account.key },
  });
  const { data } = (await response.json()) as { data: { list: unknown; totals: unknown } };
  return { list: data.list, totals: data.totals };
}

/** What pg_dump and pg_restore give, where no service is connected. */
async function copyDatabase(name: string): Promise<string> {
  const url = new URL(database);
  const source = url.pathname.slice(1);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: String(url) });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${source}`);
  await client.end();
  url.pathname = `/${name}`;
  return String(url);
}

test('a backup leaves the catalog to pg_dump, and is restored beside its dump alone', async () => {
  const backup = join(backups, 'one');
  expect(await service.run('backup', backup)).toMatchObject({ hasCatalog: false, facts: 50 });
  const { backupList } = await service.run('backup', 'list', backups);
  expect(backupList).toMatchObject([{ location: backup, hasCatalog: false }]);
  // The catalog may be dumped later: it knows all that the backup names.
  await account.addVideo();
  await service.kill('SIGTERM');
  dump = await copyDatabase('dump');

  for (const name of await readdir(service.dataFolder)) {
    await rm(join(service.dataFolder, name), { recursive: true });
  }
  const restoreWith = (url: string | undefined) => {
    if (url === undefined) delete environment.DATABASE_URL;
    else environment.DATABASE_URL = url;
    return service.run('restore', backup);
  };
  await expect(restoreWith(undefined)).rejects.toThrow(/pg_restore, and set DATABASE_URL/);
  await expect(restoreWith(early)).rejects.toThrow(/nothing was restored: it is older.*packages/);
  await expect(restoreWith(await postgres.createDatabase())).rejects.toThrow(/has no catalog/);
  environment.DATABASE_URL = await postgres.createDatabase();
  await service.run('account', 'create', '--name', 'Another', '--time-zone', 'UTC');
  await expect(restoreWith(environment.DATABASE_URL)).rejects.toThrow(/it is another catalog/);
  expect(await readdir(service.dataFolder)).toEqual([]);

  expect(await restoreWith(dump)).toMatchObject({ verification: { isSound: true, facts: 50 } });
  await service.start();
  expect(await answer()).toEqual(before);
});

test('a backup that has its catalog is not restored beside another', async () => {
  delete environment.DATABASE_URL;
  const own = await startServiceProcess();
  try {
    await own.run('backup', join(backups, 'whole'));
  } finally {
    await own.remove();
  }
  environment.DATABASE_URL = dump;
  await expect(service.run('restore', join(backups, 'whole'))).rejects.toThrow(
    /unset DATABASE_URL/,
  );
});
