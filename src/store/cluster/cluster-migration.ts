/**
 * Brings the tables of a cluster up to this release: first those of the shards, then those over all
 * shards. Without a Keeper every server is migrated separately, like a single server, and keeps its
 * own records; with one, each statement reaches all servers.
 */
import type { Clock } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { FactStore } from '../client/store-client.ts';
import { migrate, pendingMigrations } from '../migrations/migrate.ts';
import type { Migration } from '../migrations/migrations.ts';
import { tables } from '../tables/schema.ts';
import {
  type ClusterPlacement,
  createStatements,
  spanningStatement,
  type Table,
} from '../tables/table.ts';
import {
  type ClusterAccess,
  clusterRefusal,
  nameShardDatabase,
  readTopology,
  type Topology,
} from './topology.ts';

/** A server, by the database that the program works in and by that of its shard. */
export interface ClusterHost {
  readonly name: string;
  readonly spanning: FactStore;
  readonly shard: FactStore;
  /** In no database: works while there is none. */
  readonly bare: FactStore;
}

export interface PrepareOptions {
  readonly access: ClusterAccess;
  readonly hosts: readonly ClusterHost[];
  readonly migrations: readonly Migration[];
  readonly clock: Clock;
  /** Called after each migration of a server. */
  readonly noteDone?: (() => void) | undefined;
}

/** Rejects like `migrate`, and with INTERNAL if the cluster is not configured as it must be. */
export async function prepareCluster(options: PrepareOptions): Promise<Topology> {
  const { access, migrations, clock, noteDone } = options;
  const topology = await findTopology(options);
  const placement = createPlacement(access, topology);
  // Each node names them in an order of its own: nodes that start at once all begin with the same.
  const hosts = options.hosts.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  if (topology.hasKeeper) {
    await prepareReplicated({ ...options, hosts }, placement);
    return topology;
  }
  await refuseNewShards(options);
  // One after the other: nodes that start at once wait for each other at the first.
  for (const { shard } of hosts) await migrate(shard, migrations, clock, { noteDone });
  for (const host of hosts) {
    await host.spanning.createDatabase();
    await makeSpanning(host, await outdated(host, access), placement);
  }
  return topology;
}

/** Rejects with CONFLICT if `prepareCluster` would change anything, and as it does. */
export async function requirePrepared(options: PrepareOptions): Promise<Topology> {
  const [first] = await findUnprepared(options);
  if (first === undefined) return findTopology(options);
  throw new Fault('CONFLICT', `The statistics cluster is not prepared for this release: ${first}`);
}

function findTopology({ access, hosts }: Pick<PrepareOptions, 'access' | 'hosts'>) {
  const servers = hosts.map(({ name, bare }) => ({ name, server: bare }));
  return readTopology(access.cluster, servers);
}

export function createPlacement(access: ClusterAccess, { hasKeeper }: Topology): ClusterPlacement {
  return {
    kind: 'cluster',
    name: access.cluster,
    shardDatabase: nameShardDatabase(access),
    replicated: hasKeeper,
  };
}

/**
 * With one more shard, views would belong to other shards than the ones that have their facts, and
 * count twice from then on. A shard that has lost its tables would be half an answer.
 */
async function refuseNewShards({ access, hosts }: PrepareOptions): Promise<void> {
  const described = await Promise.all(
    hosts.map(async ({ name, bare }) => {
      const [row] = await bare.select<{ tables: number; facts: number }>({
        name: 'look whether a shard is new',
        sql: `SELECT count() AS tables, sum(total_rows) AS facts FROM system.tables
          WHERE database = {database:String} AND name = {table:String}`,
        parameters: { database: nameShardDatabase(access), table: tables.stretch.name },
      });
      return { name, isNew: row?.tables === 0, hasFacts: (row?.facts ?? 0) > 0 };
    }),
  );
  const added = described.find(({ isNew }) => isNew);
  const used = described.find(({ hasFacts }) => hasFacts);
  if (added === undefined || used === undefined) return;
  throw clusterRefusal(
    `${added.name} has no tables, while ${used.name} has facts. ` +
      'A shard is added by copying all facts into a new database: see docs/scaling.md, Moving',
  );
}

