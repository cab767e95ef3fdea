import { expect, test } from 'vitest';
import { createStatements, defineTable, type Placement } from './table.ts';

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
    { kind: 'cluster', name: 'plays', replicated: false },
    [
      `CREATE TABLE IF NOT EXISTS session_local ${columnsAnd('AggregatingMergeTree')}`,
      `CREATE TABLE IF NOT EXISTS session AS session_local
ENGINE = Distributed('plays', currentDatabase(), 'session_local', cityHash64(accountId))`,
    ],
  ],
  [
    { kind: 'cluster', name: 'plays', replicated: true },
    [
      `CREATE TABLE IF NOT EXISTS session_local ON CLUSTER 'plays' ${columnsAnd('ReplicatedAggregatingMergeTree')}`,
      `CREATE TABLE IF NOT EXISTS session ON CLUSTER 'plays' AS session_local
ENGINE = Distributed('plays', currentDatabase(), 'session_local', cityHash64(accountId))`,
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
