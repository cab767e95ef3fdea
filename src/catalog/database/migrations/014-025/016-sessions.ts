import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../../connection.ts';
import { tableWithId } from '../table-with-id.ts';

/** People who are signed in at a browser, and the links that sign in once. */
export function sessions(dialect: Dialect): Migration {
  return {
    async up({ schema }: Kysely<unknown>) {
      await tableWithId(schema, dialect, 'sessions')
        .addColumn('keyId', 'bigint', (column) => column.notNull().references('apiKeys.id'))
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('tokenHash', 'text', (column) => column.notNull().unique())
        .addColumn('createdAtMs', 'bigint', (column) => column.notNull())
        .addColumn('expiresAtMs', 'bigint', (column) => column.notNull())
        .execute();
      await schema.createIndex('sessionsByKey').on('sessions').columns(['keyId', 'id']).execute();
      await schema.createIndex('sessionsByEnd').on('sessions').column('expiresAtMs').execute();
    },
  };
}
