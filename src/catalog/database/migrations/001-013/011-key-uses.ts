import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The name that an API key was given, and the minute in which it was last used. */
export const keyUses: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('apiKeys')
      .addColumn('name', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await schema.alterTable('apiKeys').addColumn('lastUsedAtMs', 'bigint').execute();
  },
};
