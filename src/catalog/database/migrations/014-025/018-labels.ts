import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../../connection.ts';
import { tableWithId } from '../table-with-id.ts';

/** The labels that accounts declare. */
export function labels(dialect: Dialect): Migration {
  return {
    async up({ schema }: Kysely<unknown>) {
      await tableWithId(schema, dialect, 'labels')
        .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
        .addColumn('number', 'integer', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('createdAtMs', 'bigint', (column) => column.notNull())
        .addColumn('isUsed', 'integer', (column) => column.notNull())
        .addColumn('deletedAtMs', 'bigint')
        .addUniqueConstraint('labelsByNumber', ['accountId', 'number'])
        .addUniqueConstraint('labelsByName', ['accountId', 'name'])
        .execute();
    },
  };
}
