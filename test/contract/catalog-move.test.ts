/** A catalog that moves from SQLite to PostgreSQL and back keeps every row, or nothing happens. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteFile from 'better-sqlite3';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CatalogMove, CatalogMoveOptions } from '../../src/catalog/catalog.ts';
import type { CatalogLocation } from '../../src/catalog/database/database.ts';
import { moveCatalog } from '../../src/catalog/maintenance/catalog-move.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addLibrary, type Library } from '../support/catalogs.ts';
import { manualClock } from '../support/manual-clock.ts';
import { createDatabase } from '../support/shared-parts.ts';

const clock = manualClock();
let folder: string;
let made = 0;
/** A filled catalog, which each test moves into an empty database. */
let source: { readonly sqliteFile: string };
let target: { readonly databaseUrl: string };
let library: Library;
let secret: string;
let videoKey: string;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-catalog-move-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  source = newFile();
  target = { databaseUrl: await createDatabase() };
  const catalog = await openCatalog({ location: source, clock });
  library = await addLibrary(catalog);
  const { accountId, folderId, packageId } = library;
  const video = { folderId, title: 'Ärger am 서울역 🚉', tag: 'ABC' };
  const { accessKey } = accepted(await catalog.videos.create(accountId, video));
  const published = await catalog.publications.publish({ accountId, packageId, accessKey });
  ({ videoKey } = accepted(published));
  const key = accepted(await catalog.keys.create({ accountId, scopes: ['stats:read', 'manage'] }));
  secret = key.secret;
  ({ token } = await catalog.sessions.begin(key.keyId));
  const person = { email: 'kim@example.com', name: 'Kim', language: 'ko' as const };
  accepted(await catalog.people.create(person));
  await catalog.close();
  fillAll(source.sqliteFile);
});

function newFile() {
  made += 1;
  return { sqliteFile: join(folder, `catalog${made}.sqlite`) };
}

const usual = {
  clock: systemClock,
  replaces: false,
  signal: new AbortController().signal,
  noteProgress: () => {},
};
const move = (
  from: CatalogLocation,
  to: CatalogLocation,
  other: Partial<CatalogMoveOptions> = {},
) => moveCatalog(from, to, { ...usual, ...other });

async function withCatalog<Value>(
  location: CatalogLocation,
  use: (catalog: Awaited<ReturnType<typeof openCatalog>>) => Promise<Value>,
): Promise<Value> {
  const catalog = await openCatalog({ location, clock });
  return use(catalog).finally(() => catalog.close());
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
  readonly notnull: 0 | 1;
}

const ownTables = `select name from pragma_table_list where schema = 'main' and type = 'table'
  and name not like 'sqlite_%' and name not like 'kysely_%' order by name`;

/** Two rows in every table, whatever it is, with values at which databases differ. */
function fillAll(file: string): void {
  const database = new SqliteFile(file);
  const names = database.prepare(ownTables).pluck().all() as string[];
  database.pragma('foreign_keys = off');
  for (const name of names) {
    if (name === 'change_count') continue;
    const columns = database
      .prepare(`select name, lower(type) as type, pk, "notnull" from pragma_table_info(?)`)
      .all(name) as Column[];
    const references = database
      .prepare('select "from" from pragma_foreign_key_list(?)')
      .pluck()
      .all(name) as string[];
    for (const row of [0, 1]) {
      const values = columns.map((column) =>
        references.includes(column.name) && !column.type.includes('text')
          ? 1 + 1_000 * row
          : valueFor(column, row),
      );
      const places = columns.map(() => '?').join(', ');
      database.prepare(`insert into ${name} values (${places})`).run(values);
    }
  }
  // Its id is never given again.
  const last = `insert into folders (id, account_id, name, created_at_ms) values (5000, 1, '', 0)`;
  database.exec(`${last}; delete from folders where id = 5000`);
  database.exec(`update erased_names set receipt = (select min(receipt) from erasures)`);
  database.pragma('foreign_keys = on');
  expect(database.pragma('foreign_key_check')).toEqual([]);
  database.close();
}

