/** A cluster of ClickHouse servers, and the settings that make it answer as one server does. */

import type { ClickHouseSettings } from '@clickhouse/client';
import { onlyRow } from '../../lib/assert.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { FactStoreAccess, OneServer } from '../client/store-client.ts';

export interface ClusterAccess extends Omit<FactStoreAccess, 'url'> {
  /** Its name in the servers' configuration, under `remote_servers`. */
  readonly cluster: string;
  /** Its servers, tried in this order: at least one of every shard. */
  readonly urls: readonly string[];
}

export function nameShardDatabase({ database }: Pick<ClusterAccess, 'database'>): string {
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

/* What a cluster's servers report about the cluster, and whether they agree. */

/** One server, as the configuration of the servers names it. */
interface Member {
  readonly shard: number;
  readonly replica: number;
  readonly address: string;
}

interface View {
  readonly members: readonly Member[];
  /** Which of the members it is itself; undefined if it is none. */
  readonly own: Member | undefined;
  readonly hasKeeper: boolean;
}

export interface Topology {
  readonly shards: number;
  /** Of each shard. */
  readonly replicas: number;
  readonly hasKeeper: boolean;
}

/** One of the hosts that the configuration of the service names. */
export interface Host {
  /** For people. */
  readonly name: string;
  readonly server: OneServer;
}

/** Rejects with INTERNAL if the servers' configuration, or that of the service, must be changed. */
export async function readTopology(cluster: string, hosts: readonly Host[]): Promise<Topology> {
  const views = await Promise.all(
    hosts.map(async ({ name, server }) => ({ name, view: await readView(cluster, server) })),
  );
  return findAgreed(cluster, views);
}

async function readView(cluster: string, server: OneServer): Promise<View> {
  const members = await server.select<Member & { isOwn: 0 | 1 }>({
    name: 'read cluster',
    sql: `SELECT shard_num AS shard, replica_num AS replica,
        concat(host_name, ':', toString(port)) AS address, is_local AS isOwn
      FROM system.clusters WHERE cluster = {cluster:String} ORDER BY shard, replica`,
    parameters: { cluster },
  });
  const keepers = await server.select<{ tables: number }>({
    name: 'look for a Keeper',
    // The table is there where one is configured.
    sql: `SELECT count() AS tables FROM system.tables
      WHERE database = 'system' AND name = 'zookeeper'`,
    parameters: {},
  });
  return {
    members: members.map(({ isOwn: _, ...member }) => member),
    own: members.find(({ isOwn }) => isOwn === 1),
    hasKeeper: onlyRow(keepers).tables > 0,
  };
}

export function findAgreed(
  cluster: string,
  views: readonly { readonly name: string; readonly view: View }[],
): Topology {
  const [first] = views;
  if (first === undefined) throw clusterRefusal('no host is configured');
  const { members, hasKeeper } = first.view;
  for (const { name, view } of views) {
    if (view.members.length === 0) {
      throw clusterRefusal(`${name} knows no cluster ${cluster}: see its remote_servers`);
    }
    if (describe(view) !== describe(first.view)) {
      throw clusterRefusal(
        `${first.name} and ${name} are configured with different clusters ${cluster}`,
      );
    }
  }
  const shards = new Set(members.map(({ shard }) => shard));
  const replicas = members.length / shards.size;
  if (members.some(({ replica }) => replica > replicas)) {
    throw clusterRefusal(`the shards of ${cluster} have different numbers of replicas`);
  }
  if (replicas > 1 && !hasKeeper) throw clusterRefusal(`${cluster} has replicas, but no Keeper`);
  requireEachShard({ members, hasKeeper }, views);
  return { shards: shards.size, replicas, hasKeeper };
}

/** Erasing, checking and forgetting work with each shard's own tables. */
function requireEachShard(
  { members, hasKeeper }: Pick<View, 'members' | 'hasKeeper'>,
  views: readonly { readonly name: string; readonly view: View }[],
): void {
  const named = new Map<number, string>();
  for (const { name, view } of views) {
    if (view.own === undefined) continue;
    const { shard } = view.own;
    const before = named.get(shard);
    if (before !== undefined && !hasKeeper) {
      throw clusterRefusal(`${before} and ${name} are both shard ${shard}`);
    }
    named.set(shard, name);
  }
  const missing = members.find(({ shard }) => !named.has(shard));
  if (missing === undefined) return;
  throw clusterRefusal(
    `CLICKHOUSE_URL must name ${hasKeeper ? 'a server of every shard' : 'every server'}: ` +
      `shard ${missing.shard} (${missing.address}) is missing`,
  );
}

/** Servers may know one another by names of their own, but in one order. */
function describe({ members, hasKeeper }: View): string {
  const places = members.map(({ shard, replica }) => `${shard}.${replica}`);
  return `${places.join(' ')}${hasKeeper ? ' with a Keeper' : ''}`;
}

export function clusterRefusal(reason: string): Fault {
  return new Fault('INTERNAL', `The statistics cluster cannot be used: ${reason}`);
}
