/**
 * Verbs of this release beside a running service of an earlier one leave its tables alone. That
 * service is what verbs see of it: a data folder that it left, its lock, and an engine on it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holdDataFolder } from '../../src/app/data-folder.ts';
import { type Engine, startEngine } from '../../src/engine/engine.ts';
import { program } from '../support/program.ts';
import { waitUntil } from '../support/wait-until.ts';

let folder: string;
let engine: Engine | undefined;
let letGo: (() => void) | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'playmeter-beside-former-'));
  const kept = join(import.meta.dirname, 'former/before-viewers.tar.gz');
  execFileSync('tar', ['-xzf', kept, '-C', folder]);
  letGo = await holdDataFolder(folder);
  const logger = pino({ level: 'silent' });
  engine = await startEngine({ folder: join(folder, 'engine'), memoryMb: 512, logger });
  await waitUntil('the engine', () => engine?.whyNotReady() === undefined);
});
afterAll(async () => {
  await engine?.stop();
  letGo?.();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

function run(...words: string[]) {
  const env = { ...process.env, DATA_DIR: folder, LOG_LEVEL: 'silent' };
  const options = { env, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], options);
  return { status, stdout, stderr };
}

/** Of both stores, as they are. */
async function tables() {
  const catalog = new SqliteFile(join(folder, 'catalog.sqlite'), { readonly: true });
  const ofCatalog = catalog.prepare('select name, sql from sqlite_master order by name').all();
  catalog.close();
  const { url = '', username = '', password = '' } = engine?.access ?? {};
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'x-clickhouse-user': username, 'x-clickhouse-key': password },
    body: `SELECT create_table_query FROM system.tables WHERE database = 'playmeter' ORDER BY name`,
  });
  return { ofCatalog, ofStore: await answer.text() };
}

const ofAccount = ['--account', '1'];
const verbs = [
  ['account', 'list'],
  ['account', 'create', '--name', 'B'],
  ['video', 'list', ...ofAccount, '--folder', '1'],
  ['verify'],
  ['backup', '/nonexistent/place'],
  ['export', ...ofAccount, '--facts', '--format', 'csv', '--to', '/nonexistent/place'],
  ['erase', ...ofAccount, '--before', '2020-01-01', '--dry-run'],
  ['beacons', 'import', ...ofAccount, program],
  ['retention', ...ofAccount, '--access-key', 'a', '--from', '2026-01-01', '--to', '2026-01-02'],
  ['query', ...ofAccount, '--from', '2026-01-01', '--to', '2026-01-02', '--measures', 'plays'],
];

test('each says that an earlier release runs and what to do, and changes no table', async () => {
  const before = await tables();
  for (const words of verbs) {
    const { status, stdout, stderr } = run(...words);
    expect({ words, status, stdout }).toEqual({ words, status: 1, stdout: '' });
    expect(stderr).toContain(': The catalog is that of an earlier release: migration 016-sessions');
    expect(stderr).toContain(
      `That release runs on ${folder} (DATA_DIR): use its own verbs, or stop it and start this one`,
    );
  }
  const doctor = run('doctor');
  expect(doctor.status).toBe(1);
  expect(doctor.stdout).toContain('ERROR   Stores: The catalog is that of an earlier release');
  const migrate = run('migrate');
  expect(migrate).toMatchObject({ status: 1, stdout: '' });
  expect(migrate.stderr).toContain('An earlier release runs on ');
  expect(await tables()).toEqual(before);
});

test('and when it has stopped, that they have to be brought up to date', async () => {
  await engine?.stop();
  letGo?.();
  const refused = run('verify');
  expect(refused).toMatchObject({ status: 1, stdout: '' });
  expect(refused.stderr).toContain(
    'Start the service of this release, or run `playmeter migrate`; if a node of that release',
  );
  expect(run('migrate')).toMatchObject({ status: 0 });
  expect(run('account', 'list')).toMatchObject({ status: 0 });
});

test('tables of the statistics are refused as those of the catalog are', () => {
  const catalog = new SqliteFile(join(folder, 'catalog.sqlite'));
  const recorded = catalog.prepare('select name from kysely_migration').all();
  catalog.close();
  rmSync(join(folder, 'engine'), { recursive: true });
  const kept = join(import.meta.dirname, 'former/before-viewers.tar.gz');
  execFileSync('tar', ['-xzf', kept, '-C', folder, './engine']);
  expect(recorded.length).toBeGreaterThan(0);
  const { status, stdout, stderr } = run('verify');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain(
    'verify: The statistics are those of an earlier release: migration 0008-',
  );
});
