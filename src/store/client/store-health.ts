/** The state of the store, as it reports it. */

import type { StoreDisk, StoreHealth } from '../facts.ts';
import type { FactStore, OneServer } from './store-client.ts';

interface Row {
  readonly version: string;
  readonly nowMs: number;
  readonly bytes: number;
  readonly table: string;
  readonly parts: number;
  readonly allParts: number;
  readonly setAside: number;
  readonly merges: number;
  readonly mutations: number;
  readonly memoryBytes: number;
  readonly diskFree: number | null;
  readonly diskSize: number | null;
}

/** `now`: this process's time, ms. The store's clock is compared with the middle of the request. */
export async function readStoreHealth(store: FactStore, now: () => number): Promise<StoreHealth> {
  const servers = await store.onEachServer((server) => readServerHealth(server, now));
  return servers.reduce((one, other) => ({
    version: one.version,
    clockAheadMs:
      Math.abs(one.clockAheadMs) < Math.abs(other.clockAheadMs)
        ? other.clockAheadMs
        : one.clockAheadMs,
    bytes: one.bytes + other.bytes,
    busiest: (one.busiest?.parts ?? 0) < (other.busiest?.parts ?? 0) ? other.busiest : one.busiest,
    parts: one.parts + other.parts,
    partsSetAside: one.partsSetAside + other.partsSetAside,
    merges: one.merges + other.merges,
    unfinishedMutations: one.unfinishedMutations + other.unfinishedMutations,
    memoryBytes: one.memoryBytes + other.memoryBytes,
    disk: fuller(one.disk, other.disk),
  }));
}

function fuller(one: StoreDisk | undefined, other: StoreDisk | undefined): StoreDisk | undefined {
  const freeShare = (disk: StoreDisk | undefined) => (disk ? disk.freeBytes / disk.sizeBytes : 1);
  return freeShare(other) < freeShare(one) ? other : one;
}

async function readServerHealth(store: OneServer, now: () => number): Promise<StoreHealth> {
  const began = now();
  const [row] = await store.select<Row>({
    name: 'read health',
    sql: `WITH crowded AS (
        SELECT table, count() AS parts, sum(bytes_on_disk) AS bytes FROM system.parts
        WHERE database = currentDatabase() AND active GROUP BY table, partition_id),
      -- An object store says that it has room without end.
      fullest AS (
        SELECT free_space AS free, total_space AS size FROM system.disks
        WHERE NOT is_remote AND size > 0 AND name IN (
          SELECT disk_name FROM system.parts WHERE database = currentDatabase() AND active)
        ORDER BY free / size LIMIT 1)
      SELECT version() AS version, toUnixTimestamp64Milli(now64(3)) AS nowMs,
        (SELECT sum(bytes) FROM crowded) AS bytes,
        (SELECT argMax(table, parts) FROM crowded) AS table,
        (SELECT max(parts) FROM crowded) AS parts,
        (SELECT sum(parts) FROM crowded) AS allParts,
        (SELECT count() FROM system.detached_parts
          WHERE database = currentDatabase() AND reason LIKE 'broken%') AS setAside,
        (SELECT count() FROM system.merges WHERE database = currentDatabase()) AS merges,
        (SELECT count() FROM system.mutations
          WHERE database = currentDatabase() AND NOT is_done) AS mutations,
        (SELECT sum(value) FROM system.metrics WHERE metric = 'MemoryTracking') AS memoryBytes,
        (SELECT free FROM fullest) AS diskFree,
        (SELECT size FROM fullest) AS diskSize`,
    parameters: {},
  });
  if (!row) throw new Error('the store answered without a row');
  const { version, nowMs, bytes, table, parts, allParts, merges, mutations } = row;
  const { diskFree: freeBytes, diskSize: sizeBytes } = row;
  return {
    version,
    clockAheadMs: nowMs - (began + now()) / 2,
    bytes,
    busiest: parts > 0 ? { table, parts } : undefined,
    parts: allParts,
    partsSetAside: row.setAside,
    merges,
    unfinishedMutations: mutations,
    memoryBytes: row.memoryBytes,
    disk: freeBytes === null || sizeBytes === null ? undefined : { freeBytes, sizeBytes },
  };
}
