/** The configured catalog: PostgreSQL, or a file in the data folder. */
import { join } from 'node:path';
import type { Catalog } from './catalog/catalog.ts';
import { type CatalogLocation, openCatalog } from './catalog/open-catalog.ts';
import type { Config } from './config.ts';
import { isThere, makeDataFolder } from './data-folder.ts';
import type { Clock } from './lib/clock.ts';
import { Fault } from './wire/faults.ts';

interface Configured {
  readonly config: Config;
  readonly clock: Clock;
}

/** Creates it if there is none: for the service, and for the verb that may run before any start. */
export async function makeCatalog({ config, clock }: Configured): Promise<Catalog> {
  if (!config.DATABASE_URL) await makeDataFolder(config.DATA_DIR);
  return openCatalog({ location: locationOf(config), clock });
}

/** For verbs that have nothing to work on without one. */
export async function openExistingCatalog({ config, clock }: Configured): Promise<Catalog> {
  const location = locationOf(config);
  const place = config.DATABASE_URL
    ? 'the database (DATABASE_URL)'
    : `${config.DATA_DIR} (DATA_DIR)`;
  const ifEmpty = new Fault(
    'NOT_FOUND',
    `There is no data in ${place}: start the service, or create an account`,
  );
  // SQLite makes a file where it finds none.
  if ('sqliteFile' in location && !(await isThere(location.sqliteFile))) throw ifEmpty;
  return openCatalog({ location, clock, ifEmpty });
}

function locationOf(config: Config): CatalogLocation {
  if (config.DATABASE_URL) return { databaseUrl: config.DATABASE_URL };
  return { sqliteFile: join(config.DATA_DIR, 'catalog.sqlite') };
}
