import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Catalog } from '../../src/catalog/catalog.ts';
import type { CatalogLocation } from '../../src/catalog/database/database.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import type { Clock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Kind } from './each-kind.ts';
import { manualClock } from './manual-clock.ts';
import { createDatabase } from './shared-parts.ts';

/** One database for a contract suite: gives locations, each of an empty catalog. */
interface DatabaseServer extends Kind {
  start(): Promise<void>;
  newLocation(): Promise<CatalogLocation>;
  stop(): Promise<void>;
}

interface Opened {
  readonly location: CatalogLocation;
  readonly catalog: Catalog;
}

interface OpenedTwice extends Opened {
  readonly other: Catalog;
  /**
   * What may be asked at once. Two connections to one SQLite file would wait for each other in this
   * one thread, so there it is the same one twice.
   */
  readonly nodes: readonly [Catalog, Catalog];
}

export interface CatalogStore extends DatabaseServer {
  /** Starts, and opens an empty catalog. */
  startWithCatalog(clock?: Clock): Promise<Opened>;
  /** Starts, and opens an empty catalog as two processes would. */
  startWithTwo(clock?: Clock): Promise<OpenedTwice>;
  /** As a process of its own would; closed when the store stops. */
  open(location: CatalogLocation, clock?: Clock): Promise<Catalog>;
}

/** An account with a folder and a package, both empty. */
export interface Library {
  readonly accountId: number;
  readonly folderId: number;
  readonly packageId: number;
}

/** An account with nothing in it; its id. */
export async function addAccount({ accounts }: Catalog): Promise<number> {
  return accepted(await accounts.create({ name: 'Studio', timeZone: 'UTC' })).accountId;
}

export async function addLibrary(catalog: Catalog): Promise<Library> {
  const { folders, packages } = catalog;
  const accountId = await addAccount(catalog);
  const { folderId } = accepted(await folders.create(accountId, { folderName: 'Films' }));
  const { packageId } = accepted(await packages.create(accountId, { packageName: 'Web' }));
  return { accountId, folderId, packageId };
}

/** What one shows of PostgreSQL others repeat: by default only `npm run test:all` asks it. */
export function catalogStores(postgres: 'always' | 'long' = 'long'): CatalogStore[] {
  const tags: 'long'[] = postgres === 'long' ? ['long'] : [];
  return [storeOn(sqliteServer()), { ...storeOn(postgresServer()), tags }];
}

function storeOn(server: DatabaseServer): CatalogStore {
  const opened: Catalog[] = [];
  const open = async (location: CatalogLocation, clock: Clock = manualClock()) => {
    const catalog = await openCatalog({ location, clock });
    opened.push(catalog);
    return catalog;
  };
  const startWithCatalog: CatalogStore['startWithCatalog'] = async (clock) => {
    await server.start();
    const location = await server.newLocation();
    return { location, catalog: await open(location, clock) };
  };
  return {
    ...server,
    startWithCatalog,
    async startWithTwo(clock) {
      const first = await startWithCatalog(clock);
      const other = await open(first.location, clock);
      const { location, catalog } = first;
      return { ...first, other, nodes: [catalog, 'databaseUrl' in location ? other : catalog] };
    },
    open,
    async stop() {
      await Promise.all(opened.map((catalog) => catalog.close()));
      await server.stop();
    },
  };
}

function sqliteServer(): DatabaseServer {
  let folder = '';
  let made = 0;
  return {
    name: 'SQLite',
    async start() {
      folder = await mkdtemp(join(tmpdir(), 'playmeter-sqlite-'));
    },
    async newLocation() {
      made += 1;
      return { sqliteFile: join(folder, `catalog${made}.db`) };
    },
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}

function postgresServer(): DatabaseServer {
  return {
    name: 'PostgreSQL',
    start: async () => {},
    newLocation: async () => ({ databaseUrl: await createDatabase() }),
    stop: async () => {},
  };
}
