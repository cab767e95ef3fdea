import { type Kysely, sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, type Migration, Migrator } from 'kysely/migration';
import { Fault } from '../../../vocabulary/faults.ts';
import type { Dialect } from '../connection.ts';
import type { Database } from '../database.ts';
import { firstTables } from './001-013/001-first-tables.ts';
import { videoSearch } from './001-013/002-video-search.ts';
import { idempotentWrites } from './001-013/003-idempotent-writes.ts';
import { allowedOrigins } from './001-013/004-allowed-origins.ts';
import { searchByFolder } from './001-013/005-search-by-folder.ts';
import { libraryChanges } from './001-013/006-library-changes.ts';
import { paths } from './001-013/007-paths.ts';
import { audit } from './001-013/008-audit.ts';
import { snapshotBytes } from './001-013/009-snapshot-bytes.ts';
import { verdicts } from './001-013/010-verdicts.ts';
import { keyUses } from './001-013/011-key-uses.ts';
import { unsealedSessions } from './001-013/012-unsealed-sessions.ts';
import { signedViews } from './001-013/013-signed-views.ts';
import { boundedAudit } from './014-025/014-bounded-audit.ts';
import { idempotentWritesByAccount } from './014-025/015-idempotent-writes-by-account.ts';
import { sessions } from './014-025/016-sessions.ts';
import { viewers } from './014-025/017-viewers.ts';
import { labels } from './014-025/018-labels.ts';
import { erasures } from './014-025/019-erasures.ts';
import { shares } from './014-025/020-shares.ts';
import { sharesByEnd } from './014-025/021-shares-by-end.ts';
import { rules } from './014-025/022-rules.ts';
import { exports } from './014-025/023-exports.ts';
import { limitWindows } from './014-025/024-limit-windows.ts';
import { videosOfAllFolders } from './014-025/025-videos-of-all-folders.ts';

/** In order; a migration that was released is never changed, only followed by another. */
function migrations(dialect: Dialect): Record<string, Migration> {
  return {
    '001-first-tables': firstTables(dialect),
    '002-video-search': videoSearch(dialect),
    '003-idempotent-writes': idempotentWrites(dialect),
    '004-allowed-origins': allowedOrigins,
    '005-search-by-folder': searchByFolder(dialect),
    '006-library-changes': libraryChanges,
    '007-paths': paths,
    '008-audit': audit(dialect),
    '009-snapshot-bytes': snapshotBytes,
    '010-verdicts': verdicts,
    '011-key-uses': keyUses,
    '012-unsealed-sessions': unsealedSessions,
    '013-signed-views': signedViews(dialect),
    '014-bounded-audit': boundedAudit(dialect),
    '015-idempotent-writes-by-account': idempotentWritesByAccount,
    '016-sessions': sessions(dialect),
    '017-viewers': viewers(dialect),
    '018-labels': labels(dialect),
    '019-erasures': erasures,
    '020-shares': shares(dialect),
    '021-shares-by-end': sharesByEnd,
    '022-rules': rules(dialect),
    '023-exports': exports,
    '024-limit-windows': limitWindows(dialect),
    '025-videos-of-all-folders': videosOfAllFolders,
  };
}

/**
 * Brings the tables up to date. Safe when two processes do it at once: each runs in one
 * transaction, which waits for the other's (SQLite: BEGIN IMMEDIATE; PostgreSQL: advisory lock),
 * and looks only then at what is left to do. Rejects with INTERNAL a catalog of a later release.
 */
export async function migrate(database: Database): Promise<void> {
  await refuseLater(database);
  const { error } = await migratorOf(database).migrateToLatest();
  if (error) throw error;
}

async function refuseLater({ kysely, dialect }: Database): Promise<void> {
  const tables = await kysely.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === DEFAULT_MIGRATION_TABLE)) return;
  const { rows } = await sql<{ name: string }>`
    select name from ${sql.table(DEFAULT_MIGRATION_TABLE)} order by name`.execute(kysely);
  const known = migrations(dialect);
  const later = rows.find(({ name }) => !(name in known));
  if (later === undefined) return;
  throw new Fault(
    'INTERNAL',
    'The catalog cannot be used: a later release used it and applied migration ' +
      `${later.name}: use that one`,
  );
}

/** Names of what `migrate` would apply. Makes nothing; rejects as `migrate` does. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  await refuseLater(database);
  const all = await migratorOf(database).getMigrations();
  return all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}

/** Rejects with CONFLICT a catalog of an earlier release, and as `migrate` does. Makes nothing. */
export async function requireMigrated(database: Database): Promise<void> {
  const [first] = await pendingMigrations(database);
  if (first === undefined) return;
  throw new Fault(
    'CONFLICT',
    `The catalog is that of an earlier release: migration ${first} is not applied`,
  );
}

/** Whether there are no tables yet. Makes nothing. */
export async function isEmpty(database: Database): Promise<boolean> {
  const all = await migratorOf(database).getMigrations();
  return all.every(({ executedAt }) => executedAt === undefined);
}

function migratorOf({ kysely, dialect }: Database): Migrator {
  return new Migrator({
    db: kysely as Kysely<unknown>,
    provider: { getMigrations: async () => migrations(dialect) },
  });
}
