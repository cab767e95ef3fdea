import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { engineAccess } from '../../../test/support/shared-parts.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { type FactStore, openFactStore } from '../client/store-client.ts';
import { factColumns } from '../journal/fact-batch.ts';
import { migrate } from '../migrations/migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { tables } from './schema.ts';
import {
  createStatements,
  listColumns,
  type Placement,
  placedStatements,
  type Table,
} from './table.ts';

const all: readonly Table[] = Object.values(tables);

let stores: FactStore[] = [];
beforeAll(() => {
  stores = [];
});
afterAll(() => Promise.all(stores.map((store) => store.close())));

/** A database of its own. */
async function openEmpty(): Promise<FactStore> {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const access = engineAccess();
  const server = openFactStore({ ...access, database: 'default' });
  const store = openFactStore({ ...access, database });
  stores.push(server, store);
  await server.command({ name: 'test', sql: `CREATE DATABASE ${database}`, parameters: {} });
  return store;
}

async function run(store: FactStore, statements: readonly string[]): Promise<void> {
  for (const sql of statements) await store.command({ name: 'test', sql, parameters: {} });
}

/** What the server itself says of each table. */
async function tablesOf(store: FactStore) {
  const parameters = {};
  const definitions = await store.select<{ name: string }>({
    name: 'test',
    sql: `SELECT name, engine_full, sorting_key, partition_key FROM system.tables
      WHERE database = currentDatabase() ORDER BY name`,
    parameters,
  });
  const columns = await store.select({
    name: 'test',
    sql: `SELECT table, name, type, default_expression, compression_codec FROM system.columns
      WHERE database = currentDatabase() ORDER BY table, position`,
    parameters,
  });
  return { definitions, columns };
}

test('the migrations lead to the tables of the schema, also after a crash in between', async () => {
  const migrated = await openEmpty();
  await migrate(migrated, migrations.slice(0, -1), systemClock);
  await run(migrated, migrations.at(-1)?.statements.slice(0, 1) ?? []);
  await migrate(migrated, migrations, systemClock);
  await migrate(migrated, migrations, systemClock);
  const created = await openEmpty();
  await run(
    created,
    all.flatMap((table) => createStatements(table, { kind: 'server' })),
  );
  const found = await tablesOf(migrated);
  expect(found.definitions.map(({ name }) => name)).toEqual(all.map(({ name }) => name).sort());
  expect(found).toEqual(await tablesOf(created));
});

test('facts are written with every column of their table', () => {
  const told = listColumns(tables.stretch).filter((name) => name !== 'leastSystem');
  expect(factColumns.toSorted()).toEqual(told.toSorted());
});

test.each(all)('rows of $name have an order, and fall together by identity alone', (table) => {
  const identity: readonly string[] = [...table.orderBy, table.partitionBy ?? ''];
  const others = Object.entries(table.columns).filter(([name]) => !identity.includes(name));
  const merged = others.filter(([, { type }]) => type.startsWith('SimpleAggregateFunction'));
  const isMerged = table.engine === 'AggregatingMergeTree';
  expect(merged).toEqual(isMerged ? others : []);
  expect(table.orderBy).not.toEqual([]);
});

const durable = [
  'fsync_after_insert = 1',
  'fsync_part_directory = 1',
  'min_rows_to_fsync_after_merge = 1',
  'min_compressed_bytes_to_fsync_after_merge = 1',
  'old_parts_lifetime = 480',
];

test('the server says that it syncs every table as promised', async () => {
  const store = await openEmpty();
  await migrate(store, migrations, systemClock);
  const { definitions } = await tablesOf(store);
  for (const { engine_full: engine } of definitions as { engine_full?: string }[]) {
    for (const setting of durable) expect(engine).toContain(setting);
  }
});

const shardKeys: Record<keyof typeof tables, string> = {
  stretch: 'cityHash64(view)',
  touched: 'rand()',
  playbackSum: 'cityHash64(accountId)',
  peak: 'cityHash64(accountId)',
  irregularView: 'cityHash64(view)',
  checkedDay: 'cityHash64(accountId)',
  audienceDay: 'cityHash64(accountId)',
  irregularFact: 'cityHash64(accountId)',
  audienceSeen: 'cityHash64(accountId)',
  rolled: 'one',
  event: 'cityHash64(view)',
  ledger: 'cityHash64(accountId, day, outcome, run)',
  migration: 'cityHash64(name)',
  migrating: 'cityHash64(id)',
};
const clusters: Extract<Placement, { kind: 'cluster' }>[] = [
  { kind: 'cluster', name: 'plays', shardDatabase: 'stats_shard', replicated: false },
  { kind: 'cluster', name: 'plays', shardDatabase: 'stats_shard', replicated: true },
];

test.each(Object.entries(tables))('on a cluster, %s', async (key, table) => {
  const store = await openEmpty();
  const { name, engine } = table;
  const shardKey = shardKeys[key as keyof typeof tables];
  for (const placement of clusters) {
    const [local = '', spanning = ''] = createStatements(table, placement);
    expect(local).toContain(`EXISTS \`stats_shard\`.${name}`);
    expect(local).toContain(`\n) ENGINE = ${placement.replicated ? 'Replicated' : ''}${engine}\n`);
    expect(spanning).toContain(`Distributed('plays', 'stats_shard', '${name}', ${shardKey})`);
    // Without a Keeper the engine can only say whether it understands the statements.
    const parameters = { statements: [local, spanning] };
    const sql = 'SELECT formatQuery(arrayJoin({statements:Array(String)})) AS text';
    expect(await store.select({ name: 'test', sql, parameters })).toHaveLength(2);
  }
});

test('every migration has a form for replicated tables', async () => {
  const store = await openEmpty();
  const placement = clusters[1] as Placement;
  const added = [
    `ALTER TABLE ${tables.peak.name} ADD COLUMN IF NOT EXISTS n UInt8`,
    `INSERT INTO ${tables.peak.name} SELECT * FROM ${tables.peak.name}`,
  ];
  const all = [...migrations.flatMap(({ statements }) => statements), ...added].flatMap(
    (statement) => placedStatements(statement, placement, Object.values(tables)),
  );
  expect(all.slice(-2)).toEqual([createStatements(tables.peak, placement)[1], added[1]]);
  for (const statement of all.slice(0, -1)) {
    expect(statement).toMatch(
      /^(CREATE (TABLE IF NOT EXISTS|OR REPLACE TABLE)|DROP TABLE IF EXISTS|ALTER TABLE)/,
    );
    expect(statement).toContain(" ON CLUSTER 'plays'");
    expect(statement).toContain('`stats_shard`.');
  }
  const created = all.filter((statement) => statement.startsWith('CREATE TABLE'));
  for (const statement of created) {
    expect(statement).toMatch(/ENGINE = Replicated(Aggregating)?MergeTree\n/);
  }
  const sql = 'SELECT formatQuery(arrayJoin({statements:Array(String)})) AS text';
  const formatted = await store.select({ name: 'test', sql, parameters: { statements: all } });
  expect(formatted).toHaveLength(all.length);
});
