/** A catalog in PostgreSQL whose references are no longer checked, as a restored dump may be. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';

let postgres: Postgres;
let catalog: Catalog;
let client: pg.Client;
beforeAll(async () => {
  postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  catalog = await openCatalog({ location: { databaseUrl }, clock: systemClock });
  client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await catalog?.close();
  await postgres?.stop();
});

test('PostgreSQL checks each reference', async () => {
  const { rows } = await client.query(`SELECT count(*)::int AS keys FROM pg_constraint
    WHERE contype = 'f'`);
  expect(rows[0].keys).toBeGreaterThan(15);
  expect(await catalog.upkeep.damage()).toEqual([]);
});

test.each([
  {
    how: 'whose triggers are off',
    begin: 'ALTER TABLE thumbnails DISABLE TRIGGER ALL',
    end: 'ALTER TABLE thumbnails ENABLE TRIGGER ALL',
  },
  {
    how: 'that was added without looking at the rows',
    begin: `ALTER TABLE thumbnails DROP CONSTRAINT thumbnails_video_id_fkey,
      ADD CONSTRAINT thumbnails_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos NOT VALID`,
    end: 'ALTER TABLE thumbnails VALIDATE CONSTRAINT thumbnails_video_id_fkey',
  },
])('a reference $how is named', async ({ begin, end }) => {
  await client.query(begin);
  const complaint = 'thumbnails_video_id_fkey of thumbnails is not checked by PostgreSQL';
  expect(await catalog.upkeep.damage()).toEqual([complaint]);
  await client.query(end);
  expect(await catalog.upkeep.damage()).toEqual([]);
});
