import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const statements = [
  `create table new_erased_names (
    account_id bigint not null references accounts (id),
    name text not null,
    until_ms bigint not null,
    receipt text not null references erasures (receipt),
    constraint erased_names_primary_key primary key (account_id, name, receipt)
  )`,
  `insert into new_erased_names (account_id, name, until_ms, receipt)
    select account_id, name, until_ms, receipt from erased_names`,
  'drop table erased_names',
  'alter table new_erased_names rename to erased_names',
  'create index erased_names_by_receipt on erased_names (receipt, name)',
];

/** A name that is erased again stays that of the first receipt too, which may be under way. */
export const erasedNames: Migration = {
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
