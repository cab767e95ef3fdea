import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Used only where SQL itself differs: column types, locks of rows, and the search index. */
export type Dialect = 'sqlite' | 'postgres';

/** Where queries run: the database itself, or a transaction in it. */
export type Connection = Kysely<Tables>;

/** Runs in the connection's transaction if it has one, otherwise in a new one. */
export function inTransaction<Value>(
  connection: Connection,
  run: (transaction: Connection) => Promise<Value>,
): Promise<Value> {
  return connection.isTransaction ? run(connection) : connection.transaction().execute(run);
}
