import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What was erased, and for how long accounts keep single facts. */
export const erasures: Migration = {
  async up({ schema }: Kysely<unknown>) {
    for (const column of ['isErased', 'keptSinceMs', 'answersSinceMs']) {
      await schema
        .alterTable('accounts')
        .addColumn(column, 'bigint', (type) => type.notNull().defaultTo(0))
        .execute();
    }
    await schema
      .alterTable('accounts')
      .addColumn('factsMonths', 'bigint', (type) => type.notNull().defaultTo(25))
      .execute();
    await schema
      .createTable('erasures')
      .addColumn('receipt', 'text', (column) => column.primaryKey())
      .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('viewer', 'text', (column) => column.notNull())
      .addColumn('packageId', 'bigint', (column) => column.notNull())
      .addColumn('videoId', 'bigint', (column) => column.notNull())
      .addColumn('untilMs', 'bigint', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('views', 'bigint', (column) => column.notNull())
      .addColumn('facts', 'bigint', (column) => column.notNull())
      .addColumn('atMs', 'bigint', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('actorName', 'text', (column) => column.notNull())
      .addColumn('endedAtMs', 'bigint')
      .execute();
    await schema
      .createIndex('erasuresByAccount')
      .on('erasures')
      .columns(['accountId', 'atMs', 'receipt'])
      .execute();
    await schema.createIndex('erasuresByState').on('erasures').columns(['state', 'atMs']).execute();
    await schema
      .createTable('erasedNames')
      .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('untilMs', 'bigint', (column) => column.notNull())
      .addColumn('receipt', 'text', (column) => column.notNull().references('erasures.receipt'))
      .addPrimaryKeyConstraint('erasedNamesKey', ['accountId', 'name'])
      .execute();
    await schema
      .createIndex('erasedNamesByReceipt')
      .on('erasedNames')
      .columns(['receipt', 'name'])
      .execute();
  },
};
