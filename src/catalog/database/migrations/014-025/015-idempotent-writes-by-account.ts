import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Whose each answer is, so that an account's can be counted. */
export const idempotentWritesByAccount: Migration = {
  async up(kysely: Kysely<unknown>) {
    const { schema } = kysely;
    await schema
      .alterTable('idempotentWrites')
      .addColumn('accountId', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update idempotent_writes set account_id =
      (select account_id from api_keys where api_keys.id = idempotent_writes.key_id)`.execute(
      kysely,
    );
    await schema
      .createIndex('idempotentWritesByAccount')
      .on('idempotentWrites')
      .columns(['accountId', 'createdAtMs'])
      .execute();
  },
};
