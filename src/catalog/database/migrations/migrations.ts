import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { Fault } from '../../../vocabulary/faults.ts';
import type { Dialect } from '../connection.ts';
import type { Database } from '../database.ts';
import { firstState } from './001-first-state.ts';
import { pausedRules } from './002-paused-rules.ts';
import { people } from './003-people.ts';
import { annotationsAndViews } from './004-annotations-and-views.ts';
import { erasedNames } from './005-erased-names.ts';

/** By name, in order. */
export type Migrations = Readonly<Record<string, Migration>>;

/** A migration that was released is never changed, only followed by another. */
export function listMigrations(dialect: Dialect): Migrations {
  return {
    '001-first-state': firstState(dialect),
    '002-paused-rules': pausedRules,
    '003-people': people(dialect),
    '004-annotations-and-views': annotationsAndViews(dialect),
    '005-erased-names': erasedNames,
  };
}

/** What the versions before the first release called their first migration. */
const unreleased = '001-first-tables';

/**
 * Brings the tables up to date. Safe when two processes do it at once: each runs in one
 * transaction, which waits for the other's (SQLite: BEGIN IMMEDIATE; PostgreSQL: advisory lock),
 * and looks only then at what is left to do. Rejects with INTERNAL a catalog that this release
 * cannot read: a later one's, or one from before the first release.
 */
export async function migrate(
  database: Database,
  migrations = listMigrations(database.dialect),
): Promise<void> {
  await refuseUnknown(database, migrations);
  const { error } = await createMigrator(database, migrations).migrateToLatest();
  if (error) throw error;
}

async function refuseUnknown({ kysely }: Database, migrations: Migrations): Promise<void> {
  const tables = await kysely.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return;
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(kysely);
  if (rows.some(({ name }) => name === unreleased)) {
    throw new Fault(
      'INTERNAL',
      'The catalog cannot be used: a development version of Playmeter made it, before the first ' +
        'release, and no release reads its data. Begin with an empty folder (DATA_DIR) or ' +
        'database (DATABASE_URL), or use that version, to export the data for example',
    );
  }
  const later = rows.find(({ name }) => !(name in migrations));
  if (later === undefined) return;
  throw new Fault(
    'INTERNAL',
    'The catalog cannot be used: a later release used it and applied migration ' +
      `${later.name}: use that one`,
  );
}

/** Names of what `migrate` would apply. Makes nothing; rejects as `migrate` does. */
export async function pendingMigrations(
  database: Database,
  migrations = listMigrations(database.dialect),
): Promise<string[]> {
  await refuseUnknown(database, migrations);
  const all = await createMigrator(database, migrations).getMigrations();
  return all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}

/** Rejects with CONFLICT a catalog of an earlier release, and as `migrate` does. Makes nothing. */
export async function requireMigrated(
  database: Database,
  migrations = listMigrations(database.dialect),
): Promise<void> {
  const [first] = await pendingMigrations(database, migrations);
  if (first === undefined) return;
  throw new Fault(
    'CONFLICT',
    `The catalog is that of an earlier release: migration ${first} is not applied`,
  );
}

/** Whether there are no tables yet. Makes nothing; rejects as `migrate` does. */
export async function isEmpty(database: Database): Promise<boolean> {
  const migrations = listMigrations(database.dialect);
  const pending = await pendingMigrations(database, migrations);
  return pending.length === Object.keys(migrations).length;
}

function createMigrator({ kysely }: Database, migrations: Migrations): Migrator {
  return new Migrator({
    db: kysely as Kysely<unknown>,
    provider: { getMigrations: async () => ({ ...migrations }) },
  });
}
