/** Copies a whole catalog into another database; see docs/decisions/catalog-move.md. */
import { createHash } from 'node:crypto';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { assert, onlyRow } from '../../lib/assert.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { Connection } from '../database/connection.ts';
import { type CatalogLocation, type Database, openDatabase } from '../database/database.ts';
import { isEmpty, migrate, requireMigrated } from '../database/migrations/migrations.ts';
import { toIndexedVideo } from '../search/search-index.ts';
import { chooseSearchIndex } from '../search/video-index.ts';
import { readMark } from './catalog-verification.ts';

export interface CatalogMoveOptions {
  /** Also a target that was written to since the last move. */
  readonly replaces: boolean;
  readonly signal: AbortSignal;
  /** Gets the share that is done, from 0 to 1. */
  readonly noteProgress: (share: number) => void;
}

export interface CatalogMove {
  /** Of both catalogs, which are equal. */
  readonly tables: readonly MovedTable[];
  /** Whether an earlier move had copied all of it already. */
  readonly wasThere: boolean;
}

export interface MovedTable {
  readonly table: string;
  readonly rows: number;
  /** Of all rows, in any order; hexadecimal. */
  readonly digest: string;
}

/** Below the number of parameters that SQLite takes, with the columns of the widest table. */
const rowsAtOnce = 500;
/** Of tables with bytes, each of which may be megabytes. */
const largeRowsAtOnce = 20;
/** The row of `identities` that tells whether a catalog was written to since a move. */
const markName = 'move';
/** Those of days that end meanwhile are destroyed, which is no reason to refuse a catalog. */
const unmarked = 'salts';
/** Of a service that has just stopped. */
const connectionsEndWithinMs = 3_000;
const connectionPollMs = 100;

/**
 * Rejects with CONFLICT if the target has another catalog, or one that was written to since it was
 * moved and is not to be replaced; then it stays as it is, as after an interruption. Of the source
 * the salts are destroyed: it may lie around for longer than their days.
 */
export async function moveCatalog(
  from: CatalogLocation,
  to: CatalogLocation,
  options: CatalogMoveOptions & { readonly clock: Clock },
): Promise<CatalogMove> {
  const tables = await tablesOfRelease(options.clock);
  const source = openDatabase(from, options.clock);
  const target = openDatabase(to, options.clock);
  try {
    await requireMigrated(source);
    if (await isEmpty(target)) await migrate(target);
    else await requireMigrated(target);
    return await alone(source, async (sourceSide) => {
      const move = await alone(target, (targetSide) =>
        fill(sourceSide, targetSide, tables, options),
      );
      await destroySalts(sourceSide);
      await keepMark(sourceSide, move.tables);
      return move;
    });
  } finally {
    await Promise.all([source.kysely.destroy(), target.kysely.destroy()]);
  }
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly hasBytes: boolean;
  /** Whether the database numbers its rows, in a column `id`. */
  readonly isNumbered: boolean;
}

/**
 * Each after those it refers to. Read from an empty catalog, so that a table that is added is
 * moved too; its search index is left out, since each database has its own.
 */
async function tablesOfRelease(clock: Clock): Promise<Table[]> {
  const database = openDatabase({ sqliteFile: ':memory:' }, clock);
  try {
    await migrate(database);
    const found = await rowsFrom<{ name: string; sql: string; refersTo: string }>(
      database.kysely,
      sql`select name, sql, (select json_group_array(ref."table")
          from pragma_foreign_key_list(list.name) as ref) as "refersTo"
        from pragma_table_list as list join sqlite_schema using (name)
        where list.type = 'table' and name not like 'kysely%' and name not like 'sqlite%'
        order by name`,
    );
    const tables: Table[] = [];
    const place = async (name: string): Promise<void> => {
      if (tables.some((table) => table.name === name)) return;
      const own = found.find((table) => table.name === name);
      assert(own, `the catalog has the table ${name}, which another refers to`);
      for (const other of JSON.parse(own.refersTo) as string[]) {
        if (other !== name) await place(other);
      }
      const columns = await rowsFrom<{ name: string; type: string }>(
        database.kysely,
        sql`select name, type from pragma_table_info(${name}) order by cid`,
      );
      tables.push({
        name,
        columns: columns.map((column) => column.name),
        hasBytes: columns.some(({ type }) => type.toLowerCase() === 'blob'),
        isNumbered: /\bautoincrement\b/i.test(own.sql),
      });
    };
    for (const { name } of found) await place(name);
    return tables;
  } finally {
    await database.kysely.destroy();
  }
}

