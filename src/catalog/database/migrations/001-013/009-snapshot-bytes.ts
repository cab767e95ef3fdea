import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How much room each snapshot takes, so that the index alone can add up an account's. */
export const snapshotBytes: Migration = {
  async up(kysely: Kysely<unknown>) {
    const { schema } = kysely;
    // Those without a body have expired.
    await sql`delete from snapshots where body is null`.execute(kysely);
    await schema
      .alterTable('snapshots')
      .addColumn('bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`update snapshots set bytes = length(body)`.execute(kysely);
    await schema
      .createIndex('snapshotsByAccount')
      .on('snapshots')
      .columns(['accountId', 'expiresAtMs', 'bytes'])
      .execute();
  },
};
