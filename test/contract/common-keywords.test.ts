/** Keywords so common that titles are gone through instead of the search index. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { openDatabase } from '../../src/catalog/database.ts';
import type { VideoQuery } from '../../src/catalog/library.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { normalizeText, titleOrderOf } from '../../src/catalog/search-text.ts';
import { catalogStores } from '../support/catalogs.ts';
import { manualClock } from '../support/manual-clock.ts';

const pageSize = 500;
const videoCount = 2_400;
const filler = 'x'.repeat(250);

/** Half of them say it early, every sixth late in a long title. */
const titles = Array.from({ length: videoCount }, (_, index) => {
  if (index === 1) return 'A%_\\ film';
  if (index % 2 === 0) return `${(index * 7) % 50} [*?] Film`;
  return `${filler} ${index % 6 === 1 ? 'film' : ''}.`;
});

describe.each(catalogStores())('common keywords on $name', (store) => {
  let catalog: Catalog;
  let place: { accountId: number; folderId: number; packageId: number };
  const videos = titles.map((title, index) => ({
    accessKey: `common-${index}`,
    title,
    duration: (index * 13) % 90,
  }));

  beforeAll(async () => {
    await store.start();
    const location = await store.newLocation();
    catalog = await openCatalog({ location, clock: manualClock() });
    const { accountId } = await catalog.accounts.create({ name: 'Studio', timeZone: 'UTC' });
    const { folderId } = await catalog.folders.create(accountId, { folderName: 'Films' });
    const { packageId } = await catalog.packages.create(accountId, { packageName: 'Web' });
    place = { accountId, folderId, packageId };
    for (let start = 0; start < videoCount; start += 1_000) {
      const batch = videos.slice(start, start + 1_000).map((one) => ({ folderId, ...one }));
      await catalog.videos.putMany(accountId, batch);
    }
    for (let start = 0; start < videoCount; start += 100) {
      const publish = ({ accessKey }: { accessKey: string }) =>
        catalog.publications.publish({ accountId, packageId, accessKey });
      await Promise.all(videos.slice(start, start + 100).map(publish));
    }
    // PostgreSQL does so by itself, a while after much was written.
    const { kysely } = openDatabase(location);
    await sql`analyze`.execute(kysely);
    await kysely.destroy();
  }, 120_000);

  afterAll(async () => {
    await catalog?.close();
    await store.stop();
  });

  const sortItems = ['id', 'title', 'duration'] as const;
  const cases = ['FILM', '[*?] Film', '%_\\ film', 'x'].flatMap((keyword) =>
    sortItems.map((sortItem) => ({ keyword, sortItem })),
  );

  test.each(cases)(
    '$keyword by $sortItem: every page, in order, with a true total',
    async (one) => {
      const { accountId, folderId, packageId } = place;
      const { listFolder, listPackage } = catalog.videos;
      const expected = expectedKeys(videos, one);
      const listed: Record<string, string[]> = { folder: [], package: [] };
      for (let page = 1; page <= Math.ceil(expected.length / pageSize); page += 1) {
        const query = {
          ...one,
          searchItem: 'title',
          sortDirection: 'asc',
          page,
          pageSize,
        } as const;
        const found = {
          folder: await listFolder(accountId, folderId, query),
          package: await listPackage(accountId, packageId, query),
        };
        for (const [list, { videos, totalCount }] of Object.entries(found)) {
          expect(totalCount).toBe(expected.length);
          listed[list]?.push(...videos.map(({ accessKey }) => accessKey));
        }
      }
      expect(listed).toEqual({ folder: expected, package: expected });
    },
  );
});

interface Kept {
  readonly accessKey: string;
  readonly title: string;
  readonly duration: number;
}

function expectedKeys(videos: readonly Kept[], one: Pick<VideoQuery, 'keyword' | 'sortItem'>) {
  const keyword = normalizeText(one.keyword);
  const order = ({ title, duration }: Kept) => {
    if (one.sortItem === 'title') return titleOrderOf(title);
    return one.sortItem === 'duration' ? duration : 0;
  };
  return videos
    .filter(({ title }) => normalizeText(title).includes(keyword))
    .toSorted((a, b) => Number(order(a) > order(b)) - Number(order(a) < order(b)))
    .map(({ accessKey }) => accessKey);
}
