import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** By it a node sees whether what it has counted in an account's library still holds. */
export const libraryChanges: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('accounts')
      .addColumn('libraryChanges', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
