import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../../connection.ts';
import { tableWithId } from '../table-with-id.ts';

/** Whether the views of a package must be signed, and what their signatures are checked with. */
export function signedViews(dialect: Dialect): Migration {
  return {
    async up({ schema }: Kysely<unknown>) {
      await schema
        .alterTable('packages')
        .addColumn('signing', 'text', (column) => column.notNull().defaultTo('open'))
        .execute();
      await tableWithId(schema, dialect, 'signingKeys')
        .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
        .addColumn('algorithm', 'text', (column) => column.notNull())
        .addColumn('material', dialect === 'sqlite' ? 'blob' : 'bytea', (column) =>
          column.notNull(),
        )
        .addColumn('createdAtMs', 'bigint', (column) => column.notNull())
        .addColumn('expiresAtMs', 'bigint')
        .execute();
      await schema
        .createIndex('signingKeysByAccount')
        .on('signingKeys')
        .columns(['accountId', 'id'])
        .execute();
    },
  };
}
