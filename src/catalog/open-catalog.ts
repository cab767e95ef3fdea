import { sql } from 'kysely';
import type { Clock } from '../lib/time/clock.ts';
import { Fault } from '../vocabulary/faults.ts';
import { createAccounts } from './access/accounts.ts';
import { createKeys } from './access/keys.ts';
import { createSigningKeys } from './access/signing-keys.ts';
import { type CatalogUses, createCatalogUses } from './access/uses.ts';
import { createDeliveries } from './alerts/deliveries.ts';
import { createRules } from './alerts/rules.ts';
import { createLabels } from './audience/labels.ts';
import { createSalts } from './audience/salts.ts';
import { createAudit } from './audit/audit.ts';
import type { Catalog, CatalogParts } from './catalog.ts';
import { type CatalogLocation, type Database, openDatabase } from './database/database.ts';
import {
  isEmpty,
  migrate,
  pendingMigrations,
  requireMigrated,
} from './database/migrations/migrations.ts';
import { answerInTime, answersWithinMs } from './database/statement-deadline.ts';
import { createErasures } from './erasures/erasures.ts';
import { createAnnotations } from './library/annotations.ts';
import { createFolders } from './library/folders.ts';
import { createNames, createPackages } from './library/packages.ts';
import { createPublications } from './library/publications.ts';
import { createThumbnails } from './library/thumbnails.ts';
import { createVideos } from './library/videos.ts';
import { createLimitWindows } from './limits/limit-windows.ts';
import {
  type CatalogMark,
  createCatalogVerification,
  readMark,
} from './maintenance/catalog-verification.ts';
import { createInvitations } from './people/invitations.ts';
import { createMemberships } from './people/memberships.ts';
import { createPeople } from './people/persons.ts';
import { createSavedViews } from './people/saved-views.ts';
import { createSessions } from './people/sessions.ts';
import { createIdempotentWrites } from './responses/idempotent-writes.ts';
import { createSnapshots } from './responses/snapshots.ts';
import { createExports, createRuns } from './runs/scheduled-runs.ts';
import { createShares } from './shares/shares.ts';
import { createVerdicts } from './verdicts/verdicts.ts';

export type { CatalogLocation };

export interface CatalogOptions {
  readonly location: CatalogLocation;
  readonly clock: Clock;
  /** Thrown if there are no tables yet; otherwise they are made. */
  readonly ifEmpty?: Fault;
  /** Rejects with CONFLICT tables of an earlier release, instead of bringing them up to date. */
  readonly isLeftAsFound?: boolean;
}

/** Opens the catalog; its tables are those of this release. */
export async function openCatalog(options: CatalogOptions): Promise<Catalog> {
  const { location, clock, ifEmpty, isLeftAsFound = false } = options;
  const database = openDatabase(location, clock);
  const { kysely } = database;
  try {
    const isNew = (ifEmpty !== undefined || isLeftAsFound) && (await isEmpty(database));
    if (isNew && ifEmpty) throw ifEmpty;
    if (isLeftAsFound && !isNew) await requireMigrated(database);
    else await migrate(database);
  } catch (error) {
    await kysely.destroy();
    throw error;
  }
  database.boundStatements();
  return catalogOn(database, createCatalogUses(database));
}

/** Names of the migrations that `openCatalog` would apply; changes nothing. */
export async function pendingOfCatalog(location: CatalogLocation, clock: Clock): Promise<string[]> {
  const database = openDatabase(location, clock);
  return pendingMigrations(database).finally(() => database.kysely.destroy());
}

/** Of one in PostgreSQL. Rejects with NOT_FOUND if there are no tables; changes nothing. */
export async function markOfCatalog(databaseUrl: string, clock: Clock): Promise<CatalogMark> {
  const database = openDatabase({ databaseUrl }, clock);
  try {
    if (await isEmpty(database)) throw new Fault('NOT_FOUND', 'The database has no catalog');
    return await readMark(database.kysely);
  } finally {
    await database.kysely.destroy();
  }
}

function catalogOn(database: Database, uses: CatalogUses): Catalog {
  const { kysely, clock } = database;
  const partsOn = (within: Database) => createParts(within, uses);
  return {
    ...partsOn(database),
    upkeep: createCatalogVerification(database),
    idempotentWrites: createIdempotentWrites(database, partsOn),
    limitWindows: database.dialect === 'postgres' ? createLimitWindows(database) : undefined,
    as: (actor) => catalogOn({ ...database, actor }, uses),
    async ping() {
      await answerInTime(clock, answersWithinMs, sql`select 1`.execute(kysely));
    },
    async close() {
      await Promise.all([uses.keys.close(), uses.sessions.close()]);
      await kysely.destroy();
    },
  };
}

function createParts(database: Database, uses: CatalogUses): CatalogParts {
  return {
    accounts: createAccounts(database),
    keys: createKeys(database, uses.keys),
    sessions: createSessions(database, uses),
    people: createPeople(database),
    memberships: createMemberships(database),
    invitations: createInvitations(database),
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
    annotations: createAnnotations(database),
    savedViews: createSavedViews(database),
    rules: createRules(database),
    deliveries: createDeliveries(database),
    exports: createExports(database),
    backups: createRuns(database, 'backup'),
    verifications: createRuns(database, 'verify'),
  };
}
