import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../../connection.ts';

/** How an account tells viewers apart, and the salts of its anonymous ones. */
export function viewers(dialect: Dialect): Migration {
  return {
    async up({ schema }: Kysely<unknown>) {
      await schema
        .alterTable('accounts')
        .addColumn('viewers', 'text', (column) => column.notNull().defaultTo('anonymous'))
        .execute();
      await schema
        .createTable('salts')
        .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
        .addColumn('fromMs', 'bigint', (column) => column.notNull())
        .addColumn('untilMs', 'bigint', (column) => column.notNull())
        .addColumn('salt', dialect === 'sqlite' ? 'blob' : 'bytea', (column) => column.notNull())
        .addPrimaryKeyConstraint('saltsKey', ['accountId', 'fromMs'])
        .execute();
      await schema.createIndex('saltsByEnd').on('salts').column('untilMs').execute();
    },
  };
}
