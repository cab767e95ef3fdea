import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Which URL path a snapshot or a write belongs to: the column was called `address`. */
export const paths: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('snapshots').renameColumn('address', 'path').execute();
    await schema.alterTable('idempotentWrites').renameColumn('address', 'path').execute();
  },
};
