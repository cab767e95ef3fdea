import { expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { placesInUse } from './serve.ts';

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
