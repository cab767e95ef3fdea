/** A table's definition, and the statements that create it on one server or on a cluster. */
import { assert } from '../../lib/assert.ts';

export interface Column {
  readonly type: string;
  readonly codec?: string;
  readonly default?: string;
}

export interface Table<Name extends string = string> {
  readonly name: string;
  /** In the order of a row's values. */
  readonly columns: Readonly<Record<Name, Column>>;
  readonly engine: 'MergeTree' | 'AggregatingMergeTree';
  readonly partitionBy?: string;
  readonly orderBy: readonly Name[];
  /** The beginning of the order, if columns were appended to it after the table was made. */
  readonly primaryKey?: readonly Name[];
  readonly ttl?: string;
  readonly settings: string;
  /** On a cluster: the expression that chooses the shard of a row. */
  readonly shardBy: string;
}

/** Checks that the order uses the table's own columns, and keeps their names as types. */
export function defineTable<Name extends string>(
  table: Omit<Table<Name>, 'orderBy' | 'primaryKey'> & {
    readonly orderBy: readonly NoInfer<Name>[];
    readonly primaryKey?: readonly NoInfer<Name>[];
  },
): Table<Name> {
  return table;
}

export function listColumns<Name extends string>({ columns }: Table<Name>): readonly Name[] {
  return Object.keys(columns) as Name[];
}

/** Where the tables are. */
export type Placement = { readonly kind: 'server' } | ClusterPlacement;

/**
 * On a cluster each table is a pair with one name in two databases: the one in the program's
 * database spans all shards, the one in the *shard database* has the rows of one shard. So every
 * other statement, migrations included, is the same on one server and on many.
 */
export interface ClusterPlacement {
  readonly kind: 'cluster';
  /** The cluster's name in the servers' configuration, under `remote_servers`. */
  readonly name: string;
  readonly shardDatabase: string;
  /**
   * Whether a Keeper replicates the tables; each statement then reaches every server by itself
   * and needs the macros `shard` and `replica`. Without it, run the statements on every server.
   */
  readonly replicated: boolean;
}

/** On a cluster: first that of the shard's own table, then that of the table over all shards. */
export function createStatements(table: Table, placement: Placement): string[] {
  const { name, engine } = table;
  if (placement.kind === 'server') return [storingStatement(table, name, engine, '')];
  const localEngine = placement.replicated ? (`Replicated${engine}` as const) : engine;
  return [
    storingStatement(table, ownTable(table, placement), localEngine, everywhere(placement)),
    spanningStatement(table, placement),
  ];
}

/** Its data is elsewhere, so it may be made anew whenever its columns have changed. */
export function spanningStatement(table: Table, placement: ClusterPlacement): string {
  const { name, shardBy } = table;
  const { name: cluster, shardDatabase } = placement;
  const own = ownTable(table, placement);
  return `CREATE OR REPLACE TABLE ${name}${everywhere(placement)} AS ${own}
ENGINE = Distributed('${cluster}', '${shardDatabase}', '${name}', ${shardBy})`;
}

function ownTable({ name }: Table, { shardDatabase }: ClusterPlacement): string {
  return `\`${shardDatabase}\`.${name}`;
}

/**
 * The same for a migration that also fills in data: it works over all shards. Before it runs, the
 * table that it fills is made to span them; other tables are made to only after all migrations.
 */
export function placedStatements(
  statement: string,
  placement: Placement,
  tables: readonly Table[],
): string[] {
  const filled = /^INSERT INTO (\w+)/.exec(statement)?.[1];
  const table = tables.find(({ name }) => name === filled);
  if (table === undefined || !isReplicated(placement)) {
    return [placedStatement(statement, placement)];
  }
  return [spanningStatement(table, placement), statement];
}

/**
 * A statement of a migration, which is written for one server. If a Keeper replicates the tables,
 * the statement names those of the shards, and reaches all of them.
 */
export function placedStatement(statement: string, placement: Placement): string {
  if (!isReplicated(placement)) return statement;
  const own = (name: string) => `\`${placement.shardDatabase}\`.${name}`;
  const begin = /^(CREATE TABLE IF NOT EXISTS|DROP TABLE IF EXISTS|ALTER TABLE) (\w+)/.exec(
    statement,
  );
  assert(begin, `a statement that has no form for replicated tables: ${statement}`);
  const [words, verb, name = ''] = begin;
  const rest = statement.slice(words.length);
  const isMade = verb?.startsWith('CREATE');
  const engine = isMade ? rest.replace(/\bENGINE = /, 'ENGINE = Replicated') : rest;
  return `${verb} ${own(name)}${everywhere(placement)}${engine}`;
}

function isReplicated(placement: Placement): placement is ClusterPlacement {
  return placement.kind === 'cluster' && placement.replicated;
}

/** Ends the part of a statement that names its table. */
function everywhere({ name, replicated }: ClusterPlacement): string {
  return replicated ? ` ON CLUSTER '${name}'` : '';
}

function storingStatement(table: Table, name: string, engine: string, onCluster: string): string {
  const columns = Object.entries(table.columns).map(
    ([column, { type, default: value, codec }]) =>
      `  ${column} ${type}` +
      (value === undefined ? '' : ` DEFAULT ${value}`) +
      (codec === undefined ? '' : ` CODEC(${codec})`),
  );
  return [
    `CREATE TABLE IF NOT EXISTS ${name}${onCluster} (`,
    columns.join(',\n'),
    `) ENGINE = ${engine}`,
    ...(table.partitionBy === undefined ? [] : [`PARTITION BY ${table.partitionBy}`]),
    ...(table.primaryKey === undefined ? [] : [`PRIMARY KEY ${createKey(table.primaryKey)}`]),
    `ORDER BY ${createKey(table.orderBy)}`,
    ...(table.ttl === undefined ? [] : [`TTL ${table.ttl}`]),
    `SETTINGS ${table.settings}`,
  ].join('\n');
}

function createKey(columns: readonly string[]): string {
  return columns.length === 1 ? `${columns[0]}` : `(${columns.join(', ')})`;
}
