/** Migrations of the catalog: each is applied once, and other releases' catalogs are refused. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type CatalogLocation,
  type Database,
  openDatabase,
} from '../../src/catalog/database/database.ts';
import {
  listMigrations,
  type Migrations,
  migrate,
  pendingMigrations,
  requireMigrated,
} from '../../src/catalog/database/migrations/migrations.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { Fault } from '../../src/vocabulary/faults.ts';
import { catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';

/** Would fail if it ran again. */
const addColour: Migration = {
  up: ({ schema }) => schema.alterTable('accounts').addColumn('colour', 'text').execute(),
};

describeKinds(catalogStores(), 'the migrations of a catalog on $name', (store) => {
  let location: CatalogLocation;
  beforeAll(() => store.start());
  afterAll(() => store.stop());
  beforeEach(async () => {
    location = await store.newLocation();
  });

  /** With the migrations of this release, and those of the next. */
  async function withDatabase(use: (database: Database, next: Migrations) => Promise<void>) {
    const database = openDatabase(location, systemClock);
    const next = { ...listMigrations(database.dialect), '006-colour': addColour };
    await use(database, next).finally(() => database.kysely.destroy());
  }

  test('are all pending in an empty database, and none after they were applied', () =>
    withDatabase(async (database) => {
      expect(await pendingMigrations(database)).toEqual([
        '001-first-state',
        '002-paused-rules',
        '003-people',
        '004-annotations-and-views',
        '005-erased-names',
      ]);
      await migrate(database);
      expect(await pendingMigrations(database)).toEqual([]);
    }));

  test('a second one is applied once, and leaves rows as they are', () =>
    withDatabase(async (database, next) => {
      await migrate(database);
      await sql`insert into accounts (name, time_zone, created_at_ms)
        values ('Site', 'UTC', 0)`.execute(database.kysely);
      expect(await pendingMigrations(database, next)).toEqual(['006-colour']);
      await expect(requireMigrated(database, next)).rejects.toEqual(
        new Fault(
          'CONFLICT',
          'The catalog is that of an earlier release: migration 006-colour is not applied',
        ),
      );
      await migrate(database, next);
      await migrate(database, next);
      await requireMigrated(database, next);
      const { rows } = await sql`select name, colour from accounts`.execute(database.kysely);
      expect(rows).toEqual([{ name: 'Site', colour: null }]);
    }));

  test('what an earlier release erased stays erased', async () => {
    const receipt = randomUUID();
    await withDatabase(async (database) => {
      const { '005-erased-names': _, ...earlier } = listMigrations(database.dialect);
      await migrate(database, earlier);
      const { kysely } = database;
      await sql`insert into accounts (name, time_zone, created_at_ms)
        values ('Site', 'UTC', 0)`.execute(kysely);
      await sql`insert into erasures (receipt, account_id, kind, viewer, package_id, video_id,
          until_ms, state, views, facts, at_ms, actor, actor_name)
        values (${receipt}, 1, 'viewer', '7', 0, 0, 5, 'done', 0, 0, 0, '', '')`.execute(kysely);
      await sql`insert into erased_names values (1, '7', 5, ${receipt})`.execute(kysely);
    });
    const catalog = await openCatalog({ location, clock: systemClock });
    expect(await catalog.erasures.erasedUntil(1, ['7', '8'])).toEqual(new Map([['7', 5]]));
    await catalog.close();
  });

  test('a catalog that a later release used is refused, and stays as it is', async () => {
    await withDatabase((database, next) => migrate(database, next));
    await expect(openCatalog({ location, clock: systemClock })).rejects.toEqual(
      new Fault(
        'INTERNAL',
        'The catalog cannot be used: a later release used it and applied migration 006-colour: ' +
          'use that one',
      ),
    );
    await withDatabase(async (database, next) => {
      expect(await pendingMigrations(database, next)).toEqual([]);
    });
  });

  test('a catalog of before the first release is refused, and stays as it is', async () => {
    await withDatabase(async ({ kysely }) => {
      await sql`create table kysely_migration (name varchar(255), timestamp varchar(255))`.execute(
        kysely,
      );
      await sql`insert into kysely_migration values ('001-first-tables', '2026-11-24'),
        ('025-videos-of-all-folders', '2026-11-24')`.execute(kysely);
    });
    const refusal = new Fault(
      'INTERNAL',
      'The catalog cannot be used: a development version of Playmeter made it, before the first ' +
        'release, and no release reads its data. Begin with an empty folder (DATA_DIR) or ' +
        'database (DATABASE_URL), or use that version, to export the data for example',
    );
    for (const isLeftAsFound of [false, true]) {
      const opening = openCatalog({ location, clock: systemClock, isLeftAsFound });
      await expect(opening).rejects.toEqual(refusal);
    }
    await withDatabase(async (database) => {
      await expect(pendingMigrations(database)).rejects.toEqual(refusal);
      const tables = await database.kysely.introspection.getTables({
        withInternalKyselyTables: true,
      });
      expect(tables.map(({ name }) => name)).toEqual(['kysely_migration']);
    });
  });
});
