import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../../connection.ts';

/** Answers of writes that came with an Idempotency-Key. */
export function idempotentWrites(dialect: Dialect): Migration {
  return {
    async up({ schema }: Kysely<unknown>) {
      await schema
        .createTable('idempotentWrites')
        .addColumn('keyId', 'bigint', (column) => column.notNull().references('apiKeys.id'))
        .addColumn('address', 'text', (column) => column.notNull())
        .addColumn('idempotencyKey', 'text', (column) => column.notNull())
        .addColumn('fingerprint', 'text', (column) => column.notNull())
        .addColumn('answer', dialect === 'sqlite' ? 'blob' : 'bytea')
        .addColumn('createdAtMs', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('idempotentWritesByName', ['keyId', 'address', 'idempotencyKey'])
        .execute();
      await schema
        .createIndex('idempotentWritesByAge')
        .on('idempotentWrites')
        .column('createdAtMs')
        .execute();
    },
  };
}
