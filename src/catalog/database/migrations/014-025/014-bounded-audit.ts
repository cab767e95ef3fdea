import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../../connection.ts';

/**
 * Lets the purge of the audit delete what `auditPurges` says has been kept long enough. Everything
 * else is still refused.
 */
export function boundedAudit(dialect: Dialect): Migration {
  return {
    async up(database: Kysely<unknown>) {
      await database.schema
        .createTable('auditPurges')
        .addColumn('accountId', 'bigint', (column) => column.notNull().references('accounts.id'))
        .addColumn('action', 'text', (column) => column.notNull())
        .addColumn('throughMs', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('auditPurgesByAction', ['accountId', 'action'])
        .execute();
      for (const statement of dialect === 'sqlite' ? sqliteGuards : postgresGuards) {
        await sql.raw(statement).execute(database);
      }
    },
  };
}

const refusal = 'the audit is only ever added to';

const isPurged = `exists (
  select 1 from audit_purges purge where purge.account_id = old.account_id
    and purge.action = old.action and purge.through_ms >= old.at_ms)`;

const sqliteGuards = [
  'drop trigger audit_refuses_delete',
  `create trigger audit_refuses_delete before delete on audit when not ${isPurged}
    begin select raise(abort, '${refusal}'); end`,
];

const postgresGuards = [
  'drop trigger audit_refuses_change on audit',
  `create trigger audit_refuses_change before update or truncate on audit
    for each statement execute function refuse_audit_change()`,
  `create function refuse_audit_delete() returns trigger language plpgsql as $$ begin
    if ${isPurged} then return old; end if;
    raise exception '${refusal}'; end $$`,
  `create trigger audit_refuses_delete before delete on audit
    for each row execute function refuse_audit_delete()`,
];
