import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../connection.ts';

const auditRefusal = 'the audit is only ever added to';

/** The purge may delete what `service_audit_purges` says has been kept long enough. */
const isPurged = `exists (
  select 1 from service_audit_purges purge
    where purge.action = old.action and purge.through_ms >= old.at_ms)`;

const sqliteAuditGuards = [
  `create trigger service_audit_refuses_update before update on service_audit
    begin select raise(abort, '${auditRefusal}'); end`,
  `create trigger service_audit_refuses_delete before delete on service_audit when not ${isPurged}
    begin select raise(abort, '${auditRefusal}'); end`,
];

const postgresAuditGuards = [
  `create trigger service_audit_refuses_change before update or truncate on service_audit
    for each statement execute function refuse_audit_change()`,
  `create function refuse_service_audit_delete() returns trigger language plpgsql as $$ begin
    if ${isPurged} then return old; end if;
    raise exception '${auditRefusal}'; end $$`,
  `create trigger service_audit_refuses_delete before delete on service_audit
    for each row execute function refuse_service_audit_delete()`,
];

/** People beside keys: who they are, where they are members, and how they are signed in. */
export function people(dialect: Dialect): Migration {
  return {
    async up(database: Kysely<unknown>) {
      for (const statement of statements(dialect)) await sql.raw(statement).execute(database);
    },
  };
}

function statements(dialect: Dialect): string[] {
  const isSqlite = dialect === 'sqlite';
  const id = isSqlite
    ? 'id integer primary key autoincrement'
    : 'id bigint generated always as identity primary key';
  const bytes = isSqlite ? 'blob' : 'bytea';
  return [
    `create table people (
      ${id},
      email text,
      email_key text unique,
      name text not null,
      language text not null,
      password_hash text,
      is_operator integer not null,
      sealed_second_factor ${bytes},
      has_second_factor integer not null default 0,
      second_factor_step bigint not null default 0,
      created_at_ms bigint not null,
      last_seen_at_ms bigint,
      new_email text,
      new_email_token_hash text unique,
      new_email_until_ms bigint
    )`,
    `create table memberships (
      account_id bigint not null references accounts (id),
      person_id bigint not null references people (id),
      role text not null,
      packages text,
      is_by_claim integer not null,
      created_at_ms bigint not null,
      changed_at_ms bigint not null,
      constraint memberships_key primary key (account_id, person_id)
    )`,
    'create index memberships_by_person on memberships (person_id, account_id)',
    `create table person_identities (
      issuer text not null,
      subject text not null,
      person_id bigint not null references people (id),
      email_key text,
      constraint person_identities_key primary key (issuer, subject)
    )`,
    'create index person_identities_by_person on person_identities (person_id)',
    `create table recovery_codes (
      person_id bigint not null references people (id),
      code_hash text not null,
      constraint recovery_codes_key primary key (person_id, code_hash)
    )`,
    `create table invitations (
      ${id},
      account_id bigint references accounts (id),
      email text,
      role text not null,
      packages text,
      token_hash text not null unique,
      created_at_ms bigint not null,
      expires_at_ms bigint not null,
      actor text not null,
      actor_name text not null
    )`,
    'create index invitations_by_account on invitations (account_id, id)',
    'create index invitations_by_end on invitations (expires_at_ms)',
    // Of no account: people and operators.
    `create table service_audit (
      ${id},
      at_ms bigint not null,
      actor text not null,
      actor_name text not null,
      address text,
      action text not null,
      object text,
      before_json text,
      after_json text
    )`,
    'create index service_audit_by_action on service_audit (action, at_ms, id)',
    'create index service_audit_by_time on service_audit (at_ms, id)',
    `create table service_audit_purges (
      action text not null,
      through_ms bigint not null,
      constraint service_audit_purges_by_action primary key (action)
    )`,
    ...(isSqlite ? sqliteAuditGuards : postgresAuditGuards),
    'alter table accounts add column closed_at_ms bigint',
    // By the name of the file, which is the same whatever the URL of the service was.
    'create index thumbnails_by_file on thumbnails (substr(url, length(url) - 25))',
    // A session is of a key or of a person. No database changes a column's constraint alike.
    'drop index sessions_by_end',
    'drop index sessions_by_key',
    'alter table sessions rename to sessions_of_keys',
    `create table sessions (
      ${id},
      key_id bigint constraint sessions_key_id_fkey references api_keys (id),
      person_id bigint constraint sessions_person_id_fkey references people (id),
      kind text not null,
      token_hash text not null unique,
      created_at_ms bigint not null,
      expires_at_ms bigint not null,
      used_at_ms bigint,
      device text not null default '',
      address text not null default '',
      country text not null default ''
    )`,
    `insert into sessions (key_id, kind, token_hash, created_at_ms, expires_at_ms)
      select key_id, kind, token_hash, created_at_ms, expires_at_ms
      from sessions_of_keys order by id`,
    'drop table sessions_of_keys',
    'create index sessions_by_end on sessions (expires_at_ms)',
    'create index sessions_by_key on sessions (key_id, id)',
    'create index sessions_by_person on sessions (person_id, id)',
    // A write that may be repeated is of whoever sent it: a key, or a person.
    'drop index idempotent_writes_by_account',
    'drop index idempotent_writes_by_age',
    'alter table idempotent_writes rename to writes_of_keys',
    `create table idempotent_writes (
      actor text not null,
      path text not null,
      idempotency_key text not null,
      fingerprint text not null,
      answer ${bytes},
      created_at_ms bigint not null,
      account_id bigint not null,
      constraint idempotent_writes_key primary key (account_id, actor, path, idempotency_key)
    )`,
    `insert into idempotent_writes
        (actor, path, idempotency_key, fingerprint, answer, created_at_ms, account_id)
      select 'KEY:' || key_id, path, idempotency_key, fingerprint, answer, created_at_ms, account_id
      from writes_of_keys`,
    'drop table writes_of_keys',
    'create index idempotent_writes_by_account on idempotent_writes (account_id, created_at_ms)',
    'create index idempotent_writes_by_age on idempotent_writes (created_at_ms)',
    'alter table shares add column packages text',
    'alter table rules add column packages text',
    "alter table api_keys add column actor text not null default ''",
    "alter table api_keys add column actor_name text not null default ''",
  ];
}
