import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CatalogLocation } from '../../src/catalog/database.ts';
import { type Postgres, startPostgres } from './postgres.ts';

/** One database for a contract suite: gives locations, each of an empty catalog. */
export interface CatalogStore {
  readonly name: string;
  start(): Promise<void>;
  newLocation(): Promise<CatalogLocation>;
  stop(): Promise<void>;
}

export function catalogStores(): CatalogStore[] {
  return [sqliteStore(), postgresStore()];
}

function sqliteStore(): CatalogStore {
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

function postgresStore(): CatalogStore {
  let postgres: Postgres;
  return {
    name: 'PostgreSQL',
    async start() {
      postgres = await startPostgres();
    },
    newLocation: async () => ({ databaseUrl: await postgres.createDatabase() }),
    stop: () => postgres.stop(),
  };
}
