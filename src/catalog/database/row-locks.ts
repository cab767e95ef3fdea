/** SQLite needs no locks: a transaction that writes has the database to itself. */
import type { SelectQueryBuilder, Simplify } from 'kysely';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';

/** Reads rows that nobody else may lock or change until the transaction ends. */
export function lockRows<Tables, Table extends keyof Tables, Row>(
  { dialect }: Database,
  query: SelectQueryBuilder<Tables, Table, Row>,
): Promise<Simplify<Row>[]> {
  return (dialect === 'postgres' ? query.forUpdate() : query).execute();
}

/** Reads rows that others may share too, but nobody may change until the transaction ends. */
export function shareRows<Tables, Table extends keyof Tables, Row>(
  { dialect }: Database,
  query: SelectQueryBuilder<Tables, Table, Row>,
): Promise<Simplify<Row>[]> {
  return (dialect === 'postgres' ? query.forShare() : query).execute();
}

/** Whether there is this account, which nobody else may lock or change until the transaction ends. */
export async function holdAccount(
  database: Database,
  connection: Connection,
  accountId: number,
): Promise<boolean> {
  const account = connection.selectFrom('accounts').select('id').where('id', '=', accountId);
  return (await lockRows(database, account)).length > 0;
}
