import { describe, expect, test } from 'vitest';
import {
  type ClusterPlacement,
  createStatements,
  defineTable,
  listColumns,
  type Placement,
  placedStatement,
  placedStatements,
  spanningStatement,
} from './table.ts';

const sessions = defineTable({
  name: 'session',
  columns: {
    accountId: { type: 'UInt32' },
    arrival: { type: "DateTime64(3, 'UTC')", default: 'now64(3)' },
    largestMs: { type: 'SimpleAggregateFunction(max, UInt64)', codec: 'Delta, ZSTD' },
  },
  engine: 'AggregatingMergeTree',
  partitionBy: 'toYear(arrival)',
  orderBy: ['accountId', 'arrival'],
  ttl: 'arrival + toIntervalDay(9)',
  settings: 'fsync_after_insert = 1',
  shardBy: 'cityHash64(accountId)',
});

const columnsAnd = (engine: string) => `(
  accountId UInt32,
  arrival DateTime64(3, 'UTC') DEFAULT now64(3),
  largestMs SimpleAggregateFunction(max, UInt64) CODEC(Delta, ZSTD)
) ENGINE = ${engine}
PARTITION BY toYear(arrival)
ORDER BY (accountId, arrival)
TTL arrival + toIntervalDay(9)
SETTINGS fsync_after_insert = 1`;

const cases: [Placement, string[]][] = [
  [
    { kind: 'server' },
    [`CREATE TABLE IF NOT EXISTS session ${columnsAnd('AggregatingMergeTree')}`],
  ],
  [
    { kind: 'cluster', name: 'plays', shardDatabase: 'stats_shard', replicated: false },
    [
      `CREATE TABLE IF NOT EXISTS \`stats_shard\`.session ${columnsAnd('AggregatingMergeTree')}`,
      `CREATE OR REPLACE TABLE session AS \`stats_shard\`.session
ENGINE = Distributed('plays', 'stats_shard', 'session', cityHash64(accountId))`,
    ],
  ],
  [
    { kind: 'cluster', name: 'plays', shardDatabase: 'stats_shard', replicated: true },
    [
      `CREATE TABLE IF NOT EXISTS \`stats_shard\`.session ON CLUSTER 'plays' ${columnsAnd('ReplicatedAggregatingMergeTree')}`,
      `CREATE OR REPLACE TABLE session ON CLUSTER 'plays' AS \`stats_shard\`.session
ENGINE = Distributed('plays', 'stats_shard', 'session', cityHash64(accountId))`,
    ],
  ],
];

test.each(cases)('the statements on %j', (placement, statements) => {
  expect(createStatements(sessions, placement)).toEqual(statements);
});

test('columns that were appended to the order are not in the primary key', () => {
  const [statement] = createStatements(
    { ...sessions, primaryKey: ['accountId'] },
    { kind: 'server' },
  );
  expect(statement).toContain('\nPRIMARY KEY accountId\nORDER BY (accountId, arrival)\n');
  expect(listColumns(sessions)).toEqual(['accountId', 'arrival', 'largestMs']);
});

test('what a table need not have is left out', () => {
  const { partitionBy: _, ttl: __, ...rest } = sessions;
  const plain = { ...rest, engine: 'MergeTree', orderBy: ['arrival'] } as const;
  expect(createStatements(plain, { kind: 'server' })).toEqual([
    `CREATE TABLE IF NOT EXISTS session (
  accountId UInt32,
  arrival DateTime64(3, 'UTC') DEFAULT now64(3),
  largestMs SimpleAggregateFunction(max, UInt64) CODEC(Delta, ZSTD)
) ENGINE = MergeTree
ORDER BY arrival
SETTINGS fsync_after_insert = 1`,
  ]);
});

describe('a statement of a migration where a Keeper replicates the tables', () => {
  const placement: ClusterPlacement = {
    kind: 'cluster',
    name: 'plays',
    shardDatabase: 'stats_shard',
    replicated: true,
  };
  test.each([
    [
      'CREATE TABLE IF NOT EXISTS one (n UInt8) ENGINE = MergeTree ORDER BY n',
      "CREATE TABLE IF NOT EXISTS `stats_shard`.one ON CLUSTER 'plays' (n UInt8) " +
        'ENGINE = ReplicatedMergeTree ORDER BY n',
    ],
    [
      'ALTER TABLE one\n  ADD COLUMN IF NOT EXISTS m UInt8',
      "ALTER TABLE `stats_shard`.one ON CLUSTER 'plays'\n  ADD COLUMN IF NOT EXISTS m UInt8",
    ],
    [
      "ALTER TABLE one MODIFY COMMENT 'ENGINE = MergeTree'",
      "ALTER TABLE `stats_shard`.one ON CLUSTER 'plays' MODIFY COMMENT 'ENGINE = MergeTree'",
    ],
  ])('%s', (statement, placed) => {
    expect(placedStatement(statement, placement)).toBe(placed);
    expect(placedStatement(statement, { ...placement, replicated: false })).toBe(statement);
    expect(placedStatement(statement, { kind: 'server' })).toBe(statement);
  });

  test.each([
    'INSERT INTO one SELECT 1',
    'RENAME TABLE one TO other',
    'SELECT 1; ALTER TABLE one DROP COLUMN n',
  ])('any other form is refused before it is run: %s', (statement) => {
    expect(() => placedStatement(statement, placement)).toThrow('no form');
  });

  test('one that fills a table has it span the shards first', () => {
    const fill = 'INSERT INTO session SELECT 1';
    const placed = (statement: string, on: Placement = placement) =>
      placedStatements(statement, on, [{ ...sessions, name: 'other' }, sessions]);
    expect(placed(fill)).toEqual([spanningStatement(sessions, placement), fill]);
    expect(placed(fill, { ...placement, replicated: false })).toEqual([fill]);
    expect(placed(fill, { kind: 'server' })).toEqual([fill]);
    const change = 'ALTER TABLE session DROP COLUMN n';
    const moved = "ALTER TABLE `stats_shard`.session ON CLUSTER 'plays' DROP COLUMN n";
    expect(placed(change)).toEqual([moved]);
    // Only where a statement begins with it.
    expect(placed(`${change}, COMMENT 'INSERT INTO session'`)).toEqual([
      `${moved}, COMMENT 'INSERT INTO session'`,
    ]);
  });
});
