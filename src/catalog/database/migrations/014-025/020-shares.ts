import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../../connection.ts';
import { tableWithId } from '../table-with-id.ts';

/** Views of the dashboard that a link shows to anybody. */
export function shares(dialect: Dialect): Migration {
  return {
    async up({ schema }: Kysely<unknown>) {
      await tableWithId(schema, dialect, 'shares')
        .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
        .addColumn('tokenStart', 'text', (column) => column.notNull().unique())
        .addColumn('tokenHash', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('accessKey', 'text')
        .addColumn('packageId', 'bigint')
        .addColumn('filters', 'text', (column) => column.notNull())
        .addColumn('fromDay', 'text')
        .addColumn('toDay', 'text')
        .addColumn('lastDays', 'integer')
        .addColumn('compare', 'text', (column) => column.notNull())
        .addColumn('timeZone', 'text', (column) => column.notNull())
        .addColumn('origins', 'text', (column) => column.notNull())
        .addColumn('expiresAtMs', 'bigint')
        .addColumn('createdAtMs', 'bigint', (column) => column.notNull())
        .addColumn('actor', 'text', (column) => column.notNull())
        .addColumn('actorName', 'text', (column) => column.notNull())
        .execute();
      await schema.createIndex('sharesByAccount').on('shares').column('accountId').execute();
    },
  };
}