/** A database in a transaction, which nobody else uses meanwhile. */
interface Side {
  readonly database: Database;
  readonly connection: Connection;
}

function alone<Value>(database: Database, use: (side: Side) => Promise<Value>): Promise<Value> {
  const { kysely, dialect } = database;
  return kysely.transaction().execute(async (connection) => {
    // SQLite's transaction keeps all others from writing.
    if (dialect === 'postgres') {
      await sql`set transaction isolation level repeatable read`.execute(connection);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(connection);
      await sql`set local statement_timeout = 0`.execute(connection);
      await requireNoOthers(database, connection);
    }
    return use({ database, connection });
  });
}

/** Nodes of a service have no lock, but connections. */
async function requireNoOthers({ clock }: Database, connection: Connection): Promise<void> {
  const until = clock.monotonic() + connectionsEndWithinMs;
  for (;;) {
    // A transaction sees the connections of its first look, unless told to look again.
    await sql`select pg_stat_clear_snapshot()`.execute(connection);
    const [found] = await rowsFrom<{ others: number; name: string }>(
      connection,
      sql`select count(*) as others, current_database() as name from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null`,
    );
    if (!found || found.others === 0) return;
    if (clock.monotonic() >= until) {
      throw new Fault(
        'CONFLICT',
        `The database ${found.name} is in use, by ${found.others} other connections: stop the ` +
          'service on all nodes, and disconnect whatever else is connected to it',
      );
    }
    await sleep(clock, connectionPollMs);
  }
}

/** Resolves once the target's rows are those of the source. */
async function fill(
  source: Side,
  target: Side,
  tables: readonly Table[],
  options: CatalogMoveOptions,
): Promise<CatalogMove> {
  const { signal, noteProgress } = options;
  let all = 0;
  for (const table of tables) all += await countRows(source, table);
  let read = 0;
  const noteRead = (rows: number): void => {
    signal.throwIfAborted();
    read += rows;
    // They are read here, and once more in the target.
    noteProgress(all === 0 ? 1 : Math.min(1, read / (2 * all)));
  };
  const there = await findWhatIsThere(source, target, tables, options);
  if (there) return { tables: there, wasThere: true };
  await clear(target, tables);
  const copied: MovedTable[] = [];
  for (const table of tables) {
    const write = (rows: readonly Row[]) => insert(target, table, rows);
    copied.push(await readThrough(source, table, { noteRead, write }));
    if (table.isNumbered) await goOnFrom(target, table, await lastId(source, table));
  }
  await indexVideos(target, signal);
  for (const [index, table] of tables.entries()) {
    const found = await readThrough(target, table, { noteRead });
    const expected = copied[index];
    if (found.rows === expected?.rows && found.digest === expected.digest) continue;
    throw new Fault(
      'INTERNAL',
      `The target holds ${found.rows} rows of ${table.name} that are not the ` +
        `${expected?.rows} of the source: nothing was moved`,
    );
  }
  await keepMark(target, copied);
  return { tables: copied, wasThere: false };
}

/** Undefined if the target may be filled; its tables if they are those of the source already. */
async function findWhatIsThere(
  source: Side,
  target: Side,
  tables: readonly Table[],
  { replaces, signal }: CatalogMoveOptions,
): Promise<MovedTable[] | undefined> {
  const [{ beganAtMs }, found] = await Promise.all([
    readMark(source.connection),
    readMark(target.connection),
  ]);
  if (await isUnused(target, tables)) return undefined;
  if (found.beganAtMs !== beganAtMs) {
    throw new Fault(
      'CONFLICT',
      'The target has another catalog, which stays as it is: name an empty database',
    );
  }
  const noteRead = () => signal.throwIfAborted();
  const digestsOf = async (side: Side) => {
    const digests: MovedTable[] = [];
    for (const table of tables) digests.push(await readThrough(side, table, { noteRead }));
    return digests;
  };
  const [own, ofSource] = [await digestsOf(target), await digestsOf(source)];
  if (computeMark(own) === computeMark(ofSource)) return own;
  const [kept] = await rowsFrom<{ value: string }>(
    target.connection,
    sql`select value from identities where name = ${markName}`,
  );
  if (replaces || kept?.value === computeMark(own)) return undefined;
  throw new Fault(
    'CONFLICT',
    'The target has this catalog, and was written to since it was moved; it stays as it is. ' +
      'With --replace it becomes what the source is, and loses what was written',
  );
}

