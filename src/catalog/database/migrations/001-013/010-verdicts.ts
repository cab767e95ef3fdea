import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What was decided about suspects, and how often an account's counts were to shrink by it. */
export const verdicts: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('accounts')
      .addColumn('verdictEpoch', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await schema
      .createTable('verdicts')
      .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
      .addColumn('suspect', 'text', (column) => column.notNull())
      .addColumn('verdict', 'text', (column) => column.notNull())
      .addColumn('atMs', 'bigint', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('actorName', 'text', (column) => column.notNull())
      .addColumn('decisions', 'bigint', (column) => column.notNull())
      .addColumn('isSummed', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('verdictsBySuspect', ['accountId', 'suspect'])
      .execute();
    await schema
      .createIndex('verdictsUnsummed')
      .on('verdicts')
      .columns(['isSummed', 'atMs'])
      .execute();
  },
};
