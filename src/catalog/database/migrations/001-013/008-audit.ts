import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../../connection.ts';
import { tableWithId } from '../table-with-id.ts';

/** Who changed what, when, from where. The database itself refuses to change or delete a row. */
export function audit(dialect: Dialect): Migration {
  return {
    async up(database: Kysely<unknown>) {
      const { schema } = database;
      await tableWithId(schema, dialect, 'audit')
        .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
        .addColumn('atMs', 'bigint', (column) => column.notNull())
        .addColumn('actor', 'text', (column) => column.notNull())
        .addColumn('actorName', 'text', (column) => column.notNull())
        .addColumn('address', 'text')
        .addColumn('action', 'text', (column) => column.notNull())
        .addColumn('object', 'text')
        .addColumn('beforeJson', 'text')
        .addColumn('afterJson', 'text')
        .execute();
      // One for each filter, and for both: a page is read from its end, however long the audit is.
      for (const [name, filter] of [
        ['auditByTime', []],
        ['auditByAction', ['action']],
        ['auditByActor', ['actor']],
        ['auditByActorAndAction', ['actor', 'action']],
      ] as const) {
        const columns = ['accountId', ...filter, 'atMs', 'id'];
        await schema.createIndex(name).on('audit').columns(columns).execute();
      }
      for (const statement of dialect === 'sqlite' ? sqliteGuards : postgresGuards) {
        await sql.raw(statement).execute(database);
      }
    },
  };
}

const refusal = 'the audit is only ever added to';

const sqliteGuards = ['update', 'delete'].map(
  (change) => `create trigger audit_refuses_${change} before ${change} on audit
    begin select raise(abort, '${refusal}'); end`,
);

const postgresGuards = [
  `create function refuse_audit_change() returns trigger language plpgsql as
    $$ begin raise exception '${refusal}'; end $$`,
  `create trigger audit_refuses_change before update or delete or truncate on audit
    for each statement execute function refuse_audit_change()`,
];
