import { sql } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import type { Fault } from '../wire/faults.ts';
import { createAccounts } from './access/accounts.ts';
import { createKeyUses, type KeyUses } from './access/key-uses.ts';
import { createKeys } from './access/keys.ts';
import { createSessions } from './access/sessions.ts';
import { createSigningKeys } from './access/signing-keys.ts';
import { createIdempotentWrites } from './answers/idempotent-writes.ts';
import { createSnapshots } from './answers/snapshots.ts';
import { createLabels } from './audience/labels.ts';
import { createSalts } from './audience/salts.ts';
import { createAudit } from './audit/audit.ts';
import type { Catalog, CatalogParts } from './catalog.ts';
import { type CatalogLocation, type Database, openDatabase } from './database/database.ts';
import { isEmpty, migrate } from './database/migrations/migrations.ts';
import { createErasures } from './erasures/erasures.ts';
import { createFolders } from './library/folders.ts';
import { createNames } from './library/names.ts';
import { createPackages } from './library/packages.ts';
import { createPublications } from './library/publications.ts';
import { createThumbnails } from './library/thumbnails.ts';
import { createVideos } from './library/videos.ts';
import { createDeliveries } from './notifying/deliveries.ts';
import { createRules } from './notifying/rules.ts';
import { createShares } from './sharing/shares.ts';
import { createCatalogUpkeep } from './upkeep/catalog-upkeep.ts';
import { createVerdicts } from './verdicts/verdicts.ts';

export type { CatalogLocation };

interface CatalogOptions {
  readonly location: CatalogLocation;
  readonly clock: Clock;
  /** Thrown if there are no tables yet; otherwise they are made. */
  readonly ifEmpty?: Fault;
}

/** Opens the catalog, bringing its tables up to date first. */
export async function openCatalog(options: CatalogOptions): Promise<Catalog> {
  const { location, clock, ifEmpty } = options;
  const database = openDatabase(location, clock);
  const { kysely } = database;
  try {
    if (ifEmpty && (await isEmpty(database))) throw ifEmpty;
    await migrate(database);
  } catch (error) {
    await kysely.destroy();
    throw error;
  }
  return catalogOn(database, createKeyUses(database));
}

function catalogOn(database: Database, keyUses: KeyUses): Catalog {
  const { kysely } = database;
  const partsOn = (within: Database) => partsOf(within, keyUses);
  return {
    ...partsOn(database),
    upkeep: createCatalogUpkeep(database),
    idempotentWrites: createIdempotentWrites(database, partsOn),
    as: (actor) => catalogOn({ ...database, actor }, keyUses),
    async ping() {
      await sql`select 1`.execute(kysely);
    },
    async close() {
      await keyUses.close();
      await kysely.destroy();
    },
  };
}

function partsOf(database: Database, keyUses: KeyUses): CatalogParts {
  return {
    accounts: createAccounts(database),
    keys: createKeys(database, keyUses),
    sessions: createSessions(database, keyUses),
    folders: createFolders(database),
    videos: createVideos(database),
    thumbnails: createThumbnails(database),
    packages: createPackages(database),
    publications: createPublications(database),
    names: createNames(database),
    signingKeys: createSigningKeys(database),
    snapshots: createSnapshots(database),
    audit: createAudit(database),
    verdicts: createVerdicts(database),
    salts: createSalts(database),
    labels: createLabels(database),
    erasures: createErasures(database),
    shares: createShares(database),
    rules: createRules(database),
    deliveries: createDeliveries(database),
  };
}
