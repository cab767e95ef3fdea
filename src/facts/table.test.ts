import { describe, expect, test } from 'vitest';
import { createStatements, defineTable, type Placement, placedStatement } from './table.ts';

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
  const placement: Placement = {
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
      'RENAME TABLE IF EXISTS one TO other',
      "RENAME TABLE IF EXISTS `stats_shard`.one TO `stats_shard`.other ON CLUSTER 'plays'",
    ],
  ])('%s', (statement, placed) => {
    expect(placedStatement(statement, placement)).toBe(placed);
    expect(placedStatement(statement, { ...placement, replicated: false })).toBe(statement);
    expect(placedStatement(statement, { kind: 'server' })).toBe(statement);
  });

  test('any other form is refused before it is run', () => {
    expect(() => placedStatement('INSERT INTO one SELECT 1', placement)).toThrow('no form');
  });
});
