import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Shows a node whether its counts of an account's library are still valid. */
export const libraryChanges: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('accounts')
      .addColumn('libraryChanges', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
