import { expect, test } from 'vitest';
import { clusterInsertSettings, clusterSettings, nameShardDatabase } from './topology.ts';

test('small inserts are put together by the server, and answered when they are on the disk', () => {
  expect(clusterInsertSettings(1)).toEqual({
    async_insert: 1,
    wait_for_async_insert: 1,
    async_insert_busy_timeout_max_ms: 50,
  });
});

test.each([2, 3])(
  'with %i replicas they are answered when every one of them has the rows',
  (replicas) => {
    expect(clusterInsertSettings(replicas)).toEqual({
      ...clusterInsertSettings(1),
      insert_quorum: String(replicas),
      insert_quorum_timeout: 8_000,
    });
  },
);

test('a shard that is away makes a statement fail, and never answer by half', () => {
  expect(clusterSettings).toEqual({
    skip_unavailable_shards: 0,
    fallback_to_stale_replicas_for_distributed_queries: 0,
    parallel_distributed_insert_select: '0',
    distributed_foreground_insert: 1,
    distributed_product_mode: 'global',
    connect_timeout_with_failover_ms: 300,
    handshake_timeout_ms: 500,
  });
});

test("the tables of a shard have a database beside the program's", () => {
  expect(nameShardDatabase({ database: 'plays' })).toBe('plays_shard');
});
