import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** From which sites playback of a package is taken: by spaces; empty: from all. */
export const allowedOrigins: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('packages')
      .addColumn('allowedOrigins', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  },
};
