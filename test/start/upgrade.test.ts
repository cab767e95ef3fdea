/**
 * Data folders that earlier releases left when they were killed: this release brings them up to date
 * and gives the answers they gave. Those of before the first release are refused and left alone.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { becomeFirst } from '../support/people.ts';
import { program } from '../support/program.ts';
import { waitUntil } from '../support/wait-until.ts';

const kept = join(import.meta.dirname, 'former');
const releases = readdirSync(kept)
  .filter((name) => name.endsWith('.tar.gz'))
  .map((name) => name.replace('.tar.gz', ''));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'playmeter-former-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

function run(dataFolder: string, ...words: string[]) {
  const env = { ...process.env, DATA_DIR: dataFolder, LOG_LEVEL: 'silent', PORT: '0' };
  return spawnSync(process.execPath, [program, ...words], { env, encoding: 'utf8' });
}

describe.each(releases)('what release %s stored', (release) => {
  const former = JSON.parse(readFileSync(join(kept, `${release}.json`), 'utf8')) as {
    /** Of the account that asked. */
    readonly key: string;
    /** By path and query. */
    readonly answers: Readonly<Record<string, Answer>>;
  };
  let dataFolder: string;
  let service: ChildProcess | undefined;

  beforeAll(() => {
    dataFolder = join(folder, release);
    execFileSync('mkdir', [dataFolder]);
    execFileSync('tar', ['-xzf', join(kept, `${release}.tar.gz`), '-C', dataFolder]);
  });
  afterAll(() => stop());

  const hasEnded = () => service === undefined || service.exitCode !== null;

  async function start(): Promise<string> {
    let output = '';
    const env = { ...process.env, DATA_DIR: dataFolder, PORT: '0' };
    service = spawn(process.execPath, [program, 'serve'], { env });
    for (const stream of [service.stdout, service.stderr]) {
      stream?.on('data', (text) => {
        output += text;
      });
    }
    await waitUntil('it is ready or has ended', () => /is ready: /.test(output) || hasEnded());
    expect(output).toContain('Playmeter is ready');
    return /is ready: (\S+)/.exec(output)?.[1] ?? '';
  }

  async function stop(): Promise<void> {
    if (hasEnded()) return;
    service?.kill('SIGTERM');
    await waitUntil('it has ended', hasEnded);
  }

  test('gives the answers it gave, what the journal held among them', async () => {
    const url = await start();
    const wanted = Object.entries(former.answers).map(([path, answer]) => [path, lasting(answer)]);
    const given = () =>
      Promise.all(
        wanted.map(async ([path]) => {
          const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': former.key } });
          return [path, lasting((await response.json()) as Answer)];
        }),
      );
    // What the journal held is summed within two seconds.
    await expect.poll(given).toEqual(wanted);
    await stop();
    expect(run(dataFolder, 'verify')).toMatchObject({ status: 0 });
  });

  test('lets the first person in by a link, as owner of all there is, and keys work on', async () => {
    const url = await start();
    const headers = await becomeFirst({ url, dataFolder });
    const signedIn = await fetch(`${url}/session`, { headers });
    const { person, accounts } = (await signedIn.json()) as {
      person: { isOperator: boolean };
      accounts: { accountId: number; role: string }[];
    };
    expect(person.isOperator).toBe(true);
    const catalog = new SqliteFile(join(dataFolder, 'catalog.sqlite'), { readonly: true });
    const all = catalog.prepare('select id from accounts order by id').pluck().all();
    catalog.close();
    expect(accounts.map(({ accountId, role }) => [accountId, role])).toEqual(
      all.map((accountId) => [accountId, 'owner']),
    );
    const [path = ''] = Object.keys(former.answers);
    const answer = await fetch(`${url}${path}`, { headers: { 'x-api-key': former.key } });
    expect(answer.status).toBe(200);
    await stop();
  });

  test('is refused plainly once a later release has used its catalog', () => {
    const catalog = new SqliteFile(join(dataFolder, 'catalog.sqlite'));
    catalog
      .prepare('insert into kysely_migration (name, timestamp) values (?, ?)')
      .run('999-later', '2030-01-01T00:00:00.000Z');
    catalog.close();
    expect(run(dataFolder, 'serve')).toMatchObject({
      status: 1,
      stderr:
        'playmeter serve: The catalog cannot be used: a later release used it ' +
        'and applied migration 999-later: use that one\n',
    });
  });
});

type Answer = Readonly<Record<string, unknown>>;

/** Each answer has another `requestId`, and tokens of its own. */
function lasting(answer: Answer): Answer {
  const { data } = answer;
  if (typeof data !== 'object') return answer;
  return { ...answer, data: { ...data, requestId: undefined, nextToken: undefined } };
}

describe('data of a development version', () => {
  let dataFolder: string;
  beforeAll(() => {
    dataFolder = join(folder, 'development');
    execFileSync('mkdir', [dataFolder]);
    const catalog = new SqliteFile(join(dataFolder, 'catalog.sqlite'));
    catalog.exec(`create table kysely_migration (name text, timestamp text);
      insert into kysely_migration values ('001-first-tables', '2026-11-24T00:00:00.000Z')`);
    catalog.close();
  });

  test.each([
    ['serve'],
    ['migrate'],
    ['migrate', '--check'],
    ['account', 'list'],
    ['account', 'create', '--name', 'B'],
    ['verify'],
  ])('is refused, and nothing of it changes: %s %s', (...words) => {
    const { status, stdout, stderr } = run(dataFolder, ...words);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(
      'The catalog cannot be used: a development version of Playmeter made it, before the first ' +
        'release, and no release reads its data. Begin with an empty folder (DATA_DIR)',
    );
    const catalog = new SqliteFile(join(dataFolder, 'catalog.sqlite'));
    const tables = catalog.prepare('select name from sqlite_master').pluck().all();
    catalog.close();
    expect(tables).toEqual(['kysely_migration']);
    expect(readdirSync(dataFolder)).not.toContain('engine');
  });
});
