import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Catalog, Video } from '../../src/catalog/catalog.ts';
import type { VideoQuery } from '../../src/catalog/library.ts';
import { refused } from '../../src/catalog/refusal.ts';
import { accept } from '../../src/lib/result.ts';
import { normalizeText } from '../../src/lib/values/text-normalization.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

const whole: VideoQuery = {
  searchItem: 'title',
  keyword: '',
  sortItem: 'id',
  sortDirection: 'desc',
  pageSize: 1_000,
  page: 1,
};

const everyField = {
  accessKey: 'film-1',
  cid: 'é'.repeat(64),
  content: 'one\ntwo\tthree',
  tag: 'a,b',
  durationMs: Number.MAX_SAFE_INTEGER,
  createdAt: new Date('2026-11-20T10:15:30.123+05:45'),
  fileSizeBytes: Number.MAX_SAFE_INTEGER - 1,
  height: 2160,
  width: 3840,
  frameRate: 23.976,
  title: '100% \'quoted\' "title" _ \\ 한글 😀',
  series: 'Series',
  author: 'Author',
  copyright: '© Studio',
  rate: '12',
  etc: 'Else',
  encodingSuccess: 'Y',
} as const;

describeKinds(catalogStores('always'), 'library on $name', (store) => {
  /** Each statement takes longer there. */
  const onPostgres = store.name === 'PostgreSQL';
  const clock = manualClock();
  let catalog: Catalog;

  beforeAll(async () => {
    ({ catalog } = await store.startWithCatalog(clock));
  });

  afterAll(() => store.stop());

  async function newFolder() {
    const { accountId } = accepted(
      await catalog.accounts.create({ name: 'Studio', timeZone: 'UTC' }),
    );
    const { folderId } = accepted(await catalog.folders.create(accountId, { folderName: 'Films' }));
    return { accountId, folderId };
  }

  async function titlesOf(accountId: number, folderId: number, query: Partial<VideoQuery> = {}) {
    const given = { ...whole, ...query };
    const { videos, totalCount } = accepted(
      await catalog.videos.listFolder(accountId, folderId, given),
    );
    return { titles: videos.map(({ title }) => title), totalCount };
  }

  describe('folders', () => {
    test('are created, found, renamed, listed and deleted', async () => {
      const { accountId, folderId } = await newFolder();
      const folder = { folderId, accountId, folderName: 'Films' };
      expect(await catalog.folders.find(accountId, folderId)).toEqual(folder);
      const fields = { folderName: '영화' };
      const renamed = { ...folder, ...fields };
      expect(accepted(await catalog.folders.rename(accountId, folderId, fields))).toEqual(renamed);
      expect(await catalog.folders.list(accountId)).toEqual([renamed]);
      accepted(await catalog.folders.delete(accountId, folderId));
      expect(await catalog.folders.list(accountId)).toEqual([]);
      expect(await catalog.folders.find(accountId, folderId)).toBeUndefined();
      expect(await catalog.folders.delete(accountId, folderId)).toEqual(refused('NO_FOLDER'));
      const next = accepted(await catalog.folders.create(accountId, fields));
      expect(next.folderId).toBeGreaterThan(folderId);
    });

    test('are deleted only when empty', async () => {
      const { accountId, folderId } = await newFolder();
      const { accessKey } = accepted(
        await catalog.videos.create(accountId, { folderId, title: 'Film' }),
      );
      const deletion = () => catalog.folders.delete(accountId, folderId);
      expect(await deletion()).toEqual(refused('FOLDER_NOT_EMPTY'));
      accepted(await catalog.videos.delete(accountId, accessKey));
      expect(await deletion()).toMatchObject({ ok: true });
    });

    test('of another account do not exist', async () => {
      const { folderId } = await newFolder();
      const { accountId } = await newFolder();
      const fields = { folderName: 'Mine' };
      expect(await catalog.folders.find(accountId, folderId)).toBeUndefined();
      const renaming = catalog.folders.rename(accountId, folderId, fields);
      expect(await renaming).toEqual(refused('NO_FOLDER'));
      const list = catalog.videos.listFolder(accountId, folderId, whole);
      expect(await list).toEqual(refused('NO_FOLDER'));
      const creation = catalog.videos.create(accountId, { folderId, title: 'Film' });
      expect(await creation).toEqual(refused('NO_FOLDER'));
    });
  });

  describe('videos', () => {
    test('keep every field', async () => {
      const { accountId, folderId } = await newFolder();
      const created = accepted(await catalog.videos.create(accountId, { folderId, ...everyField }));
      expect(created).toEqual({
        ...{ ...everyField, videoId: expect.any(Number), accountId, folderId, thumbnailUrl: '' },
        createdAt: new Date('2026-11-20T04:30:30.123Z'),
      });
      expect(await catalog.videos.find(accountId, 'film-1')).toEqual(created);
    });

    test('need no more than a title', async () => {
      const { accountId, folderId } = await newFolder();
      const created = accepted(await catalog.videos.create(accountId, { folderId, title: 'Film' }));
      expect(created).toEqual({
        videoId: expect.any(Number),
        accountId,
        folderId,
        accessKey: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
        ...{ cid: null, content: null, tag: '', durationMs: 0, fileSizeBytes: 0, height: 0 },
        ...{ width: 0, frameRate: 0, title: 'Film', series: null, author: null },
        ...{ copyright: null, rate: null, etc: null, encodingSuccess: null, thumbnailUrl: '' },
        createdAt: new Date(clock.now()),
      });
    });

    test('change only what is named; null empties', async () => {
      const { accountId, folderId } = await newFolder();
      const created = accepted(await catalog.videos.create(accountId, { folderId, ...everyField }));
      const changes = { title: 'New', cid: null, durationMs: 5, tag: '' };
      const changed = accepted(await catalog.videos.change(accountId, 'film-1', changes));
      expect(changed).toEqual({ ...created, title: 'New', cid: null, durationMs: 5, tag: '' });
      expect(await catalog.videos.find(accountId, 'film-1')).toEqual(changed);
      expect(await titlesOf(accountId, folderId, { keyword: 'new' })).toMatchObject({
        totalCount: 1,
      });
      expect(await titlesOf(accountId, folderId, { keyword: 'quoted' })).toMatchObject({
        totalCount: 0,
      });
    });

    test('move between folders, of the same account', async () => {
      const { accountId, folderId } = await newFolder();
      const other = accepted(await catalog.folders.create(accountId, { folderName: 'Other' }));
      const { accessKey } = accepted(
        await catalog.videos.create(accountId, { folderId, title: 'Film' }),
      );
      accepted(await catalog.videos.change(accountId, accessKey, { folderId: other.folderId }));
      expect(await titlesOf(accountId, folderId)).toEqual({ titles: [], totalCount: 0 });
      const sought = await titlesOf(accountId, other.folderId, { keyword: 'film' });
      expect(sought).toEqual({ titles: ['Film'], totalCount: 1 });
      expect((await titlesOf(accountId, folderId, { keyword: 'film' })).totalCount).toBe(0);
      const foreign = { folderId: (await newFolder()).folderId };
      const move = catalog.videos.change(accountId, accessKey, foreign);
      expect(await move).toEqual(refused('NO_FOLDER'));
    });

    test('have an accessKey that is used once in an account, for ever', async () => {
      const { accountId, folderId } = await newFolder();
      const fields = { folderId, title: 'Film', accessKey: 'once' };
      const { videoId } = accepted(await catalog.videos.create(accountId, fields));
      const conflict = refused('ACCESS_KEY_USED');
      expect(await catalog.videos.create(accountId, fields)).toEqual(conflict);
      accepted(await catalog.videos.delete(accountId, 'once'));
      expect(await catalog.videos.create(accountId, fields)).toEqual(conflict);
      expect(await catalog.publications.findVideoId(accountId, 'once')).toBe(videoId);
      const other = await newFolder();
      const elsewhere = { ...fields, folderId: other.folderId };
      await expect(catalog.videos.create(other.accountId, elsewhere)).resolves.toBeDefined();
    });

    test('are put in batches, as often as one likes', async () => {
      const { accountId, folderId } = await newFolder();
      const { packageId } = accepted(
        await catalog.packages.create(accountId, { packageName: 'Web' }),
      );
      accepted(
        await catalog.videos.create(accountId, { folderId, title: 'Gone', accessKey: 'gone' }),
      );
      accepted(await catalog.videos.delete(accountId, 'gone'));
      const put = (title: string) =>
        catalog.videos.putMany(accountId, [
          { folderId, title, accessKey: 'one', durationMs: 5 },
          { folderId: 999_999, title, accessKey: 'three' },
          { folderId, title, accessKey: 'gone' },
          { folderId, title, accessKey: 'five' },
        ]);
      const first = await put('First');
      const reasons = first.map((result) => (result.ok ? 'put' : result.reason.code));
      expect(reasons).toEqual(['put', 'NO_FOLDER', 'ACCESS_KEY_USED', 'put']);
      const created = await catalog.videos.find(accountId, 'one');
      expect(created).toMatchObject({ title: 'First', durationMs: 5 });
      const { videoId: one = 0 } = created ?? {};
      const packages = () => catalog.publications.countByVideo(accountId, [one, 999_999]);
      expect(await packages()).toEqual(new Map());
      const inPackage = { accountId, packageId, accessKey: 'one' };
      accepted(await catalog.publications.publish(inPackage));
      expect(await packages()).toEqual(new Map([[one, 1]]));
      accepted(await catalog.publications.retire(inPackage));
      expect(await packages()).toEqual(new Map());
      accepted(await catalog.publications.publish(inPackage));
      clock.advance(5_000);
      const second = await put('Second');
      const { videoId } = created ?? {};
      const value = { videoId, accessKey: 'one', isNew: false };
      expect(second[0]).toEqual({ ok: true, value: { ...value, isChanged: true } });
      const third = await put('Second');
      expect(third[0]).toEqual({ ok: true, value: { ...value, isChanged: false } });
      expect(await catalog.videos.find(accountId, 'one')).toEqual({ ...created, title: 'Second' });
      const sought = { ...whole, keyword: 'second', sortItem: 'title' } as const;
      expect(
        accepted(await catalog.videos.listPackage(accountId, packageId, sought)),
      ).toMatchObject({
        totalCount: 1,
      });
      expect(await titlesOf(accountId, folderId)).toEqual({
        titles: ['Second', 'Second'],
        totalCount: 2,
      });
    });

    test('come twice in one batch: the later holds', async () => {
      const { accountId, folderId } = await newFolder();
      const batch = ['Early', 'Late'].map((title) => ({ folderId, title, accessKey: 'twin' }));
      const results = await catalog.videos.putMany(accountId, batch);
      expect(results.map((result) => result.ok && result.value.isNew)).toEqual([true, false]);
      expect(await titlesOf(accountId, folderId)).toEqual({ titles: ['Late'], totalCount: 1 });
      expect((await titlesOf(accountId, folderId, { keyword: 'early' })).totalCount).toBe(0);
      const many = Array.from({ length: 1_000 }, (_, index) => ({
        folderId,
        title: `Film ${index}`,
        accessKey: `film-${index}`,
      }));
      expect(await catalog.videos.putMany(accountId, many)).toHaveLength(1_000);
      expect((await titlesOf(accountId, folderId, { keyword: 'film' })).totalCount).toBe(1_000);
    });

    test('are put with a thumbnail, which replaces those of another URL', async () => {
      const { accountId, folderId } = await newFolder();
      const put = async (thumbnailUrl?: string) => {
        const video = { folderId, title: 'Film', accessKey: 'pictured' };
        const [result] = await catalog.videos.putMany(accountId, [
          thumbnailUrl === undefined ? video : { ...video, thumbnailUrl },
        ]);
        return result?.ok ? result.value.isChanged : result?.reason;
      };
      const urlNow = async () => (await catalog.videos.find(accountId, 'pictured'))?.thumbnailUrl;
      expect(await put('https://cdn.example/1.jpg')).toBe(true);
      expect(await urlNow()).toBe('https://cdn.example/1.jpg');
      expect(await put('https://cdn.example/1.jpg')).toBe(false);
      accepted(
        await catalog.thumbnails.replace(accountId, 'pictured', [
          { url: 'https://cdn.example/0.jpg' },
          { url: 'https://cdn.example/1.jpg', selected: true },
        ]),
      );
      expect(await put('https://cdn.example/1.jpg')).toBe(false);
      expect(await put()).toBe(false);
      const { videoId = 0 } = (await catalog.videos.find(accountId, 'pictured')) ?? {};
      expect(await catalog.thumbnails.list(videoId)).toHaveLength(2);
      expect(await put('https://cdn.example/2.jpg')).toBe(true);
      expect(await catalog.thumbnails.list(videoId)).toEqual([
        { seq: 0, url: 'https://cdn.example/2.jpg', playTimeMs: 0, selected: true },
      ]);
    });

    test('that are deleted are in no list', async () => {
      const { accountId, folderId } = await newFolder();
      const { accessKey } = accepted(
        await catalog.videos.create(accountId, { folderId, title: 'Film' }),
      );
      accepted(await catalog.videos.delete(accountId, accessKey));
      expect(await catalog.videos.find(accountId, accessKey)).toBeUndefined();
      expect((await titlesOf(accountId, folderId)).totalCount).toBe(0);
      expect((await titlesOf(accountId, folderId, { keyword: 'film' })).totalCount).toBe(0);
      expect(await catalog.videos.delete(accountId, accessKey)).toEqual(refused('NO_VIDEO'));
      const change = catalog.videos.change(accountId, accessKey, { title: 'Film 2' });
      expect(await change).toEqual(refused('NO_VIDEO'));
    });

    test('that are deleted are still known, by their ids', async () => {
      const { accountId, folderId } = await newFolder();
      const fields = { folderId, title: 'Film', durationMs: 2 ** 53 - 1 };
      const [one, two] = [
        accepted(await catalog.videos.create(accountId, fields)),
        accepted(await catalog.videos.create(accountId, { ...fields, title: 'Other' })),
      ];
      const known = ({ videoId, accessKey, title }: Video) => {
        return { ...fields, videoId, accessKey, title };
      };
      accepted(await catalog.videos.delete(accountId, one.accessKey));
      const unknown = Array.from({ length: 1_500 }, (_, index) => two.videoId + 1 + index);
      const found = await catalog.videos.known(accountId, [...unknown, two.videoId, one.videoId]);
      expect(found.toSorted((a, b) => a.videoId - b.videoId)).toEqual([known(one), known(two)]);
      const other = await newFolder();
      expect(await catalog.videos.known(other.accountId, [one.videoId])).toEqual([]);
      expect(await catalog.videos.known(accountId, [])).toEqual([]);
    });
  });

  test('thumbnails: one is selected, and stands for the video', async () => {
    const { accountId, folderId } = await newFolder();
    const { accessKey, videoId } = accepted(
      await catalog.videos.create(accountId, { folderId, title: 'F' }),
    );
    const target = (seq: number) => `https://cdn.example/${seq}.jpg`;
    const given = [
      { url: target(0), playTimeMs: 0 },
      { url: target(1), playTimeMs: 5_000, selected: true },
      { url: target(2) },
    ];
    const kept = [
      { seq: 0, url: target(0), playTimeMs: 0, selected: false },
      { seq: 1, url: target(1), playTimeMs: 5_000, selected: true },
      { seq: 2, url: target(2), playTimeMs: 0, selected: false },
    ];
    expect(accepted(await catalog.thumbnails.replace(accountId, accessKey, given))).toEqual(kept);
    expect(await catalog.thumbnails.list(videoId)).toEqual(kept);
    expect(await catalog.videos.find(accountId, accessKey)).toMatchObject({
      thumbnailUrl: target(1),
    });
    const selected = accepted(await catalog.thumbnails.select(accountId, accessKey, 2));
    expect(selected.map((thumbnail) => thumbnail.selected)).toEqual([false, false, true]);
    const wrong = catalog.thumbnails.select(accountId, accessKey, 3);
    expect(await wrong).toEqual(refused('NO_THUMBNAIL'));
    const fewer = accepted(
      await catalog.thumbnails.replace(accountId, accessKey, given.slice(0, 1)),
    );
    expect(fewer).toEqual([{ ...kept[0], selected: true }]);
    expect(accepted(await catalog.thumbnails.replace(accountId, accessKey, []))).toEqual([]);
    const many = Array.from({ length: 100 }, (_, seq) => ({ url: target(seq) }));
    const most = accepted(await catalog.thumbnails.replace(accountId, accessKey, many));
    expect(most).toHaveLength(100);
  });

  describe('packages', () => {
    test('are created, found, changed, listed and deleted', async () => {
      const { accountId } = await newFolder();
      const created = accepted(await catalog.packages.create(accountId, { packageName: 'Web' }));
      const { packageId } = created;
      const named = { packageName: 'Web', packageType: 'VOD', allowedOrigins: [], signing: 'open' };
      expect(created).toEqual({ packageId, accountId, ...named });
      expect(await catalog.packages.find(accountId, packageId)).toEqual(created);
      const fields = { packageName: 'App', packageType: 'LIVE' };
      const changed = { ...created, ...fields };
      expect(accepted(await catalog.packages.change(accountId, packageId, fields))).toEqual(
        changed,
      );
      const renamed = { ...changed, packageName: 'TV' };
      const rename = { packageName: 'TV' };
      expect(accepted(await catalog.packages.change(accountId, packageId, rename))).toEqual(
        renamed,
      );
      expect(await catalog.packages.list(accountId)).toEqual([renamed]);
      accepted(await catalog.packages.delete(accountId, packageId));
      expect(await catalog.packages.list(accountId)).toEqual([]);
      const again = catalog.packages.delete(accountId, packageId);
      expect(await again).toEqual(refused('NO_PACKAGE'));
      const list = catalog.videos.listPackage(accountId, packageId, whole);
      expect(await list).toEqual(refused('NO_PACKAGE'));
    });

    test('list their videos, with their keys, optionally of one folder', async () => {
      const { accountId, folderId } = await newFolder();
      const other = accepted(await catalog.folders.create(accountId, { folderName: 'Other' }));
      const { packageId } = accepted(
        await catalog.packages.create(accountId, { packageName: 'Web' }),
      );
      const fields = [
        { folderId, title: 'First film' },
        { folderId: other.folderId, title: 'Second film' },
        { folderId, title: 'Third film, in no package' },
      ];
      const videos: Video[] = [];
      for (const one of fields) videos.push(accepted(await catalog.videos.create(accountId, one)));
      const published = [];
      for (const { accessKey } of videos.slice(0, 2)) {
        published.push(
          accepted(await catalog.publications.publish({ accountId, packageId, accessKey })),
        );
      }
      const rows = published.map(({ videoKey, serviceAble, publishedAt }, index) => ({
        ...videos[index],
        packageId,
        videoKey,
        serviceAble,
        publishedAt,
      }));
      const list = (query: object) =>
        catalog.videos.listPackage(accountId, packageId, { ...whole, ...query }).then(accepted);
      expect(await list({})).toEqual({ videos: rows.toReversed(), totalCount: 2 });
      expect(await list({ keyword: 'film', sortDirection: 'asc' })).toEqual({
        videos: rows,
        totalCount: 2,
      });
      expect(await list({ folderId: other.folderId })).toEqual({
        videos: rows.slice(1),
        totalCount: 1,
      });
      expect(await list({ folderId, keyword: 'film' })).toEqual({
        videos: rows.slice(0, 1),
        totalCount: 1,
      });
      expect(await list({ keyword: 'third' })).toEqual({ videos: [], totalCount: 0 });
      const accessKey = videos[0]?.accessKey ?? '';
      expect(await catalog.videos.findInPackage(accountId, packageId, accessKey)).toEqual(rows[0]);
      const elsewhere = accepted(await catalog.packages.create(accountId, { packageName: 'App' }));
      const inOther = catalog.videos.findInPackage(accountId, elsewhere.packageId, accessKey);
      expect(await inOther).toBeUndefined();
      const absent = videos[2]?.accessKey ?? '';
      expect(await catalog.videos.findInPackage(accountId, packageId, absent)).toBeUndefined();
      const stranger = (await newFolder()).accountId;
      expect(await catalog.videos.findInPackage(stranger, packageId, accessKey)).toBeUndefined();
    });
  });

  test('a keyword is plain text, whatever is in it', async () => {
    const { accountId, folderId } = await newFolder();
    const titles = ['100% a_b', "it's", 'say "hi"', 'back\\slash', 'a*b', 'x AND y', '(z):*', '-n'];
    for (const title of titles)
      accepted(await catalog.videos.create(accountId, { folderId, title }));
    for (const [keyword, found] of [
      ['%', ['100% a_b']],
      ['_', ['100% a_b']],
      ["'", ["it's"]],
      ["t's", ["it's"]],
      ['"', ['say "hi"']],
      ['"hi"', ['say "hi"']],
      ['\\', ['back\\slash']],
      ['k\\slash', ['back\\slash']],
      ['*', ['(z):*', 'a*b']],
      ['AND', ['x AND y']],
      ['x and y', ['x AND y']],
      ['):*', ['(z):*']],
      ['-n', ['-n']],
      ['a_b', ['100% a_b']],
      ['a b', []],
      ['\ud800', []],
    ] as const) {
      expect((await titlesOf(accountId, folderId, { keyword })).titles, keyword).toEqual(found);
    }
  });

  test('search, sort and page agree with a plain list in memory', async () => {
    const { accountId, folderId } = await newFolder();
    const unit = fc.constantFrom(...'abAB ß%_"\'\\가각Éé', 'e\u0301', 'ﬁ', '😀', 'İ', 'ς', 'Σ');
    const text = (maxLength: number) => fc.string({ unit, minLength: 1, maxLength });
    const small = fc.integer({ min: 0, max: 3 });
    const fields = fc.record(
      {
        title: text(8),
        cid: text(2),
        content: text(12),
        tag: text(5),
        series: text(5),
        author: text(5),
        copyright: text(5),
        etc: text(12),
        durationMs: small,
        fileSizeBytes: small,
      },
      { requiredKeys: ['title'] },
    );
    const library = fc.sample(fields, { numRuns: onPostgres ? 50 : 150, seed: 20_261_120 });
    const other = accepted(await catalog.folders.create(accountId, { folderName: 'Other' }));
    const { packageId } = accepted(
      await catalog.packages.create(accountId, { packageName: 'Web' }),
    );
    const videos: Video[] = [];
    const published = new Set<number>();
    for (const [index, one] of library.entries()) {
      const place = index % 3 === 0 ? other : { folderId };
      const fields = { title: 'Before', folderId: place.folderId };
      const { accessKey, videoId } = accepted(await catalog.videos.create(accountId, fields));
      // In the order of every way to be in a package: before the change, taken out, not at all.
      const name = { accountId, packageId, accessKey };
      if (index % 2 === 0) accepted(await catalog.publications.publish(name));
      videos.push(accepted(await catalog.videos.change(accountId, accessKey, one)));
      if (index % 10 === 0) accepted(await catalog.publications.retire(name));
      else if (index % 2 === 0) published.add(videoId);
    }
    const query = fc.record({
      searchItem: fc.constantFrom<VideoQuery['searchItem'][]>(
        'title',
        'series',
        'author',
        'copyright',
        'content',
        'tag',
        'etc',
        'cid',
      ),
      keyword: fc.oneof(fc.constant(''), text(1), text(2), text(3), text(4)),
      sortItem: fc.constantFrom<VideoQuery['sortItem'][]>('id', 'title', 'duration', 'filesize'),
      sortDirection: fc.constantFrom<VideoQuery['sortDirection'][]>('desc', 'asc'),
      pageSize: fc.integer({ min: 1, max: 60 }),
      page: fc.integer({ min: 1, max: 12 }),
    });
    const { listFolder, listAll, listPackage } = catalog.videos;
    const lists = {
      all: async (given: VideoQuery) => accept(await listAll(accountId, given)),
      folder: (given: VideoQuery) => listFolder(accountId, folderId, given),
      package: (given: VideoQuery) => listPackage(accountId, packageId, given),
      both: (given: VideoQuery) => listPackage(accountId, packageId, { ...given, folderId }),
    };
    const isListed = {
      all: () => true,
      folder: (video: Video) => video.folderId === folderId,
      package: ({ videoId }: Video) => published.has(videoId),
      both: (video: Video) => isListed.folder(video) && isListed.package(video),
    };
    const place = fc.constantFrom<(keyof typeof lists)[]>('all', 'folder', 'package', 'both');
    const holds = async (where: keyof typeof lists, given: VideoQuery) => {
      const { videos: page, totalCount } = accepted(await lists[where](given));
      const expected = listInMemory(videos.filter(isListed[where]), given);
      expect(totalCount).toBe(expected.length);
      const start = (given.page - 1) * given.pageSize;
      expect(page).toMatchObject(expected.slice(start, start + given.pageSize));
    };
    const property = fc.asyncProperty(place, query, holds);
    await fc.assert(property, { numRuns: onPostgres ? 20 : 60 });
    const someKeys = fc.asyncProperty(fc.subarray(videos), query, async (some, given) => {
      const whole = { ...given, keyword: '' };
      const accessKeys = [...some.map(({ accessKey }) => accessKey), 'of-nobody'];
      const { videos: page, totalCount } = await listAll(accountId, { ...whole, accessKeys });
      const expected = listInMemory(some, whole);
      const start = (given.page - 1) * given.pageSize;
      expect(totalCount).toBe(expected.length);
      expect(page).toMatchObject(expected.slice(start, start + given.pageSize));
    });
    await fc.assert(someKeys, { numRuns: onPostgres ? 5 : 20 });
    // So many folders are no longer joined in the index.
    for (let folder = 0; folder < 301; folder += 1) {
      accepted(await catalog.folders.create(accountId, { folderName: `${folder}` }));
    }
    const ofAll = fc.asyncProperty(query, (given) => holds('all', given));
    await fc.assert(ofAll, { numRuns: onPostgres ? 10 : 30 });
  });
});

/** What a list has to be, in the plainest way. */
function listInMemory(videos: readonly Video[], query: VideoQuery): Video[] {
  const { searchItem, keyword } = query;
  const found = videos.filter((video) => {
    if (keyword === '') return true;
    if (searchItem === 'cid') return video.cid === keyword;
    return normalizeText(video[searchItem] ?? '').includes(normalizeText(keyword));
  });
  const sign = query.sortDirection === 'desc' ? -1 : 1;
  const compare = {
    id: () => 0,
    title: (left: Video, right: Video) =>
      Buffer.compare(
        Buffer.from(normalizeText(left.title)),
        Buffer.from(normalizeText(right.title)),
      ),
    duration: (left: Video, right: Video) => left.durationMs - right.durationMs,
    filesize: (left: Video, right: Video) => left.fileSizeBytes - right.fileSizeBytes,
  }[query.sortItem];
  return found.toSorted(
    (left, right) => sign * (compare(left, right) || left.videoId - right.videoId),
  );
}
