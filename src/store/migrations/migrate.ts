/**
 * Brings the tables of a store up to this release. What has been applied is recorded on the store
 * itself, so every migration runs once, in order, and a store that does not match is refused.
 */
import { createHash, randomUUID } from 'node:crypto';
import { assert } from '../../lib/assert.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { FactStore } from '../client/store-client.ts';
import { tables } from '../tables/schema.ts';
import { createStatements, type Placement, placedStatements } from '../tables/table.ts';
import { type Migration, recordTables } from './migrations.ts';

/** Filling in data may take a long time. */
const statementTimeoutSeconds = 3_600;
/** A node that has not renewed its claim for this long is dead. */
const claimMs = 10_000;
const claimAgainMs = 2_000;

interface MigrateOptions {
  /** Default: a single server. */
  readonly placement?: Placement;
  /** Called after each migration. */
  readonly noteDone?: (() => void) | undefined;
}

export type MigratedStore = Pick<FactStore, 'createDatabase' | 'select' | 'command'>;

/**
 * Rejects with UNAVAILABLE if the store is away or another node is migrating, and with INTERNAL
 * if trying again cannot help.
 */
export async function migrate(
  store: MigratedStore,
  migrations: readonly Migration[],
  clock: Clock,
  { placement = { kind: 'server' }, noteDone = () => {} }: MigrateOptions = {},
): Promise<void> {
  await store.createDatabase();
  await findTables(store);
  for (const table of recordTables) {
    for (const sql of createStatements(table, placement)) {
      await store.command({ name: `create table ${table.name}`, sql, parameters: {} });
    }
  }
  if (findPending(migrations, await readRecords(store)).length === 0) return;
  await withClaim(store, clock, async () => {
    for (const migration of findPending(migrations, await readRecords(store))) {
      await apply(store, migration, placement);
      noteDone();
    }
  });
}

/**
 * What `migrate` would apply; changes nothing. `bare` works while the database is missing. Rejects
 * with INTERNAL as `migrate` does.
 */
export async function pendingMigrations(
  { bare, store, database }: MaybeMigrated,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const found = await findTables(bare, database);
  return findPending(migrations, found.has(tables.migration.name) ? await readRecords(store) : []);
}

/**
 * Rejects with CONFLICT a store of an earlier release, with UNAVAILABLE one that is being migrated,
 * and as `migrate` does. Resolves to whether there are no tables yet; changes nothing.
 */
export async function requireMigrated(
  found: MaybeMigrated,
  migrations: readonly Migration[],
): Promise<boolean> {
  const { bare, store, database } = found;
  const [first] = await pendingMigrations(found, migrations);
  if (first === undefined) return false;
  const present = await findTables(bare, database);
  if (present.size === 0) return true;
  const claims = present.has(tables.migrating.name);
  if (claims && (await isClaimedByOther(store, noNode))) throw beingMigrated();
  throw new Fault(
    'CONFLICT',
    `The statistics are those of an earlier release: migration ${first.name} is not applied`,
  );
}

const noNode = '00000000-0000-0000-0000-000000000000';

interface MaybeMigrated {
  readonly bare: Pick<FactStore, 'select'>;
  readonly store: Pick<FactStore, 'select'>;
  readonly database: string;
}

/** Their names. Rejects with INTERNAL if they are older than the records of migrations. */
async function findTables(
  store: Pick<FactStore, 'select'>,
  database?: string,
): Promise<ReadonlySet<string>> {
  const rows = await store.select<{ name: string }>({
    name: 'look for tables',
    sql: `SELECT name FROM system.tables
      WHERE database = ${database === undefined ? 'currentDatabase()' : '{database:String}'}`,
    parameters: database === undefined ? {} : { database },
  });
  const names = new Set(rows.map(({ name }) => name));
  if (names.has(tables.stretch.name) && !names.has(tables.migration.name)) throw unreleased();
  return names;
}

interface MigrationRecord {
  readonly name: string;
  readonly checksum: string;
}

function readRecords(store: Pick<MigratedStore, 'select'>): Promise<MigrationRecord[]> {
  return store.select({
    name: 'read applied migrations',
    sql: `SELECT DISTINCT name, checksum FROM ${tables.migration.name} ORDER BY name`,
    parameters: {},
  });
}

/**
 * Tells this store from any other: when its first tables were made. It stays the same in a backup,
 * and in a store that the records of migrations were copied into.
 */
