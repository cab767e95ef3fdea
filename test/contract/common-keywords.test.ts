/** Keywords so common that the titles of a list are gone through, or its order is walked. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalog, videoBatchLimit } from '../../src/catalog/catalog.ts';
import { type CatalogLocation, openDatabase } from '../../src/catalog/database/database.ts';
import type { Video, VideoQuery } from '../../src/catalog/library.ts';
import { createTitleOrder } from '../../src/catalog/search/search-text.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { normalizeText } from '../../src/lib/values/text-normalization.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addLibrary, catalogStores, type Library } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';

const pageSize = 500;
const smallPageSize = 30;
const videoCount = 2_400;
const filler = 'x'.repeat(250);

/** Half of them say it early, every sixth late in a long title. */
const titles = Array.from({ length: videoCount }, (_, index) => {
  if (index === 1) return 'A%_\\ film';
  if (index % 2 === 0) return `${(index * 7) % 50} [*?] Film`;
  return `${filler} ${index % 6 === 1 ? 'film' : ''}.`;
});

/** Most say it; those of the longest and of the shortest videos do not, where the order begins. */
const contents = titles.map((_, index) => {
  const duration = (index * 13) % 90;
  return duration % 88 < 2 ? 'Nothing' : `Part ${index}: A Tale of "100%"`;
});

describeKinds(catalogStores(), 'common keywords on $name', (store) => {
  let location: CatalogLocation;
  let catalog: Catalog;
  let library: Library;
  const videos = titles.map((title, index) => ({
    accessKey: `common-${index}`,
    title,
    content: contents[index] ?? '',
    durationMs: (index * 13) % 90,
  }));

  beforeAll(async () => {
    ({ location, catalog } = await store.startWithCatalog());
    library = await addLibrary(catalog);
    const { accountId, folderId, packageId } = library;
    for (let start = 0; start < videoCount; start += videoBatchLimit) {
      const batch = videos.slice(start, start + videoBatchLimit);
      const stored = batch.map((one) => ({ folderId, ...one }));
      await catalog.videos.putMany(accountId, stored);
      const accessKeys = batch.map(({ accessKey }) => accessKey);
      await catalog.publications.publishMany(accountId, packageId, accessKeys);
    }
    // PostgreSQL does so by itself, a while after much was written.
    const { kysely } = openDatabase(location, systemClock);
    await sql`analyze`.execute(kysely);
    await kysely.destroy();
  });

  async function listBoth(query: VideoQuery) {
    const { accountId, folderId, packageId } = library;
    const found = {
      folder: accepted(await catalog.videos.listFolder(accountId, folderId, query)),
      package: accepted(await catalog.videos.listPackage(accountId, packageId, query)),
    };
    const keysOf = ({ videos, totalCount }: { videos: readonly Video[]; totalCount: number }) => ({
      keys: videos.map(({ accessKey }) => accessKey),
      totalCount,
    });
    return { folder: keysOf(found.folder), package: keysOf(found.package) };
  }

  afterAll(() => store.stop());

  const searches = [
    ...['FILM', '[*?] Film', '%_\\ film', 'x'].map((keyword) => ({
      searchItem: 'title' as const,
      keyword,
    })),
    ...['a tale of "100%"', 'T'].map((keyword) => ({ searchItem: 'content' as const, keyword })),
  ];
  for (const [index, search] of searches.entries())
    for (const [of, sortItem] of (['id', 'title', 'duration'] as const).entries()) {
      const one = { ...search, sortItem };
      // Every day each keyword in one order.
      const tags = of === index % 3 ? [] : ['long' as const];
      test(`${one.keyword} in ${one.searchItem} by ${sortItem}`, { tags }, () => expectFound(one));
    }

  /** Every page, in order, with a true total; then small pages, downwards. */
  async function expectFound(one: (typeof searches)[number] & Pick<VideoQuery, 'sortItem'>) {
    const expected = expectedKeys(videos, one);
    const listed: Record<string, string[]> = { folder: [], package: [] };
    for (let page = 1; page <= Math.ceil(expected.length / pageSize); page += 1) {
      const query = { ...one, sortDirection: 'asc', page, pageSize } as const;
      for (const [list, found] of Object.entries(await listBoth(query))) {
        expect(found.totalCount).toBe(expected.length);
        listed[list]?.push(...found.keys);
      }
    }
    expect(listed).toEqual({ folder: expected, package: expected });

    const downwards = expected.toReversed();
    const last = Math.ceil(expected.length / smallPageSize);
    for (const page of new Set([1, 3, Math.ceil(last / 2), Math.max(1, last - 1), last])) {
      const end = page * smallPageSize;
      const keys = downwards.slice(end - smallPageSize, end);
      const query = { ...one, sortDirection: 'desc', page, pageSize: smallPageSize } as const;
      const found = { keys, totalCount: expected.length };
      expect(await listBoth(query)).toEqual({ folder: found, package: found });
    }
  }
});

interface Kept {
  readonly accessKey: string;
  readonly title: string;
  readonly content: string;
  readonly durationMs: number;
}

function expectedKeys(
  videos: readonly Kept[],
  one: { searchItem: 'title' | 'content'; keyword: string; sortItem: VideoQuery['sortItem'] },
) {
  const keyword = normalizeText(one.keyword);
  const order = ({ title, durationMs }: Kept) => {
    if (one.sortItem === 'title') return createTitleOrder(title);
    return one.sortItem === 'duration' ? durationMs : 0;
  };
  return videos
    .filter((video) => normalizeText(video[one.searchItem]).includes(keyword))
    .toSorted((a, b) => Number(order(a) > order(b)) - Number(order(a) < order(b)))
    .map(({ accessKey }) => accessKey);
}
