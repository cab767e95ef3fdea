import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { manualClock } from '../support/manual-clock.ts';
import { startPostgres } from '../support/postgres.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = manualClock();
const unavailable = { code: 'UNAVAILABLE', retryAfterSeconds: 1 };

test('a file that is no database is a fault of the world', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-outage-'));
  const sqliteFile = join(folder, 'catalog.db');
  await writeFile(sqliteFile, 'this is a text '.repeat(1_000));
  const opening = openCatalog({ location: { sqliteFile }, clock });
  await expect(opening).rejects.toMatchObject(unavailable);
  await rm(folder, { recursive: true });
});

test('a server that is away is a fault; once it is back, all goes on', async () => {
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const catalog = await openCatalog({ location: { databaseUrl }, clock });
  await catalog.ping();
  const administrator = new pg.Client(databaseUrl);
  await administrator.connect();
  await administrator.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  await administrator.end();
  // The first ones may still meet broken connections, of which the pool held some.
  await waitUntil('a connection that works', () =>
    catalog.ping().then(
      () => true,
      () => false,
    ),
  );
  await postgres.stop();
  await expect(catalog.ping()).rejects.toMatchObject(unavailable);
  await expect(catalog.accounts.list()).rejects.toMatchObject(unavailable);
  await catalog.close();
  const opening = openCatalog({ location: { databaseUrl }, clock });
  await expect(opening).rejects.toMatchObject(unavailable);
});
