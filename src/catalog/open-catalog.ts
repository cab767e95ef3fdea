import { sql } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import { createAccounts } from './accounts.ts';
import type { Catalog, CatalogParts } from './catalog.ts';
import { watchChanges } from './change-watch.ts';
import { type CatalogLocation, openDatabase } from './database.ts';
import { createFolders } from './folders.ts';
import { createIdempotentWrites } from './idempotent-writes.ts';
import { createKeys } from './keys.ts';
import { migrate } from './migrations/migrations.ts';
import { createPackages } from './packages.ts';
import { postgresSearchIndex } from './postgres-search-index.ts';
import { createPublications } from './publications.ts';
import { createSnapshots } from './snapshots.ts';
import { sqliteSearchIndex } from './sqlite-search-index.ts';
import type { Store } from './store.ts';
import { createThumbnails } from './thumbnails.ts';
import { createVideos } from './videos.ts';

interface CatalogOptions {
  readonly location: CatalogLocation;
  readonly clock: Clock;
}

/** Opens the catalog, bringing its tables up to date first. */
export async function openCatalog({ location, clock }: CatalogOptions): Promise<Catalog> {
  const database = openDatabase(location);
  const { kysely, engine } = database;
  try {
    await migrate(database);
  } catch (error) {
    await kysely.destroy();
    throw error;
  }
  const search = engine === 'sqlite' ? sqliteSearchIndex : postgresSearchIndex;
  const store = { kysely, engine, search, clock, watch: watchChanges(kysely, clock) };
  return {
    ...partsOn(store),
    idempotentWrites: createIdempotentWrites(store, partsOn),
    async ping() {
      await sql`select 1`.execute(kysely);
    },
    close: () => kysely.destroy(),
  };
}

function partsOn(store: Store): CatalogParts {
  return {
    accounts: createAccounts(store),
    keys: createKeys(store),
    folders: createFolders(store),
    videos: createVideos(store),
    thumbnails: createThumbnails(store),
    packages: createPackages(store),
    publications: createPublications(store),
    snapshots: createSnapshots(store),
  };
}
