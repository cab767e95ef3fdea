import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Catalog } from '../catalog/catalog.ts';
import { openCatalog } from '../catalog/open-catalog.ts';
import { readConfig } from '../config/config.ts';
import { systemClock } from '../lib/time/clock.ts';
import { scopes } from '../vocabulary/scopes.ts';
import { placesInUse, prepareFirstStart } from './serve.ts';

test('the places in use are named, without users and passwords', () => {
  const databases = {
    'postgres://ann:hidden@db.example:5433/video%20stats?sslmode=require':
      'PostgreSQL on db.example:5433, database video stats',
    'postgresql://db.example': 'PostgreSQL on db.example, database that of the user',
    'postgres:///stats?host=/run/postgresql': 'PostgreSQL on /run/postgresql, database stats',
    'postgres:///stats': 'PostgreSQL on localhost, database stats',
  };
  for (const [url, catalog] of Object.entries(databases)) {
    expect(placesInUse(readConfig({ DATA_DIR: '/srv/pm', DATABASE_URL: url }))).toEqual([
      'Data folder: /srv/pm',
      `Catalog: ${catalog}`,
      'Statistics: ClickHouse, in the data folder',
    ]);
  }
  const url = 'https://ann:hidden@ch.example:8443/path';
  const server = { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: 'pm2' };
  const [, catalog, statistics] = placesInUse(readConfig(server));
  expect(catalog).toBe('Catalog: SQLite, in the data folder');
  expect(statistics).toBe('Statistics: ClickHouse on ch.example:8443, database pm2');
});

let folder: string;
let catalog: Catalog;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-first-start-'));
  const location = { sqliteFile: join(folder, 'catalog.sqlite') };
  catalog = await openCatalog({ location, clock: systemClock });
});
afterAll(async () => {
  await catalog.close();
  await rm(folder, { recursive: true, force: true });
});

test('makes an account with a clip that is served, once', async () => {
  const content = join(folder, 'content');
  const first = await prepareFirstStart(catalog, content);
  const { accountId = 0, key = '', videoKey = '' } = first ?? {};
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(await catalog.accounts.list()).toMatchObject([{ accountId, timeZone }]);
  expect(await catalog.keys.authenticate(key)).toMatchObject({ accountId, scopes });
  const found = (await catalog.publications.identify([videoKey])).get(videoKey);
  expect(found).toMatchObject({ accountId });

  const [file = ''] = await readdir(content);
  const clip = await readFile(join(import.meta.dirname, '../../demo/clip.mp4'));
  expect(await readFile(join(content, file))).toEqual(clip);
  expect(file).toBe(`${found?.videoId}.mp4`);
  expect((await stat(join(content, file))).mode & 0o777).toBe(0o600);

  expect(await prepareFirstStart(catalog, content)).toBeUndefined();
  expect(await catalog.accounts.list()).toHaveLength(1);
});
