/** A catalog of an earlier release, as it is found by this one. */
import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Video, VideoPage } from '../../src/catalog/catalog.ts';
import { type Database, openDatabase } from '../../src/catalog/database/database.ts';
import { firstTables } from '../../src/catalog/database/migrations/001-013/001-first-tables.ts';
import { videoSearch } from '../../src/catalog/database/migrations/001-013/002-video-search.ts';
import { idempotentWrites } from '../../src/catalog/database/migrations/001-013/003-idempotent-writes.ts';
import { allowedOrigins } from '../../src/catalog/database/migrations/001-013/004-allowed-origins.ts';
import { searchByFolder } from '../../src/catalog/database/migrations/001-013/005-search-by-folder.ts';
import { libraryChanges } from '../../src/catalog/database/migrations/001-013/006-library-changes.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';

const query = {
  searchItem: 'title',
  sortItem: 'title',
  sortDirection: 'asc',
  page: 1,
  pageSize: 30,
} as const;

describe('the search index of before folders had partitions, on PostgreSQL', {
  tags: 'long',
}, () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  test('what it held is found, in folders and packages, and goes on being changed', async () => {
    const databaseUrl = await postgres.createDatabase();
    await fillFormer(databaseUrl);

    const catalog = await openCatalog({ location: { databaseUrl }, clock: manualClock() });
    const { listFolder, listPackage, change } = catalog.videos;
    const titlesOf = async (list: ReturnType<typeof listFolder | typeof listPackage>) => {
      const { videos, totalCount } = accepted<VideoPage<Video>>(await list);
      expect(totalCount).toBe(videos.length);
      return videos.map(({ title }) => title);
    };
    const inFolder = (keyword: string) => titlesOf(listFolder(1, 1, { ...query, keyword }));
    const inPackage = (keyword: string) => titlesOf(listPackage(1, 1, { ...query, keyword }));
    expect(await inFolder('il')).toEqual(['Film one', 'Film two']);
    expect(await inFolder('film t')).toEqual(['Film two']);
    expect(await inPackage('FILM')).toEqual(['Film two']);

    await change(1, 'two', { title: 'Another' });
    expect(await inFolder('film')).toEqual(['Film one']);
    expect(await inPackage('other')).toEqual(['Another']);
    await catalog.close();
  });
});

describeKinds(
  catalogStores(),
  'answers stored with the address that was asked, on $name',
  (store) => {
    beforeAll(() => store.start());
    afterAll(() => store.stop());

    test('are found by their path', async () => {
      const clock = manualClock();
      const location = await store.newLocation();
      const database = openDatabase(location, clock);
      const { dialect, kysely } = database;
      await migrateTo(database, {
        '001-first-tables': firstTables(dialect),
        '002-video-search': videoSearch(dialect),
        '003-idempotent-writes': idempotentWrites(dialect),
        '004-allowed-origins': allowedOrigins,
        '005-search-by-folder': searchByFolder(dialect),
        '006-library-changes': libraryChanges,
      });
      const answer = new TextEncoder().encode('answer');
      const atMs = clock.now();
      await sql`insert into accounts (name, time_zone, created_at_ms)
      values ('Site', 'UTC', 0)`.execute(kysely);
      await sql`insert into api_keys (account_id, prefix, secret_hash, scopes, created_at_ms)
      values (1, 'pm', 'hash', 'manage', 0)`.execute(kysely);
      await sql`insert into snapshots (request_id, account_id, address, row_count, body, as_of_ms,
        complete_through_ms, expires_at_ms)
      values ('request', 1, '/report', 2, ${answer}, ${atMs}, ${atMs}, ${atMs + 1})`.execute(
        kysely,
      );
      await sql`insert into idempotent_writes (key_id, address, idempotency_key, fingerprint, answer,
        created_at_ms)
      values (1, '/folders', 'once', 'print', ${answer}, ${atMs})`.execute(kysely);
      await kysely.destroy();

      const { snapshots, idempotentWrites: writes } = await store.open(location, clock);
      const found = await snapshots.find('request');
      expect(found).toMatchObject({ accountId: 1, path: '/report', rowCount: 2 });
      expect(Buffer.from(found?.body ?? '').toString()).toBe('answer');
      const name = { keyId: 1, path: '/folders', idempotencyKey: 'once' };
      const stored = await writes.once(name, 'print', () => Promise.reject(new Error('ran again')));
      expect(Buffer.from(stored.answer).toString()).toBe('answer');
    });
  },
);

async function migrateTo(database: Database, former: Record<string, Migration>): Promise<void> {
  const provider = { getMigrations: async () => former };
  const { error } = await new Migrator({ db: database.kysely, provider }).migrateToLatest();
  if (error) throw error;
}

/** Two videos in a folder, the second of them in a package, with the tables as they were. */
async function fillFormer(databaseUrl: string): Promise<void> {
  const database = openDatabase({ databaseUrl }, systemClock);
  const { kysely } = database;
  await migrateTo(database, {
    '001-first-tables': firstTables('postgres'),
    '002-video-search': videoSearch('postgres'),
    '003-idempotent-writes': idempotentWrites('postgres'),
    '004-allowed-origins': allowedOrigins,
  });
  await kysely
    .insertInto('accounts')
    .values({ name: 'Site', timeZone: 'UTC', createdAtMs: 0 })
    .execute();
  await kysely
    .insertInto('folders')
    .values({ accountId: 1, name: 'Films', createdAtMs: 0, deletedAtMs: null })
    .execute();
  for (const [accessKey, scope] of [
    ['one', ['folder1']],
    ['two', ['folder1', 'package1']],
  ] as const) {
    const title = `Film ${accessKey}`;
    await sql`
      insert into videos (account_id, folder_id, access_key, title, title_order, tag, duration_ms,
        created_at_ms, file_size_bytes, height, width, frame_rate, rate, encoding_success)
      values (1, 1, ${accessKey}, ${title}, ${title.toLowerCase()}, '', 1000, 0, 1, 1, 1, 25, '0', 'Y')
    `.execute(kysely);
    await sql`
      insert into video_search values (
        (select max(id) from videos), ${scope}::text[], ${title.toLowerCase()}, '', '', '', '', '', '',
        ${title.toLowerCase()}, 1000, 1)
    `.execute(kysely);
  }
  await sql`insert into packages (account_id, name, type, created_at_ms)
    values (1, 'Web', 'VOD', 0)`.execute(kysely);
  await sql`insert into publications (account_id, package_id, video_id, video_key, service_able,
      title_order, duration_ms, file_size_bytes, created_at_ms)
    values (1, 1, 2, 'key', 'Y', 'film two', 1000, 1, 0)`.execute(kysely);
  await kysely.destroy();
}