export async function readIdentity(store: Pick<MigratedStore, 'select'>): Promise<string> {
  const [row] = await store.select<{ identity: string }>({
    name: 'read identity',
    sql: `SELECT toString(min(at)) AS identity FROM ${tables.migration.name}`,
    parameters: {},
  });
  assert(row, 'a minimum over no rows is a row');
  return row.identity;
}

/** The remaining migrations, after a check that the recorded ones are the beginning of the list. */
export function findPending(
  migrations: readonly Migration[],
  records: readonly MigrationRecord[],
): readonly Migration[] {
  const [first] = migrations;
  const [oldest] = records;
  const isOfFirst =
    first?.name === oldest?.name && first && computeChecksum(first) === oldest?.checksum;
  if (oldest && !isOfFirst) throw unreleased();
  for (const [index, { name, checksum }] of records.entries()) {
    const known = migrations.find((migration) => migration.name === name);
    if (known === undefined) {
      throw refusal(`a later release used it and applied migration ${name}: use that one`);
    }
    if (computeChecksum(known) !== checksum) {
      throw refusal(`migration ${name} was changed after it had been applied`);
    }
    if (migrations[index] !== known) {
      throw refusal(`migration ${name} was applied before ${migrations[index]?.name}`);
    }
  }
  return migrations.slice(records.length);
}

async function apply(
  store: MigratedStore,
  migration: Migration,
  placement: Placement,
): Promise<void> {
  const { name } = migration;
  try {
    const all = Object.values(tables);
    for (const sql of migration.statements.flatMap((one) =>
      placedStatements(one, placement, all),
    )) {
      const query = { name: `migration ${name}`, sql, parameters: {} };
      await store.command(query, statementTimeoutSeconds);
    }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'INTERNAL') throw error;
    const { cause } = error;
    throw new Fault('INTERNAL', `Migration ${name} of the statistics store failed`, { cause });
  }
  await store.command({
    name: 'record migration',
    sql: `INSERT INTO ${tables.migration.name} (name, checksum)
      SELECT {name:String}, {checksum:String}`,
    parameters: { name, checksum: computeChecksum(migration) },
  });
}

export function computeChecksum({ statements }: Migration): string {
  return createHash('sha256').update(JSON.stringify(statements)).digest('hex');
}

/**
 * Nodes that start at the same time each claim the work and then look for other claims: a node that
 * sees another one withdraws and tries again later, so of two at least one withdraws.
 */
async function withClaim(
  store: MigratedStore,
  clock: Clock,
  work: () => Promise<void>,
): Promise<void> {
  const id = randomUUID();
  const claim = (ended: 0 | 1) =>
    store.command({
      name: 'claim migration',
      sql: `INSERT INTO ${tables.migrating.name} (id, ended) SELECT {id:UUID}, {ended:UInt8}`,
      parameters: { id, ended },
    });
  await claim(0);
  let claiming: Promise<void> = Promise.resolve();
  let cancel = () => {};
  const claimAgain = (): void => {
    cancel = clock.after(claimAgainMs, () => {
      // If this fails, the work fails too, and that is reported.
      claiming = claim(0).catch(() => {});
      claimAgain();
    });
  };
  claimAgain();
  try {
    if (await isClaimedByOther(store, id)) {
      throw beingMigrated();
    }
    await work();
  } finally {
    cancel();
    await claiming;
    await claim(1);
  }
}

async function isClaimedByOther(
  store: Pick<MigratedStore, 'select'>,
  id: string,
): Promise<boolean> {
  const claims = await store.select({
    name: 'read claims of migration',
    sql: `SELECT id FROM ${tables.migrating.name} WHERE id != {id:UUID}
      GROUP BY id HAVING max(ended) = 0
        AND abs(dateDiff('millisecond', max(at), now64(3))) < {claimMs:UInt32}`,
    parameters: { id, claimMs },
  });
  return claims.length > 0;
}

function beingMigrated(): Fault {
  const options = { retryAfterSeconds: 1 };
  return new Fault('UNAVAILABLE', 'Another node is migrating the statistics store', options);
}

function unreleased(): Fault {
  return refusal(
    'its tables were made by a development version that was never released, and cannot be ' +
      'converted: go on with that version, or start with another DATA_DIR or CLICKHOUSE_DATABASE',
  );
}

function refusal(reason: string): Fault {
  return new Fault('INTERNAL', `The statistics store cannot be used: ${reason}`);
}