/** Whether nothing was ever kept in it: not even what needs no account. */
async function isUnused(side: Side, tables: readonly Table[]): Promise<boolean> {
  for (const table of tables) {
    // The migration fills the one, and what a catalog belongs to is nothing without its rows.
    if (table.name === 'change_count' || table.name === 'identities') continue;
    if ((await countRows(side, table)) > 0) return false;
  }
  return true;
}

/** Of everything but the mark itself. */
function computeMark(tables: readonly MovedTable[]): string {
  const marked = tables.filter(({ table }) => table !== unmarked);
  return hashBytes(JSON.stringify(marked));
}

async function keepMark({ connection }: Side, tables: readonly MovedTable[]): Promise<void> {
  const value = computeMark(tables);
  await connection
    .insertInto('identities')
    .values({ name: markName, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

/** Also of what is guarded; the transaction guards it again. */
async function clear({ database, connection }: Side, tables: readonly Table[]): Promise<void> {
  const names = tables.map(({ name }) => sql.table(name));
  if (database.dialect === 'postgres') {
    const setTriggers = async (how: RawBuilder<unknown>): Promise<void> => {
      for (const name of names) {
        await sql`alter table ${name} ${how} trigger user`.execute(connection);
      }
    };
    await setTriggers(sql`disable`);
    await sql`truncate ${sql.join(names)}, video_search`.execute(connection);
    await setTriggers(sql`enable`);
    return;
  }
  const triggers = await rowsFrom<{ name: string; sql: string }>(
    connection,
    sql`select name, sql from sqlite_schema where type = 'trigger'`,
  );
  for (const { name } of triggers) await sql`drop trigger ${sql.ref(name)}`.execute(connection);
  await sql`pragma secure_delete = on`.execute(connection);
  for (const name of names.toReversed()) await sql`delete from ${name}`.execute(connection);
  await sql`insert into video_search (video_search) values ('delete-all')`.execute(connection);
  for (const trigger of triggers) await sql.raw(trigger.sql).execute(connection);
}

async function destroySalts({ database, connection }: Side): Promise<void> {
  if (database.dialect === 'sqlite') await sql`pragma secure_delete = on`.execute(connection);
  await connection.deleteFrom('salts').execute();
}

type Row = Readonly<Record<string, unknown>>;

interface Reading {
  readonly noteRead: (rows: number) => void;
  readonly write?: (rows: readonly Row[]) => Promise<void>;
}

async function readThrough(
  side: Side,
  table: Table,
  { noteRead, write }: Reading,
): Promise<MovedTable> {
  let [rows, sum] = [0, 0n];
  for await (const found of portionsOf(side, table)) {
    const some = found.filter(({ name }) => table.name !== 'identities' || name !== markName);
    for (const row of some) sum += digestValues(table.columns.map((column) => row[column]));
    rows += some.length;
    if (write && some.length > 0) await write(some);
    noteRead(some.length);
  }
  const digest = BigInt.asUintN(256, sum).toString(16).padStart(64, '0');
  return { table: table.name, rows, digest };
}

/** Added up, they do not depend on the order, which differs by how a database compares texts. */
function digestValues(values: readonly unknown[]): bigint {
  const said = values.map((value) => {
    if (value instanceof Uint8Array) return { bytes: hashBytes(value) };
    const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
    assert(isExact, `an integer of the catalog is exact: ${value}`);
    return value;
  });
  return BigInt(`0x${hashBytes(JSON.stringify(said))}`);
}

function hashBytes(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function* portionsOf({ database, connection }: Side, table: Table): AsyncGenerator<Row[]> {
  const { name, columns, hasBytes } = table;
  const from = sql`${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)}`;
  const limit = sql.lit(hasBytes ? largeRowsAtOnce : rowsAtOnce);
  if (database.dialect === 'postgres') {
    await sql`declare portions no scroll cursor for select ${from}`.execute(connection);
    for (;;) {
      const rows = await rowsFrom<Row>(connection, sql`fetch ${limit} from portions`);
      if (rows.length === 0) break;
      yield rows;
    }
    await sql`close portions`.execute(connection);
    return;
  }
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await rowsFrom<Row & { place: number }>(
      connection,
      sql`select rowid as place, ${from} where rowid > ${after} order by rowid limit ${limit}`,
    );
    const last = rows.at(-1);
    if (!last) return;
    after = last.place;
    yield rows;
  }
}

async function insert(
  { database, connection }: Side,
  { name, columns, isNumbered }: Table,
  rows: readonly Row[],
): Promise<void> {
  const keepsIds = isNumbered && database.dialect === 'postgres';
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
    ${keepsIds ? sql`overriding system value` : sql``} values ${sql.join(values)}`.execute(
    connection,
  );
}

async function countRows({ connection }: Side, { name }: Table): Promise<number> {
  const query = sql`select count(*) as rows from ${sql.table(name)}`;
  return onlyRow(await rowsFrom<{ rows: number }>(connection, query)).rows;
}

/** The last id that was given, whether or not its row is still there. */
async function lastId({ database, connection }: Side, { name }: Table): Promise<number> {
  const query =
    database.dialect === 'postgres'
      ? sql`select last_value - (case when is_called then 0 else 1 end) as id
          from ${await findSequence(connection, name)}`
      : sql`select seq as id from sqlite_sequence where name = ${name}`;
  const [found] = await rowsFrom<{ id: number }>(connection, query);
  return found?.id ?? 0;
}

async function goOnFrom({ database, connection }: Side, { name }: Table, id: number) {
  if (database.dialect === 'postgres') {
    // TRICKY: `setval` would not be undone with the transaction.
    await sql`alter sequence ${await findSequence(connection, name)}
      restart with ${sql.lit(id + 1)}`.execute(connection);
    return;
  }
  await sql`delete from sqlite_sequence where name = ${name}`.execute(connection);
  await sql`insert into sqlite_sequence (name, seq) values (${name}, ${id})`.execute(connection);
}

async function findSequence(connection: Connection, table: string): Promise<RawBuilder<unknown>> {
  const [found] = await rowsFrom<{ name: string | null }>(
    connection,
    sql`select pg_get_serial_sequence(${table}, 'id') as name`,
  );
  assert(found?.name, `PostgreSQL numbers the rows of ${table}`);
  return sql.raw(found.name);
}

async function indexVideos({ database, connection }: Side, signal: AbortSignal): Promise<void> {
  const search = chooseSearchIndex(database);
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const videos = await connection
      .selectFrom('videos')
      .selectAll()
      .where('id', '>', after)
      .where('deletedAtMs', 'is', null)
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute();
    const last = videos.at(-1);
    if (!last) return;
    after = last.id;
    const ids = videos.map(({ id }) => id);
    const publications = await connection
      .selectFrom('publications')
      .select(['videoId', 'packageId'])
      .where('videoId', 'in', ids)
      .where('retiredAtMs', 'is', null)
      .execute();
    const packages = Map.groupBy(publications, ({ videoId }) => videoId);
    const indexed = videos.map((video) => {
      const packageIds = packages.get(video.id)?.map(({ packageId }) => packageId) ?? [];
      return toIndexedVideo(video, packageIds);
    });
    await search.add(connection, indexed);
  }
}

/** With the names of columns as the database has them. */
async function rowsFrom<Found>(
  connection: Kysely<never> | Connection,
  query: RawBuilder<unknown>,
): Promise<Found[]> {
  const { rows } = await query.execute((connection as Connection).withoutPlugins());
  return rows as Found[];
}
