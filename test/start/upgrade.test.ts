/** A data folder of before the first release: every way to open it says so, and changes nothing. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { program } from '../support/program.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'playmeter-development-'));
  const catalog = new SqliteFile(join(folder, 'catalog.sqlite'));
  catalog.exec(`create table kysely_migration (name text, timestamp text);
    insert into kysely_migration values ('001-first-tables', '2026-11-24T00:00:00.000Z')`);
  catalog.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['serve'],
  ['migrate'],
  ['migrate', '--check'],
  ['account', 'list'],
  ['account', 'create', '--name', 'B'],
  ['verify'],
])('%s %s', (...words) => {
  const env = { ...process.env, DATA_DIR: folder, LOG_LEVEL: 'silent', PORT: '0' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    env,
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain(
    'The catalog cannot be used: a development version of Playmeter made it, before the first ' +
      'release, and no release reads its data. Begin with an empty folder (DATA_DIR)',
  );
  const catalog = new SqliteFile(join(folder, 'catalog.sqlite'));
  const tables = catalog.prepare('select name from sqlite_master').pluck().all();
  catalog.close();
  expect(tables).toEqual(['kysely_migration']);
  expect(readdirSync(folder)).not.toContain('engine');
});
