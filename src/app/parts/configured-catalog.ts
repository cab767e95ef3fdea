/** The configured catalog: PostgreSQL, or a file in the data folder. */
import { join } from 'node:path';
import type { Catalog } from '../../catalog/catalog.ts';
import {
  type CatalogLocation,
  type CatalogOptions,
  openCatalog,
  pendingOfCatalog,
} from '../../catalog/open-catalog.ts';
import type { Config } from '../../config/config.ts';
import { isThere } from '../../lib/folders.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { isInUse, makeDataFolder } from '../data-folder.ts';

interface NamedCatalog {
  readonly DATA_DIR: string;
  readonly DATABASE_URL?: string | undefined;
}

interface Configured {
  readonly config: Config;
  readonly clock: Clock;
}

/** Creates it or brings it up to date: for the service, and for the verb that does nothing else. */
export async function makeCatalog({ config, clock }: Configured): Promise<Catalog> {
  if (!config.DATABASE_URL) await makeDataFolder(config.DATA_DIR);
  return openCatalog({ location: locateCatalog(config), clock });
}

/** For the verb that may run before any start. */
export async function openOrMakeCatalog({ config, clock }: Configured): Promise<Catalog> {
  if (!config.DATABASE_URL) await makeDataFolder(config.DATA_DIR);
  return openAsFound({ location: locateCatalog(config), clock }, config);
}

/** For verbs that have nothing to work on without one. */
export async function openExistingCatalog({ config, clock }: Configured): Promise<Catalog> {
  const location = locateCatalog(config);
  const place = config.DATABASE_URL
    ? 'the database (DATABASE_URL)'
    : `${config.DATA_DIR} (DATA_DIR)`;
  const ifEmpty = new Fault(
    'NOT_FOUND',
    `There is no data in ${place}: start the service, or create an account`,
  );
  // SQLite makes a file where it finds none.
  if ('sqliteFile' in location && !(await isThere(location.sqliteFile))) throw ifEmpty;
  return openAsFound({ location, clock, ifEmpty }, config);
}

/** A service may be running that knows no other tables. */
function openAsFound(options: CatalogOptions, config: Config): Promise<Catalog> {
  return openCatalog({ ...options, isLeftAsFound: true }).catch((error) =>
    sayWhatToDo(error, config),
  );
}

/** Names of the migrations that are still to be applied: all, if there is no catalog yet. */
export async function findUndoneInCatalog({ config, clock }: Configured): Promise<string[]> {
  const location = locateCatalog(config);
  if (!('sqliteFile' in location)) return pendingOfCatalog(location, clock);
  const { sqliteFile } = location;
  const found = (await isThere(sqliteFile))
    ? { sqliteFile, isOnlyRead: true }
    : { sqliteFile: ':memory:' };
  return pendingOfCatalog(found, clock);
}

export function locateCatalog(config: NamedCatalog): CatalogLocation {
  if (config.DATABASE_URL) return { databaseUrl: config.DATABASE_URL };
  return { sqliteFile: join(config.DATA_DIR, 'catalog.sqlite') };
}

/** Without user name and password. */
export function nameOfCatalog({ DATABASE_URL: url }: NamedCatalog): string {
  if (url === undefined) return 'SQLite, in the data folder';
  const { host, pathname, searchParams } = new URL(url);
  const database = decodeURIComponent(pathname.slice(1)) || 'that of the user';
  return `PostgreSQL on ${host || searchParams.get('host') || 'localhost'}, database ${database}`;
}

/**
 * Where the tables are those of an earlier release: only the service and `migrate` change them.
 * Says what to do about tables that were refused as they were found; any other error as it is.
 */
export async function sayWhatToDo(
  error: unknown,
  config: Pick<Config, 'DATA_DIR'>,
): Promise<never> {
  if (!(error instanceof Fault) || error.code !== 'CONFLICT') throw error;
  const { DATA_DIR: folder } = config;
  const todo = (await isInUse(folder))
    ? `That release runs on ${folder} (DATA_DIR): use its own verbs, or stop it and start this one`
    : 'Start the service of this release, or run `playmeter migrate`; ' +
      'if a node of that release still runs, stop it first';
  throw new Fault('CONFLICT', `${error.message}. ${todo}`);
}
