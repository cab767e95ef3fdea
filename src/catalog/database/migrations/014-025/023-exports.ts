import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How scheduled exports stand, and what is to be exported again. */
export const exports: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('exportRuns')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('leasedUntilMs', 'bigint', (column) => column.notNull())
      .addColumn('afterMs', 'bigint', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('error', 'text')
      .addColumn('retryAtMs', 'bigint', (column) => column.notNull())
      .addColumn('succeededAtMs', 'bigint')
      .addColumn('completeThroughMs', 'bigint')
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('lookedAtMs', 'bigint', (column) => column.notNull())
      .addColumn('notedThroughMs', 'bigint', (column) => column.notNull())
      .execute();
    await schema
      .createTable('exportDays')
      .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
      .addColumn('day', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('exportDaysKey', ['accountId', 'day'])
      .execute();
  },
};
