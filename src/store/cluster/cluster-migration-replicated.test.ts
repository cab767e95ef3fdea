/**
 * The statements that make replicated tables. There is no Keeper here to run them: stores that only
 * record stand in place of a cluster that has one. One without is in test/faults/cluster.test.ts.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import type { FactStore } from '../client/store-client.ts';
import type { FactQuery } from '../facts.ts';
import { computeChecksum } from '../migrations/migrate.ts';
import type { Migration } from '../migrations/migrations.ts';
import { tables } from '../tables/schema.ts';
import { type ClusterPlacement, createStatements, spanningStatement } from '../tables/table.ts';
import { createDatabaseStatements, findUnprepared, prepareCluster } from './cluster-migration.ts';

const access = { cluster: 'plays', urls: [], username: '', password: '', database: 'stats' };
const placement: ClusterPlacement = {
  kind: 'cluster',
  name: 'plays',
  shardDatabase: 'stats_shard',
  replicated: true,
};
const migrations: readonly Migration[] = [
  {
    name: '0001-first',
    statements: [
      'CREATE TABLE IF NOT EXISTS peak (n UInt8) ENGINE = MergeTree ORDER BY n',
      'ALTER TABLE peak ADD COLUMN IF NOT EXISTS m UInt8',
      'INSERT INTO peak SELECT 1, 2',
    ],
  },
];

/** What the cluster has. */
let applied: { readonly name: string; readonly checksum: string }[];
let described: { database: string; name: string; columns: string; engine: string }[];
/** What was run, with the database in which it was. */
let statements: string[];
beforeEach(() => {
  applied = [];
  described = [];
  statements = [];
});

function answerTo({ name, parameters }: FactQuery, server: string): unknown[] {
  const own = { 'ch-1-1': [1, 1], 'ch-2-2': [2, 2] }[server];
  const places = [
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 2],
  ] as const;
  const answers: Record<string, () => unknown[]> = {
    'read cluster': () =>
      places.map(([shard, replica]) => ({
        ...{ shard, replica, address: `ch-${shard}-${replica}:9000` },
        isOwn: own?.[0] === shard && own[1] === replica ? 1 : 0,
      })),
    'look for a Keeper': () => [{ tables: 1 }],
    'look for tables': () => {
      expect([{ database: 'stats' }, {}]).toContainEqual(parameters);
      return applied.length > 0 ? [{ name: 'migration' }] : [];
    },
    'read applied migrations': () => applied,
    'read claims of migration': () => [],
    'describe tables over all shards': () => described,
  };
  return answers[name]?.() ?? expect.fail(`nobody expects the statement ${name}`);
}

function recordingStore(server: string, database: string): FactStore {
  const unexpected = () => expect.fail(`not to be called on ${server} in ${database}`);
  const unused = { insertRows: unexpected, insertText: unexpected, selectMany: unexpected };
  return {
    ...{ ...unused, write: unexpected, onEachServer: unexpected, ping: unexpected },
    close: unexpected,
    async createDatabase() {
      statements.push(`${server} creates ${database}`);
    },
    select: async <Row>(query: FactQuery) => answerTo(query, server) as Row[],
    async command({ sql }) {
      statements.push(`${server} in ${database}: ${sql}`);
    },
  };
}

/** Of each shard one server is named. */
const hosts = ['ch-1-1', 'ch-2-2'].map((name) => ({
  name,
  spanning: recordingStore(name, 'stats'),
  shard: recordingStore(name, 'stats_shard'),
  bare: recordingStore(name, 'system'),
}));
const options = { access, hosts, migrations, clock: manualClock() };

/** As if all had been made by this release. */
function describeAll(): void {
  applied = migrations.map((one) => ({ name: one.name, checksum: computeChecksum(one) }));
  described = Object.values(tables).flatMap(({ name, shardBy }) => [
    { database: 'stats', name, columns: 'n', engine: `Distributed('plays', 'x', 'y', ${shardBy})` },
    { database: 'stats_shard', name, columns: 'n', engine: 'ReplicatedMergeTree' },
  ]);
}

test('both databases are made on every server', () => {
  expect(createDatabaseStatements(access, placement)).toEqual([
    "CREATE DATABASE IF NOT EXISTS `stats` ON CLUSTER 'plays'",
    "CREATE DATABASE IF NOT EXISTS `stats_shard` ON CLUSTER 'plays'",
  ]);
});

describe('prepareCluster', () => {
  test.each([
    ['in order', hosts],
    ['in another order', hosts.toReversed()],
  ])(
    'on an empty cluster, named %s: by the same server alone, each statement reaching all',
    async (_, named) => {
      const done = prepareCluster({ ...options, hosts: named });
      expect(await done).toEqual({ shards: 2, replicas: 2, hasKeeper: true });
      const first = (sql: string) => `ch-1-1 in stats: ${sql}`;
      const claim = `INSERT INTO migrating (id, ended) SELECT {id:UUID}, {ended:UInt8}`;
      expect(statements).toEqual([
        "ch-1-1 in system: CREATE DATABASE IF NOT EXISTS `stats` ON CLUSTER 'plays'",
        "ch-1-1 in system: CREATE DATABASE IF NOT EXISTS `stats_shard` ON CLUSTER 'plays'",
        'ch-1-1 creates stats',
        ...createStatements(tables.migration, placement).map(first),
        ...createStatements(tables.migrating, placement).map(first),
        first(claim),
        first(
          "CREATE TABLE IF NOT EXISTS `stats_shard`.peak ON CLUSTER 'plays' (n UInt8) " +
            'ENGINE = ReplicatedMergeTree ORDER BY n',
        ),
        first("ALTER TABLE `stats_shard`.peak ON CLUSTER 'plays' ADD COLUMN IF NOT EXISTS m UInt8"),
        // What fills in data works over all shards, whose table must span them before.
        first(spanningStatement(tables.peak, placement)),
        first('INSERT INTO peak SELECT 1, 2'),
        expect.stringContaining('INSERT INTO migration (name, checksum)'),
        first(claim),
        ...Object.values(tables)
          .flatMap((table) => createStatements(table, placement))
          .map(first),
      ]);
    },
  );

  test('on one that is as it should be: nothing', async () => {
    describeAll();
    expect(await findUnprepared(options)).toEqual([]);
    await prepareCluster(options);
    expect(statements).toEqual([]);
  });

  test('where one table over all shards lacks a column: that table alone', async () => {
    describeAll();
    described = described.map((row) =>
      row.database === 'stats' && row.name === 'peak' ? { ...row, columns: 'other' } : row,
    );
    expect(await findUnprepared(options)).toEqual(['ch-1-1: table peak does not span all shards']);
    await prepareCluster(options);
    expect(statements).toEqual(
      createStatements(tables.peak, placement).map((sql) => `ch-1-1 in stats: ${sql}`),
    );
  });
});
