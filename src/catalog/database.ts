import { CamelCasePlugin, Kysely } from 'kysely';
import { postgresDialect } from './postgres-dialect.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import type { Tables } from './tables.ts';

/** Where the catalog is kept. */
export type CatalogLocation = { readonly sqliteFile: string } | { readonly databaseUrl: string };

/** Asked for only where SQL itself differs: column types and the search index. */
export type Engine = 'sqlite' | 'postgres';

export interface Database {
  readonly kysely: Kysely<Tables>;
  readonly engine: Engine;
}

/** What queries run on: the database itself, or a transaction in it. */
export type Connection = Kysely<Tables>;

export function openDatabase(location: CatalogLocation): Database {
  const isFile = 'sqliteFile' in location;
  const dialect = isFile
    ? sqliteDialect(location.sqliteFile)
    : postgresDialect(location.databaseUrl);
  return {
    kysely: new Kysely<Tables>({ dialect, plugins: [new CamelCasePlugin()] }),
    engine: isFile ? 'sqlite' : 'postgres',
  };
}

/** In the transaction that the connection is already, or in one of its own. */
export function inTransaction<Value>(
  connection: Connection,
  run: (transaction: Connection) => Promise<Value>,
): Promise<Value> {
  return connection.isTransaction ? run(connection) : connection.transaction().execute(run);
}
