/** A table's definition, and the statements that create it on one server or on a cluster. */

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

export function columnsOf<Name extends string>({ columns }: Table<Name>): readonly Name[] {
  return Object.keys(columns) as Name[];
}

/** Where the tables are. */
export type Placement =
  | { readonly kind: 'server' }
  | {
      readonly kind: 'cluster';
      /** The cluster's name in the servers' configuration, under `remote_servers`. */
      readonly name: string;
      /**
       * Whether a Keeper replicates the tables; each statement then reaches every server by itself
       * and needs the macros `shard` and `replica`. Without it, run the statements on every server.
       */
      readonly replicated: boolean;
    };

/**
 * On a cluster a table is a pair: `NAME_local` holds the rows of one shard, and `NAME` spans them
 * all, so that every other statement of the program is the same on one server and on many.
 */
export function createStatements(table: Table, placement: Placement): string[] {
  const { name, engine } = table;
  if (placement.kind === 'server') return [storingStatement(table, name, engine, '')];
  const onCluster = placement.replicated ? ` ON CLUSTER '${placement.name}'` : '';
  const localEngine = placement.replicated ? (`Replicated${engine}` as const) : engine;
  const local = `${name}_local`;
  return [
    storingStatement(table, local, localEngine, onCluster),
    `CREATE TABLE IF NOT EXISTS ${name}${onCluster} AS ${local}
ENGINE = Distributed('${placement.name}', currentDatabase(), '${local}', ${table.shardBy})`,
  ];
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
    ...(table.primaryKey === undefined ? [] : [`PRIMARY KEY ${keyOf(table.primaryKey)}`]),
    `ORDER BY ${keyOf(table.orderBy)}`,
    ...(table.ttl === undefined ? [] : [`TTL ${table.ttl}`]),
    `SETTINGS ${table.settings}`,
  ].join('\n');
}

function keyOf(columns: readonly string[]): string {
  return columns.length === 1 ? `${columns[0]}` : `(${columns.join(', ')})`;
}