function valueFor({ name, type, pk, notnull }: Column, row: number): unknown {
  if (type.startsWith('bigint') || type.startsWith('integer')) {
    if (name === 'id') return 1_000 + row;
    if (row === 1 && !notnull) return null;
    return type.startsWith('bigint') && pk === 0 ? Number.MAX_SAFE_INTEGER - row : row;
  }
  if (type.startsWith('double')) return row === 0 ? 29.97 : 0.1 + 0.2;
  if (type === 'blob') return Buffer.from([0, 255, 39, 92, row]);
  if (row === 1 && !notnull && pk === 0) return null;
  return row === 0 ? `Äß "x' \\ \u{1F600}\n${name}` : `aB_${name}\u3042`;
}

type Rows = Readonly<Record<string, readonly string[]>>;

/** All rows, as text, in any order; without what a move leaves. */
async function rowsOf(location: CatalogLocation): Promise<Rows> {
  const names = tablesOf(source.sqliteFile);
  const read = 'sqliteFile' in location ? readFile(location.sqliteFile) : readServer(location);
  const { query, close } = await read;
  const rows: Record<string, string[]> = {};
  for (const name of names) {
    const kept = (await query(`select * from ${name}`)).filter((row) => row.name !== 'move');
    rows[name] = kept.map(textOf).sort();
  }
  await close();
  return rows;
}

function tablesOf(file: string): string[] {
  const database = new SqliteFile(file, { readonly: true });
  const names = database.prepare(ownTables).pluck().all() as string[];
  database.close();
  return names;
}

function textOf(row: Record<string, unknown>): string {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? [...value] : value,
  ]);
  return JSON.stringify(entries.sort());
}

