import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A rule that is paused is kept and not judged. */
export const pausedRules: Migration = {
  async up(db) {
    await sql`alter table rules add column is_paused integer not null default 0`.execute(db);
  },
};
