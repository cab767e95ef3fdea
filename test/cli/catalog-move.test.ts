/** From one node to PostgreSQL and back with the program itself: whoever had a key still has it. */
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addProcessAccount } from '../support/process-accounts.ts';
import type { TestAccount } from '../support/service.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { createDatabase } from '../support/shared-parts.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Copying them takes long enough to be killed meanwhile. */
const entries = 60_000;
/** Also where a day ends meanwhile. */
const [from, to] = [-1, 1].map((days) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
);
const dashboard = { 'x-requested-with': 'playmeter', 'sec-fetch-site': 'same-origin' };

let service: ServiceProcess;
let account: TestAccount;
let videoKey: string;
let cookie: string;
let databaseUrl: string;
/** Read at each start and each verb. */
const environment: Record<string, string> = {};

beforeAll(async () => {
  databaseUrl = await createDatabase();
  service = await startServiceProcess(environment);
  account = await addProcessAccount(service, 'Europe/Berlin');
  videoKey = await account.publish(await account.addPackage(), await account.addVideo());
  const signedIn = await fetch(`${service.url}/session`, {
    method: 'POST',
    headers: { ...dashboard, 'x-api-key': account.key },
  });
  cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
});
afterAll(() => service?.remove());

let views = 0;

/** A play by the video key, and what the key and the session read of it. */
async function expectAllToWork(): Promise<void> {
  views += 1;
  const at = new Date(Date.now() - 60_000).toISOString();
  const beacon = { view: `view ${views}`, stretch: 0, at, playMs: 1_000, videoKey };
  const sent = await fetch(`${service.url}/collect/v1/beacons`, {
    ...{ method: 'POST', headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/130.0' } },
    body: JSON.stringify({ beacons: [beacon] }),
  });
  expect(await sent.json()).toEqual({ accepted: 1, rejected: [] });
  const question = `measures=plays&sdate=${from}&edate=${to}&timezone=UTC`;
  for (const headers of [{ 'x-api-key': account.key }, { ...dashboard, cookie }]) {
    await waitUntil('the play in the answer', async () => {
      const path = `/report/statistics/video/v2/query?${question}`;
      const answer = await fetch(`${service.url}${path}`, { headers });
      return (await answer.text()).includes(`"plays":${views}`);
    });
  }
}

const move = (to: string, ...options: string[]) =>
  service.run('catalog', 'move', '--to', to, ...options);

async function onServer<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}

/** Resolves while rows are written to the database, seen from another one. */
async function whileCopying(): Promise<void> {
  const elsewhere = new URL(databaseUrl);
  const name = elsewhere.pathname.slice(1);
  elsewhere.pathname = '/postgres';
  const copying = `select 1 from pg_stat_activity where datname = '${name}'
    and xact_start is not null and query like 'insert into "audit" %'`;
  await waitUntil(
    'rows that are copied',
    async () => {
      return (await onServer(String(elsewhere), copying)).length > 0;
    },
    60_000,
  );
}

test('a service moves to PostgreSQL and back, with a move that was killed on the way', async () => {
  await expectAllToWork();
  await expect(move(databaseUrl)).rejects.toThrow(/Another process uses .*Stop it/);
  await service.kill('SIGTERM');
  const file = new SqliteFile(join(service.dataFolder, 'catalog.sqlite'));
  file.exec(`with recursive numbers (n) as (select 1 union all select n + 1 from numbers
      where n < ${entries})
    insert into audit (account_id, at_ms, actor, actor_name, action)
    select ${account.accountId}, n, 'SERVICE', '', 'LABEL_CREATED' from numbers`);
  file.close();

  const killed = service.begin('catalog', 'move', '--to', databaseUrl);
  await whileCopying();
  killed.kill('SIGKILL');
  expect(await killed.ended).toBeNull();
  expect(await onServer(databaseUrl, 'select * from accounts')).toEqual([]);

  const moved = await move(databaseUrl);
  expect(moved).toMatchObject({ isVerified: true, wasThere: false });
  expect(moved).toMatchObject({ from: 'SQLite, in the data folder', to: /^PostgreSQL on / });
  const tables = moved.tables as { table: string; rows: number }[];
  const audited = tables.find(({ table }) => table === 'audit')?.rows ?? 0;
  expect(audited).toBeGreaterThan(entries);
  expect(JSON.stringify(moved)).not.toContain('password');
  expect(await move(databaseUrl)).toMatchObject({ wasThere: true, rows: moved.rows });

  environment.DATABASE_URL = databaseUrl;
  await service.start();
  await expectAllToWork();
  expect(await service.run('verify')).toMatchObject({ differences: [] });
  await expect(move('sqlite')).rejects.toThrow(/Another process uses/);
  await service.kill('SIGTERM');

  // The old catalog is still what it was.
  expect(await move('sqlite')).toMatchObject({ wasThere: false });
  delete environment.DATABASE_URL;
  await service.start();
  await expectAllToWork();
});

test.each([
  ['mysql://root@127.0.0.1/shop', /--to must be sqlite, or a URL/],
  ['sqlite', /The catalog is there already: SQLite, in the data folder/],
])('--to %s is refused', async (to, complaint) => {
  await expect(move(to)).rejects.toThrow(complaint);
});
