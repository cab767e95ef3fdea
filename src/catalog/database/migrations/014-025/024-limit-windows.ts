import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../../connection.ts';

/**
 * What was taken of limits in their minute, over all nodes. Unlogged: it costs no write-ahead log,
 * reaches no archive and no standby, and a crash of the server forgets no more than a minute.
 */
export function limitWindows(dialect: Dialect): Migration {
  return {
    async up({ schema }: Kysely<unknown>) {
      // A catalog in SQLite has one node, which counts in memory.
      if (dialect === 'sqlite') return;
      await schema
        .createTable('limitWindows')
        .modifyFront(sql`unlogged`)
        .addColumn('subject', 'text', (column) => column.primaryKey())
        .addColumn('untilMs', 'bigint', (column) => column.notNull())
        .addColumn('granted', 'bigint', (column) => column.notNull())
        .addColumn('taken', 'bigint', (column) => column.notNull())
        .execute();
    },
  };
}
