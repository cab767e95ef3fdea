import type { SchemaModule } from 'kysely';
import type { Dialect } from '../connection.ts';

/** A table whose ids are never reused, not even after a row is deleted. */
export function tableWithId(schema: SchemaModule, dialect: Dialect, name: string) {
  const table = schema.createTable(name);
  if (dialect === 'sqlite') {
    return table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement());
  }
  return table.addColumn('id', 'bigint', (column) =>
    column.generatedAlwaysAsIdentity().primaryKey(),
  );
}
