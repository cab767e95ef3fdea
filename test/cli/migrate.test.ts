/** `migrate --check` tells what is to be done to every kind of store, and changes nothing. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { type CommandLine, openCommandLine } from '../support/command-line.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { program } from '../support/program.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { engineAccess } from '../support/shared-parts.ts';

let commands: CommandLine;
let service: ServiceProcess | undefined;
let folder: string;

beforeAll(async () => {
  commands = await openCommandLine();
});
afterAll(() => commands.remove());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playmeter-migrate-'));
});
afterEach(async () => {
  await service?.remove();
  service = undefined;
  rmSync(folder, { recursive: true, force: true });
});

interface Printed {
  readonly code: number | null;
  readonly undone: readonly string[];
}

async function check(settings: Readonly<Record<string, string>>): Promise<Printed> {
  const words = ['migrate', '--check', '--json'];
  const ran = await commands.runWith({ LOG_LEVEL: 'silent', ...settings }, ...words);
  expect(ran.stderr).toBe('');
  return { code: ran.code, undone: JSON.parse(ran.stdout).undone };
}

/** By path, without what SQLite makes beside a file that it only reads: an index, an empty log. */
function contentsOf(place: string): Record<string, string> {
  const files = readdirSync(place, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.endsWith('.sqlite-shm'))
    .map((path) => [path, join(place, path)] as const)
    .filter(([, path]) => statSync(path).isFile() && statSync(path).size > 0);
  const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  return Object.fromEntries(files.map(([path, file]) => [path, digest(file)]));
}

test('of an empty data folder everything is still to be done; migrate does it', async () => {
  const settings = { DATA_DIR: folder };
  const { code, undone } = await check(settings);
  expect(code).toBe(1);
  expect(undone).toEqual(
    expect.arrayContaining([
      'catalog: migration 001-first-state is not applied',
      expect.stringMatching(/^statistics: migration 0001-/),
    ]),
  );
  expect(readdirSync(folder)).toEqual([]);

  const done = await commands.runWith({ LOG_LEVEL: 'silent', ...settings }, 'migrate', '--json');
  expect(done.code).toBe(0);
  expect(JSON.parse(done.stdout)).toEqual({ done: undone });
  const after = contentsOf(folder);
  expect(await check(settings)).toEqual({ code: 0, undone: [] });
  expect(contentsOf(folder)).toEqual(after);
});

test('on a terminal a bar shows the steps, and the output is what --json prints', async () => {
  const { undone } = await check({ DATA_DIR: folder });
  const output = join(folder, 'output.json');
  // Runs a command on a terminal of its own, and repeats what that shows.
  const command = `${process.execPath} ${program} migrate --json > ${output}`;
  const env = { ...process.env, DATA_DIR: folder, LOG_LEVEL: 'silent' };
  const shown = execFileSync('script', ['-qefc', command, '/dev/null'], { env, encoding: 'utf8' });
  const steps = undone.length;
  expect(shown).toContain(` 0/${steps}`);
  expect(shown).toContain(` ${steps}/${steps}`);
  expect(JSON.parse(readFileSync(output, 'utf8'))).toEqual({ done: undone });
});

test('beside a running service nothing is to be done; one of an earlier release is left alone', async () => {
  service = await startServiceProcess();
  const settings = { DATA_DIR: service.dataFolder };
  expect(await check(settings)).toEqual({ code: 0, undone: [] });
  expect(await service.run('migrate')).toEqual({ done: [] });

  const catalog = new SqliteFile(join(service.dataFolder, 'catalog.sqlite'));
  catalog.prepare("delete from kysely_migration where name = '001-first-state'").run();
  catalog.close();
  const undone = ['catalog: migration 001-first-state is not applied'];
  expect(await check(settings)).toEqual({ code: 1, undone });
  const refused = await commands.runWith({ LOG_LEVEL: 'silent', ...settings }, 'migrate');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('An earlier release runs on ');
});

test('of the data folder of a service that was killed nothing is to be done', async () => {
  service = await startServiceProcess();
  const settings = { DATA_DIR: service.dataFolder };
  await service.kill('SIGKILL');
  const before = contentsOf(service.dataFolder);
  expect(await check(settings)).toEqual({ code: 0, undone: [] });
  expect(contentsOf(service.dataFolder)).toEqual(before);
});

test('what a later release used is refused', async () => {
  const location = { sqliteFile: join(folder, 'catalog.sqlite') };
  await (await openCatalog({ location, clock: systemClock })).close();
  const catalog = new SqliteFile(join(folder, 'catalog.sqlite'));
  catalog
    .prepare('insert into kysely_migration (name, timestamp) values (?, ?)')
    .run('999-later', '2030-01-01T00:00:00.000Z');
  catalog.close();
  const settings = { DATA_DIR: folder, LOG_LEVEL: 'silent' };
  const { code, stdout, stderr } = await commands.runWith(settings, 'migrate', '--check');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('a later release used it and applied migration 999-later');
});

test('an option that there is not is wrong usage', async () => {
  expect(await commands.run('migrate', '--dry-run')).toMatchObject({ code: 2 });
});

test('of PostgreSQL and a ClickHouse server', async () => {
  const { url, username, password } = engineAccess();
  const postgres: Postgres = await startPostgres();
  try {
    const settings = {
      DATA_DIR: folder,
      DATABASE_URL: await postgres.createDatabase(),
      CLICKHOUSE_URL: url,
      CLICKHOUSE_USER: username,
      CLICKHOUSE_PASSWORD: password,
      CLICKHOUSE_DATABASE: `migrate_${process.pid}`,
    };
    // A verb that needs data makes none.
    expect(await commands.runWith(settings, 'account', 'list')).toEqual({
      ...{ code: 1, stdout: '' },
      stderr:
        'playmeter account list: There is no data in the database (DATABASE_URL): start the ' +
        'service, or create an account\n',
    });
    const { code, undone } = await check(settings);
    expect(code).toBe(1);
    expect(undone).toContain('catalog: migration 001-first-state is not applied');
    expect((await commands.runWith(settings, 'migrate')).code).toBe(0);
    expect(await check(settings)).toEqual({ code: 0, undone: [] });
    const words = ['account', 'create', '--name', 'A'];
    expect(await commands.runWith(settings, ...words)).toMatchObject({ code: 0 });
  } finally {
    await postgres.stop();
  }
});
