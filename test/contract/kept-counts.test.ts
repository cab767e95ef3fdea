/** Counts are kept, and never returned once outdated, whoever changed the library. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { type Database, openDatabase } from '../../src/catalog/database/database.ts';
import {
  createKeptCounts,
  type KeptCounts,
  noteLibraryChange,
} from '../../src/catalog/search/list-counts.ts';
import type { SearchedField } from '../../src/catalog/search/search-index.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addLibrary, catalogStores, type Library } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';

describeKinds(catalogStores(), 'counts on $name', (store) => {
  let catalog: Catalog;
  /** Another process on the same database. */
  let other: Catalog;
  let database: Database;
  let library: Library;

  beforeAll(async () => {
    const started = await store.startWithTwo();
    ({ catalog, other } = started);
    database = openDatabase(started.location, systemClock);
  });
  afterAll(async () => {
    await database?.kysely.destroy();
    await store.stop();
  });
  beforeEach(async () => {
    library = await addLibrary(catalog);
  });

  const query = { sortItem: 'id', sortDirection: 'asc', page: 1, pageSize: 10 } as const;
  const totals = async (keyword = '', searchItem: SearchedField = 'title') => {
    const { accountId, folderId, packageId } = library;
    const asked = { ...query, keyword, searchItem };
    const inFolder = accepted(await other.videos.listFolder(accountId, folderId, asked));
    const inPackage = accepted(await other.videos.listPackage(accountId, packageId, asked));
    const inBoth = accepted(
      await other.videos.listPackage(accountId, packageId, { ...asked, folderId }),
    );
    return [inFolder, inPackage, inBoth].map(({ totalCount }) => totalCount);
  };
  const add = (accessKey: string, title: string) => {
    const { accountId, folderId } = library;
    const content = `About ${title}`;
    return catalog.videos.putMany(accountId, [{ accessKey, folderId, title, content }]);
  };

  test('in a folder and a package follow every kind of change', async () => {
    const { accountId, folderId, packageId } = library;
    expect(await totals()).toEqual([0, 0, 0]);
    await add('one', 'Film one');
    expect(await totals()).toEqual([1, 0, 0]);
    accepted(await catalog.videos.create(accountId, { folderId, title: 'Film two' }));
    expect(await totals()).toEqual([2, 0, 0]);
    expect(await totals('film')).toEqual([2, 0, 0]);

    const name = { accountId, packageId, accessKey: 'one' };
    accepted(await catalog.publications.publish(name));
    expect(await totals()).toEqual([2, 1, 1]);
    expect(await totals('film')).toEqual([2, 1, 1]);
    expect(await totals('about film', 'content')).toEqual([1, 1, 1]);

    await add('one', 'Another');
    expect(await totals('film')).toEqual([1, 0, 0]);
    expect(await totals('about film', 'content')).toEqual([0, 0, 0]);

    accepted(await catalog.videos.change(accountId, 'one', { title: 'Film again' }));
    expect(await totals('film')).toEqual([2, 1, 1]);

    const { folderId: elsewhere } = accepted(
      await catalog.folders.create(accountId, { folderName: 'B' }),
    );
    accepted(await catalog.videos.change(accountId, 'one', { folderId: elsewhere }));
    expect(await totals()).toEqual([1, 1, 0]);
    expect(await totals('film')).toEqual([1, 1, 0]);

    accepted(await catalog.publications.retire(name));
    expect(await totals()).toEqual([1, 0, 0]);
    expect(await totals('film')).toEqual([1, 0, 0]);

    accepted(await catalog.videos.change(accountId, 'one', { folderId }));
    expect(await totals('film')).toEqual([2, 0, 0]);
    accepted(await catalog.videos.delete(accountId, 'one'));
    expect(await totals()).toEqual([1, 0, 0]);
    expect(await totals('film')).toEqual([1, 0, 0]);
  });

  test('of a change that was taken back hold no longer than it', async () => {
    const { accountId, folderId } = library;
    await add('one', 'Film');
    const write = {
      accountId,
      actor: 'KEY:1',
      path: `/videos/${accountId}`,
      idempotencyKey: 'taken back',
    };
    const failing = catalog.idempotentWrites.once(write, 'body', async (parts) => {
      accepted(await parts.videos.create(accountId, { folderId, title: 'Film' }));
      const asked = { ...query, keyword: 'film', searchItem: 'title' } as const;
      expect(accepted(await parts.videos.listFolder(accountId, folderId, asked)).totalCount).toBe(
        2,
      );
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect(await totals('film')).toEqual([1, 0, 0]);
    // Another change is the first after that one, as it was.
    accepted(await catalog.videos.change(accountId, 'one', { title: 'Other' }));
    expect(await totals('film')).toEqual([0, 0, 0]);
  });

  test('stand in the way of no writes that come at once', async () => {
    const { accountId, packageId } = library;
    const numbers = Array.from({ length: 24 }, (_, index) => index);
    const write = async (index: number) => {
      const accessKey = `video-${index % 6}`;
      await add(accessKey, `Film ${index}`);
      accepted(await catalog.publications.publish({ accountId, packageId, accessKey }));
      accepted(
        await catalog.videos.change(accountId, accessKey, { title: `Film, later ${index}` }),
      );
    };
    await Promise.all(numbers.map(write));
    expect(await totals('film')).toEqual([6, 6, 6]);
  });

  describe('are kept', () => {
    let keptCounts: KeptCounts;
    let counted: number;
    beforeEach(() => {
      keptCounts = createKeptCounts(database);
      counted = 0;
    });
    const ask = async (name: string, account = library.accountId) => {
      const countOnce = await keptCounts(account);
      return countOnce(name, async () => {
        counted += 1;
        return counted;
      });
    };

    test('by their names, until something changes', async () => {
      expect([await ask('all'), await ask('all'), await ask('some'), await ask('all')]).toEqual([
        1, 1, 2, 1,
      ]);
      await noteLibraryChange(database.kysely, library.accountId);
      expect([await ask('all'), await ask('some'), await ask('all')]).toEqual([3, 4, 3]);
    });

    test('whatever happens in other accounts', async () => {
      const { accountId: stranger } = await addLibrary(catalog);
      expect([await ask('all'), await ask('all', stranger)]).toEqual([1, 2]);
      await noteLibraryChange(database.kysely, stranger);
      expect([await ask('all'), await ask('all', stranger)]).toEqual([1, 3]);
    });

    test('only where the count came about', async () => {
      const countOnce = await keptCounts(library.accountId);
      await expect(countOnce('all', () => Promise.reject(new Error('away')))).rejects.toThrow();
      expect(await ask('all')).toBe(1);
    });
  });
});
