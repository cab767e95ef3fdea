import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The origins whose playback a package accepts, separated by spaces; empty: all. */
export const allowedOrigins: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('packages')
      .addColumn('allowedOrigins', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  },
};
