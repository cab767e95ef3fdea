import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Database, Engine } from '../database.ts';
import { firstTables } from './001-first-tables.ts';
import { videoSearch } from './002-video-search.ts';
import { idempotentWrites } from './003-idempotent-writes.ts';
import { allowedOrigins } from './004-allowed-origins.ts';
import { searchByFolder } from './005-search-by-folder.ts';
import { libraryChanges } from './006-library-changes.ts';

/** In order; a migration that was released is never changed, only followed by another. */
function migrations(engine: Engine): Record<string, Migration> {
  return {
    '001-first-tables': firstTables(engine),
    '002-video-search': videoSearch(engine),
    '003-idempotent-writes': idempotentWrites(engine),
    '004-allowed-origins': allowedOrigins,
    '005-search-by-folder': searchByFolder(engine),
    '006-library-changes': libraryChanges,
  };
}

/**
 * Brings the tables up to date. Safe when two processes do it at once: each runs in one
 * transaction, which waits for the other's (SQLite: BEGIN IMMEDIATE; PostgreSQL: advisory lock),
 * and looks only then at what is left to do.
 */
export async function migrate({ kysely, engine }: Database): Promise<void> {
  const migrator = new Migrator({
    db: kysely as Kysely<unknown>,
    provider: { getMigrations: async () => migrations(engine) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
