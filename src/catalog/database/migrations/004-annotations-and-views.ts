import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Dialect } from '../connection.ts';

/** What people write beside their statistics, and the views of the dashboard that they keep. */
export function annotationsAndViews(dialect: Dialect): Migration {
  const id =
    dialect === 'sqlite'
      ? 'id integer primary key autoincrement'
      : 'id bigint generated always as identity primary key';
  const statements = [
    `create table annotations (
      ${id},
      account_id bigint not null references accounts (id),
      kind text not null,
      text text not null,
      at_ms bigint not null,
      until_ms bigint,
      package_id bigint references packages (id),
      video_id bigint references videos (id),
      created_at_ms bigint not null,
      actor text not null,
      actor_name text not null
    )`,
    'create index annotations_by_account on annotations (account_id, at_ms)',
    `create table saved_views (
      ${id},
      account_id bigint not null references accounts (id),
      person_id bigint references people (id),
      name text not null,
      page text not null,
      query text not null,
      created_at_ms bigint not null,
      actor text not null,
      actor_name text not null
    )`,
    'create index saved_views_by_account on saved_views (account_id, id)',
    'create index saved_views_by_person on saved_views (person_id, id)',
  ];
  return {
    async up(database: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(database);
    },
  };
}
