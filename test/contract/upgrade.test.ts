/** A catalog of an earlier release, as it is found by this one. */
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/catalog/database.ts';
import { firstTables } from '../../src/catalog/migrations/001-first-tables.ts';
import { videoSearch } from '../../src/catalog/migrations/002-video-search.ts';
import { idempotentWrites } from '../../src/catalog/migrations/003-idempotent-writes.ts';
import { allowedOrigins } from '../../src/catalog/migrations/004-allowed-origins.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { manualClock } from '../support/manual-clock.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';

const query = {
  searchItem: 'title',
  sortItem: 'title',
  sortDirection: 'asc',
  page: 1,
  pageSize: 30,
} as const;

describe('the search index of before folders had partitions, on PostgreSQL', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(() => postgres?.stop());

  test('what it held is found, in folders and packages, and goes on being changed', async () => {
    const databaseUrl = await postgres.createDatabase();
    await fillFormer(databaseUrl);

    const catalog = await openCatalog({ location: { databaseUrl }, clock: manualClock() });
    const { listFolder, listPackage, change } = catalog.videos;
    const titlesOf = async (list: ReturnType<typeof listFolder | typeof listPackage>) => {
      const { videos, totalCount } = await list;
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

/** Two videos in a folder, the second of them in a package, with the tables as they were. */
async function fillFormer(databaseUrl: string): Promise<void> {
  const database = openDatabase({ databaseUrl });
  const { kysely } = database;
  const former = {
    '001-first-tables': firstTables('postgres'),
    '002-video-search': videoSearch('postgres'),
    '003-idempotent-writes': idempotentWrites('postgres'),
    '004-allowed-origins': allowedOrigins,
  };
  const provider = { getMigrations: async () => former };
  const { error } = await new Migrator({ db: kysely, provider }).migrateToLatest();
  if (error) throw error;
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
