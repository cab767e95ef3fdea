/** A cluster of ClickHouse servers, and the settings that make it answer as one server does. */
import type { ClickHouseSettings } from '@clickhouse/client';
import type { FactStoreAccess } from '../client/store-client.ts';

export interface ClusterAccess extends Omit<FactStoreAccess, 'url'> {
  /** Its name in the servers' configuration, under `remote_servers`. */
  readonly cluster: string;
  /** Its servers, tried in this order: at least one of every shard. */
  readonly urls: readonly string[];
}

export function shardDatabaseOf({ database }: Pick<ClusterAccess, 'database'>): string {
  return `${database}_shard`;
}

/** One server of it; with the shard's own tables unless `database` says otherwise. */
export function accessOfHost(access: ClusterAccess, url: string, database: string) {
  const { username, password } = access;
  return { url, username, password, database };
}

/**
 * Never set: half an answer without an error (`skip_unavailable_shards`), or sums that each shard
 * makes from its own facts (`parallel_distributed_insert_select`).
 */
export const clusterSettings: ClickHouseSettings = {
  skip_unavailable_shards: 0,
  fallback_to_stale_replicas_for_distributed_queries: 0,
  parallel_distributed_insert_select: '0',
  // An insert has reached its shards when it is answered.
  distributed_foreground_insert: 1,
  // A condition such as IN (SELECT ...) is of all shards.
  distributed_product_mode: 'global',
  // A server that is away; the usual 1 s and 10 s are long for a question.
  connect_timeout_with_failover_ms: 300,
  handshake_timeout_ms: 500,
};

/** Small inserts of all nodes are put together by the server; the answer waits for the disk. */
export function clusterInsertSettings(replicas: number): ClickHouseSettings {
  return {
    async_insert: 1,
    wait_for_async_insert: 1,
    async_insert_busy_timeout_max_ms: 50,
    // Every replica: any of them may be asked next, by a question or by the roll-up.
    ...(replicas > 1 && { insert_quorum: String(replicas), insert_quorum_timeout: 8_000 }),
  };
}
