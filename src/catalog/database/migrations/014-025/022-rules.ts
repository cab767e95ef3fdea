import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../../connection.ts';
import { tableWithId } from '../table-with-id.ts';

/** Alerts and reports, and the messages that they send. */
export function rules(dialect: Dialect): Migration {
  const bytes = dialect === 'sqlite' ? 'blob' : 'bytea';
  return {
    async up({ schema }: Kysely<unknown>) {
      await tableWithId(schema, dialect, 'rules')
        .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('terms', 'text', (column) => column.notNull())
        .addColumn('url', 'text')
        .addColumn('sealedSecret', bytes)
        .addColumn('mailTo', 'text', (column) => column.notNull())
        .addColumn('isFiring', 'integer', (column) => column.notNull())
        .addColumn('judgedThroughMs', 'bigint', (column) => column.notNull())
        .addColumn('createdAtMs', 'bigint', (column) => column.notNull())
        .addColumn('actor', 'text', (column) => column.notNull())
        .addColumn('actorName', 'text', (column) => column.notNull())
        .execute();
      await schema.createIndex('rulesByAccount').on('rules').column('accountId').execute();
      await tableWithId(schema, dialect, 'deliveries')
        .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
        .addColumn('ruleId', 'bigint', (column) => column.notNull())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('messageId', 'text', (column) => column.notNull())
        .addColumn('channel', 'text', (column) => column.notNull())
        .addColumn('receiver', 'text', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('nextAtMs', 'bigint', (column) => column.notNull())
        .addColumn('createdAtMs', 'bigint', (column) => column.notNull())
        .addColumn('attemptedAtMs', 'bigint')
        .addColumn('status', 'integer')
        .addColumn('error', 'text')
        .execute();
      await schema
        .createIndex('deliveriesByAccount')
        .on('deliveries')
        .columns(['accountId', 'id'])
        .execute();
      await schema
        .createIndex('deliveriesByState')
        .on('deliveries')
        .columns(['state', 'nextAtMs'])
        .execute();
      await schema.createIndex('deliveriesByAge').on('deliveries').column('createdAtMs').execute();
    },
  };
}