interface Opened {
  query(text: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

async function readFile(file: string): Promise<Opened> {
  const database = new SqliteFile(file, { readonly: true });
  return {
    query: async (text) => database.prepare(text).all() as Record<string, unknown>[],
    close: async () => void database.close(),
  };
}

async function readServer({ databaseUrl }: { databaseUrl: string }): Promise<Opened> {
  const types = {
    getTypeParser: (type: number, format?: string) =>
      type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format as 'text'),
  };
  const client = new pg.Client({ connectionString: databaseUrl, types });
  await client.connect();
  return { query: async (text) => (await client.query(text)).rows, close: () => client.end() };
}

async function onServer(text: string): Promise<Record<string, unknown>[]> {
  const server = await readServer(target);
  return server.query(text).finally(server.close);
}

const withoutSalts = ({ salts: _, ...rows }: Rows) => rows;
const countsOf = ({ tables }: CatalogMove) =>
  Object.fromEntries(tables.map(({ table, rows }) => [table, rows]));

test('every row of every table moves to PostgreSQL, and back into an empty file', async () => {
  const before = await rowsOf(source);
  const counts = Object.fromEntries(
    Object.entries(before).map(([table, rows]) => [table, rows.length]),
  );
  expect(Object.values(counts)).not.toContain(0);

  const moved = await move(source, target);
  expect(moved.wasThere).toBe(false);
  expect(countsOf(moved)).toEqual(counts);
  expect(await rowsOf(target)).toEqual(before);
  // The old catalog stays, but for salts: they would outlive their days.
  expect(await rowsOf(source)).toEqual({ ...before, salts: [] });

  const back = newFile();
  expect(countsOf(await move(target, back))).toEqual(counts);
  expect(await rowsOf(back)).toEqual(before);
  expect(await rowsOf(target)).toEqual({ ...before, salts: [] });
});

test('PostgreSQL has no table besides that is not made again', async () => {
  await move(source, target);
  const found = await onServer(
    `select relname as name from pg_class where relkind in ('r', 'p')
      and relnamespace = 'public'::regnamespace and relname not like 'kysely_%' order by 1`,
  );
  const names = found.map(({ name }) => String(name).replace(/^video_search_\d+$/, 'video_search'));
  const own = [...tablesOf(source.sqliteFile), 'limit_windows', 'video_search'];
  expect([...new Set(names)].sort()).toEqual(own.sort());
});

test.each(['there', 'back'] as const)('keys, sessions, links and search work %s', async (way) => {
  await move(source, target);
  const file = newFile();
  if (way === 'back') await move(target, file);
  await withCatalog(way === 'back' ? file : target, async (catalog) => {
    const { accountId, packageId } = library;
    expect(await catalog.keys.authenticate(secret)).toMatchObject({ accountId });
    expect(await catalog.sessions.find(token)).toMatchObject({ accountId });
    const found = await catalog.publications.identify([videoKey]);
    expect(found.get(videoKey)).toMatchObject({ accountId, packageId });
    const listed = { searchItem: 'title', sortItem: 'title', sortDirection: 'asc' } as const;
    const query = { ...listed, keyword: '서울역', pageSize: 10, page: 1 };
    const inPackage = await catalog.videos.listPackage(accountId, packageId, query);
    expect(accepted(inPackage).videos.map((one) => one.videoKey)).toEqual([videoKey]);
    // Ids go on after those that were ever given.
    const { folderId: next } = accepted(
      await catalog.folders.create(accountId, { folderName: 'Next' }),
    );
    expect(next).toBe(5_001);
    expect(await catalog.upkeep.damage()).toEqual([]);
  });
});

test('a move is repeated: at once, and with what the source got meanwhile', {
  tags: 'long',
}, async () => {
  await move(source, target);
  const again = await move(source, target);
  expect(again.wasThere).toBe(true);
  await withCatalog(source, (catalog) => catalog.accounts.create({ name: 'New', timeZone: 'UTC' }));
  expect((await move(source, target)).wasThere).toBe(false);
  expect(withoutSalts(await rowsOf(target))).toEqual(withoutSalts(await rowsOf(source)));
  // The old catalog is one that was moved, and is as it was.
  await withCatalog(target, (catalog) => catalog.accounts.create({ name: 'Too', timeZone: 'UTC' }));
  await move(target, source);
  expect(withoutSalts(await rowsOf(source))).toEqual(withoutSalts(await rowsOf(target)));
});

test('a target that was written to since is replaced only if that is meant', async () => {
  await move(source, target);
  await withCatalog(source, (catalog) => catalog.accounts.create({ name: 'A', timeZone: 'UTC' }));
  await withCatalog(target, (catalog) => catalog.accounts.create({ name: 'B', timeZone: 'UTC' }));
  const before = await rowsOf(target);
  await expect(move(source, target)).rejects.toThrow(/was written to since .* With --replace/);
  expect(await rowsOf(target)).toEqual(before);
  await move(source, target, { replaces: true });
  expect(withoutSalts(await rowsOf(target))).toEqual(withoutSalts(await rowsOf(source)));
  await expect(onServer('delete from audit')).rejects.toThrow('the audit is only ever added to');
});

test.each([
  ['PostgreSQL', () => target],
  ['SQLite', newFile],
] as const)('another catalog in %s is refused, and loses nothing', async (_, newTarget) => {
  const other = newTarget();
  clock.advance(1);
  await withCatalog(other, addLibrary);
  const before = await rowsOf(other);
  for (const replaces of [false, true]) {
    await expect(move(source, other, { replaces })).rejects.toThrow(
      'The target has another catalog, which stays as it is: name an empty database',
    );
  }
  expect(await rowsOf(other)).toEqual(before);
});

test('a catalog that has no account yet, but something else, is another one as well', async () => {
  const other = newFile();
  await withCatalog(other, (catalog) => catalog.verifications.hold('a node'));
  const before = await rowsOf(other);
  await expect(move(source, other, { replaces: true })).rejects.toThrow('has another catalog');
  expect(await rowsOf(other)).toEqual(before);
});

test('an interrupted move leaves nothing, wherever it is, and is made again', {
  tags: 'long',
}, async () => {
  const before = await rowsOf(source);
  const empty = Object.fromEntries(Object.keys(before).map((table) => [table, []]));
  for (const share of [0.05, 0.5, 0.95]) {
    const interruption = new AbortController();
    const noteProgress = (done: number) => {
      if (done >= share) interruption.abort(new Error('interrupted'));
    };
    const { signal } = interruption;
    await expect(move(source, target, { signal, noteProgress })).rejects.toThrow('interrupted');
    const left = await rowsOf(target);
    expect({ ...left, change_count: [] }).toEqual(empty);
  }
  await move(source, target);
  expect(await rowsOf(target)).toEqual(before);
});

test('a database in use is refused: its nodes would go on writing to it', {
  tags: 'long',
}, async () => {
  await move(source, target);
  await withCatalog(target, async () => {
    for (const [from, to] of [
      [source, target],
      [target, newFile()],
    ] as const) {
      await expect(move(from, to)).rejects.toThrow(/is in use, by 1 other connection/);
    }
  });
});