/** The records are in a table over all shards: a migration is applied everywhere, or nowhere. */
async function prepareReplicated(
  { access, hosts, migrations, clock, noteDone }: PrepareOptions,
  placement: ClusterPlacement,
): Promise<void> {
  const [host] = hosts;
  if (host === undefined) return;
  const { bare, spanning: store } = host;
  const pending = await pendingMigrations({ bare, store, ...access }, migrations);
  if (pending.length > 0) {
    for (const sql of createDatabaseStatements(access, placement)) {
      await bare.command({ name: 'create database', sql, parameters: {} });
    }
    await migrate(store, migrations, clock, { placement, noteDone });
  }
  const late = await outdated(host, access);
  for (const table of late) {
    for (const sql of createStatements(table, placement)) {
      await host.spanning.command({ name: `create table ${table.name}`, sql, parameters: {} });
    }
  }
}

export function createDatabaseStatements(
  access: Pick<ClusterAccess, 'database'>,
  { name, shardDatabase }: ClusterPlacement,
): string[] {
  return [access.database, shardDatabase].map(
    (database) => `CREATE DATABASE IF NOT EXISTS \`${database}\` ON CLUSTER '${name}'`,
  );
}

/** What `prepareCluster` would still do, for people; empty if nothing. */
export async function findUnprepared(options: PrepareOptions): Promise<string[]> {
  const { access, hosts, migrations } = options;
  const { hasKeeper } = await findTopology(options);
  if (!hasKeeper) await refuseNewShards(options);
  const found: string[] = [];
  for (const host of hasKeeper ? hosts.slice(0, 1) : hosts) {
    const { bare, spanning, shard } = host;
    const pending = await pendingMigrations(
      hasKeeper
        ? { bare, store: spanning, database: access.database }
        : { bare, store: shard, database: nameShardDatabase(access) },
      migrations,
    );
    found.push(...pending.map(({ name }) => `${host.name}: migration ${name} is not applied`));
    if (pending.length > 0) continue;
    const late = await outdated(host, access);
    found.push(...late.map(({ name }) => `${host.name}: table ${name} does not span all shards`));
  }
  return found;
}

async function makeSpanning(
  { spanning }: ClusterHost,
  late: readonly Table[],
  placement: ClusterPlacement,
): Promise<void> {
  for (const table of late) {
    const sql = spanningStatement(table, placement);
    await spanning.command({ name: `span table ${table.name}`, sql, parameters: {} });
  }
}

interface Described {
  readonly database: string;
  readonly name: string;
  readonly columns: string;
  readonly engine: string;
}

/** Tables over all shards that are missing, or are not as those of the shards are now. */
async function outdated({ bare }: ClusterHost, access: ClusterAccess): Promise<Table[]> {
  const shardDatabase = nameShardDatabase(access);
  const rows = await bare.select<Described>({
    name: 'describe tables over all shards',
    sql: `SELECT columns.database AS database, columns.table AS name,
        toString(groupArray((columns.name, columns.type, columns.default_expression))) AS columns,
        any(tables.engine_full) AS engine
      FROM (SELECT * FROM system.columns
        WHERE database IN {databases:Array(String)} ORDER BY table, position) AS columns
      INNER JOIN system.tables AS tables
        ON tables.database = columns.database AND tables.name = columns.table
      GROUP BY database, name`,
    parameters: { databases: [access.database, shardDatabase] },
  });
  const found = new Map(rows.map((row) => [`${row.database} ${row.name}`, row]));
  return Object.values(tables).filter(({ name, shardBy }) => {
    const spanning = found.get(`${access.database} ${name}`);
    const own = found.get(`${shardDatabase} ${name}`);
    return spanning?.columns !== own?.columns || !spanning?.engine.includes(`, ${shardBy})`);
  });
}
