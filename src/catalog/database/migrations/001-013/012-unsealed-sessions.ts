import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whether an account takes sessions of player logs that the service did not give. */
export const unsealedSessions: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('accounts')
      .addColumn('takesUnsealed', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
