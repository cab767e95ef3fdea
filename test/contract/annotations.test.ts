/** What people write beside their statistics: where it is, for how long, and how much of it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Catalog, NewAnnotation } from '../../src/catalog/catalog.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { countLimits } from '../../src/catalog/refusal.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addLibrary, catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

describeKinds(catalogStores(), 'annotations on $name', (store) => {
  const clock = manualClock();
  let catalog: Catalog;
  let library: Awaited<ReturnType<typeof addLibrary>>;
  let accountId: number;

  beforeAll(() => store.start());
  afterAll(() => store.stop());
  beforeEach(async () => {
    catalog = await openCatalog({ location: await store.newLocation(), clock });
    library = await addLibrary(catalog);
    accountId = library.accountId;
    return () => catalog.close();
  });

  const fieldsOf = (changes: Partial<NewAnnotation> = {}): NewAnnotation => ({
    ...{ accountId, kind: 'note', text: 'Newsletter', at: day(20), until: undefined },
    ...{ packageId: undefined, accessKey: undefined },
    ...changes,
  });
  const day = (number: number) => new Date(Date.UTC(2026, 10, number));
  const create = async (changes?: Partial<NewAnnotation>) =>
    accepted(await catalog.annotations.create(fieldsOf(changes)));
  const texts = async (query = {}) =>
    (await catalog.annotations.list(accountId, query)).map(({ text }) => text);
  const lastChanges = async (limit: number) =>
    (await catalog.audit.list(accountId, { limit })).map(({ action, object }) => [action, object]);

  test('are listed by time, and by what they touch of a span', async () => {
    await create({ text: 'later', at: day(25) });
    await create({ text: 'span', at: day(10), until: day(20) });
    await create({ text: 'moment', at: day(12) });
    expect(await texts()).toEqual(['span', 'moment', 'later']);
    expect(await texts({ from: day(12), to: day(25) })).toEqual(['span', 'moment']);
    expect(await texts({ from: day(19) })).toEqual(['span', 'later']);
    expect(await texts({ from: day(20) })).toEqual(['later']);
    expect(await texts({ to: day(10) })).toEqual([]);
  });

  test('are changed and deleted, which the audit tells', async () => {
    const made = await create({ until: day(21) });
    const { annotationId } = made;
    expect(made).toMatchObject({ createdBy: 'SERVICE', createdAt: new Date(clock.now()) });
    const name = { accountId, annotationId };
    const changes = { kind: 'outage', until: undefined } as const;
    const changed = accepted(await catalog.annotations.change(name, changes));
    expect(changed).toEqual({ ...made, ...changes });
    expect(await catalog.annotations.find(name)).toEqual(changed);
    const [entry] = await catalog.audit.list(accountId, { limit: 1 });
    expect(entry).toMatchObject({
      ...{ action: 'ANNOTATION_CHANGED', object: String(annotationId) },
      before: { kind: 'note', until: day(21).toISOString() },
      after: { kind: 'outage' },
    });
    accepted(await catalog.annotations.delete(name));
    expect(await catalog.annotations.find(name)).toBeUndefined();
    const missing = { ok: false, reason: { code: 'NO_ANNOTATION' } };
    expect(await catalog.annotations.delete(name)).toMatchObject(missing);
    expect(await catalog.annotations.change(name, changes)).toMatchObject(missing);
  });

  test('belong to one account', async () => {
    const { annotationId } = await create();
    const other = accepted(await catalog.accounts.create({ name: 'B', timeZone: 'UTC' }));
    const name = { accountId: other.accountId, annotationId };
    expect(await catalog.annotations.find(name)).toBeUndefined();
    expect(await catalog.annotations.list(other.accountId, {})).toEqual([]);
    expect(await catalog.annotations.delete(name)).toMatchObject({ ok: false });
    expect(await catalog.annotations.change(name, { text: 'Theirs' })).toMatchObject({ ok: false });
    expect(await texts()).toEqual(['Newsletter']);
    const { packageId } = library;
    const elsewhere = await catalog.annotations.create(
      fieldsOf({ accountId: other.accountId, packageId }),
    );
    expect(elsewhere).toMatchObject({ ok: false, reason: { code: 'NO_PACKAGE' } });
  });

  test.each<[string, Partial<NewAnnotation>, object]>([
    ['no text', { text: ' ' }, { fields: [{ field: 'text' }] }],
    ['several lines', { text: 'a\nb' }, { fields: [{ field: 'text' }] }],
    ['half a character', { text: '\ud83d' }, { fields: [{ field: 'text' }] }],
    ['too much text', { text: 'x'.repeat(301) }, { fields: [{ field: 'text' }] }],
    [
      'an end that is its beginning',
      { until: new Date(Date.UTC(2026, 10, 20)) },
      { fields: [{ field: 'until' }] },
    ],
    ['an unknown package', { packageId: 987 }, { code: 'NO_PACKAGE' }],
    ['an unknown video', { accessKey: 'nothing' }, { code: 'NO_VIDEO' }],
    [
      'a package and a video',
      { packageId: 1, accessKey: 'film' },
      { fields: [{ field: 'packageId' }] },
    ],
  ])('are refused with %s', async (_, changes, reason) => {
    const refused = await catalog.annotations.create(fieldsOf(changes));
    expect(refused).toMatchObject({ ok: false, reason });
    expect(await texts()).toEqual([]);
  });

  test('go with their package or video, and no others', async () => {
    const { packageId } = library;
    const accessKey = 'film';
    const film = { folderId: library.folderId, accessKey, title: 'Film' };
    accepted(await catalog.videos.create(accountId, film));
    await create({ text: 'of the account' });
    const ofPackage = await create({ text: 'of the package', packageId });
    const ofVideo = await create({ text: 'of the video', accessKey });
    expect(ofVideo).toMatchObject({ accessKey, packageId: undefined });
    accepted(await catalog.videos.delete(accountId, accessKey));
    expect(await texts()).toEqual(['of the account', 'of the package']);
    expect(await lastChanges(2)).toEqual([
      ['VIDEO_DELETED', accessKey],
      ['ANNOTATION_DELETED', String(ofVideo.annotationId)],
    ]);
    accepted(await catalog.packages.delete(accountId, packageId));
    expect(await texts()).toEqual(['of the account']);
    expect(await lastChanges(2)).toEqual([
      ['PACKAGE_DELETED', String(packageId)],
      ['ANNOTATION_DELETED', String(ofPackage.annotationId)],
    ]);
  });

  test('go when the whole account is erased, and not for less', async () => {
    await create();
    const erase = async (packageId: number) => {
      const target = { accountId, kind: 'playback', viewer: '', views: [], videoId: 0 } as const;
      const until = { packageId, untilMs: clock.now() + 1 };
      const counts = { views: 1, facts: 1 };
      accepted(await catalog.erasures.record({ ...target, ...until }, counts));
    };
    await erase(library.packageId);
    expect(await texts()).toHaveLength(1);
    await erase(0);
    expect(await texts()).toEqual([]);
  });

  test('are bounded for each account, also when several are written at once', async () => {
    const most = countLimits.annotations;
    for (let made = 0; made < most - 1; made += 1) await create({ text: String(made) });
    const some = await Promise.all(
      Array.from({ length: 4 }, () => catalog.annotations.create(fieldsOf())),
    );
    expect(some.filter(({ ok }) => ok)).toHaveLength(1);
    expect(some.find(({ ok }) => !ok)).toMatchObject({ reason: { code: 'TOO_MANY_ANNOTATIONS' } });
    expect(await texts()).toHaveLength(most);
  }, 60_000);
});
