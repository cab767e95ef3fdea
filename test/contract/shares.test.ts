/** Links that show a view of the dashboard: what may be made, by whom, and when they end. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Catalog, NewShare } from '../../src/catalog/catalog.ts';
import type { CatalogLocation } from '../../src/catalog/database/database.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { countLimits } from '../../src/catalog/refusal.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addLibrary, catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

const dayMs = 86_400_000;

describeKinds(catalogStores(), 'shares on $name', (store) => {
  const clock = manualClock();
  let location: CatalogLocation;
  let catalog: Catalog;
  let accountId: number;

  beforeAll(async () => {
    ({ location, catalog } = await store.startWithCatalog(clock));
  });
  afterAll(() => store.stop());
  beforeEach(async () => {
    const account = { name: 'Studio', timeZone: 'Asia/Seoul' };
    accountId = accepted(await catalog.accounts.create(account)).accountId;
  });

  const fieldsOf = (changes: Partial<NewShare> = {}): NewShare => ({
    ...{ accountId, name: 'November', accessKey: undefined, packageId: undefined },
    ...{ filters: '', period: { lastDays: 28 }, compare: 'none', timeZone: undefined },
    ...{ origins: [], expiresAt: undefined },
    ...changes,
  });
  const create = async (changes?: Partial<NewShare>, on = catalog) =>
    accepted(await on.shares.create(fieldsOf(changes)));
  const textOf = ({ start, secret }: { start: string; secret: string }) => start + secret;

  test('are found by the whole token, and listed', async () => {
    const fixed = { period: { from: '2026-11-01', to: '2026-11-30' } } as const;
    const { share, token } = await create({ ...fixed, filters: 'os==iOS', compare: 'year' });
    expect(share).toMatchObject({ ...fixed, timeZone: 'Asia/Seoul', filters: 'os==iOS' });
    expect(share).toMatchObject({ createdBy: 'SERVICE', createdAt: new Date(clock.now()) });
    expect(await catalog.shares.find(textOf(token))).toEqual(share);
    expect(await catalog.shares.list(accountId)).toEqual([share]);
    const other = await create();
    const { start, secret } = token;
    const wrong = ['', start, secret, `${start}${other.token.secret}`, `${textOf(token)}A`];
    for (const text of wrong) expect(await catalog.shares.find(text)).toBeUndefined();
  });

  test('end when they expire, and when they are revoked', async () => {
    const expiresAt = new Date(clock.now() + dayMs);
    const { share, token } = await create({ expiresAt, origins: ['https://a.example'] });
    clock.advance(dayMs - 1);
    expect(await catalog.shares.find(textOf(token))).toEqual(share);
    clock.advance(1);
    expect(await catalog.shares.find(textOf(token))).toBeUndefined();
    expect(await catalog.shares.originsOf(token.start)).toEqual(['https://a.example']);

    const other = await create();
    const { shareId } = other.share;
    const stranger = accepted(await catalog.accounts.create({ name: 'B', timeZone: 'UTC' }));
    const foreign = await catalog.shares.revoke({ ...stranger, shareId });
    expect(foreign).toMatchObject({ ok: false, reason: { code: 'NO_SHARE' } });
    expect(await catalog.shares.find(textOf(other.token))).toBeDefined();
    accepted(await catalog.shares.revoke({ accountId, shareId }));
    expect(await catalog.shares.find(textOf(other.token))).toBeUndefined();
    expect(await catalog.shares.originsOf(other.token.start)).toEqual([]);
    expect(await catalog.shares.revoke({ accountId, shareId })).toMatchObject({ ok: false });
    expect(await catalog.audit.list(accountId, { limit: 1 })).toMatchObject([
      { action: 'SHARE_REVOKED', object: String(shareId), before: { name: 'November' } },
    ]);
  });

  test('are gone 30 days after they expired, in portions, and no others', async () => {
    const expiresAt = new Date(clock.now() + dayMs);
    for (let made = 0; made < 120; made += 1) await create({ expiresAt });
    const { share } = await create({ expiresAt: new Date(clock.now() + dayMs + 1) });
    const { share: endless } = await create();
    const purge = async () => {
      const portions: number[] = [];
      while (portions.at(-1) !== 0) portions.push(await catalog.shares.purge());
      return portions;
    };
    clock.advance(31 * dayMs - 1);
    await purge();
    expect(await catalog.shares.list(accountId)).toHaveLength(122);
    clock.advance(1);
    expect(await purge()).toEqual([100, 20, 0]);
    expect(await catalog.shares.list(accountId)).toEqual([share, endless]);
  });

  test('go when the whole account is erased, and not for less', async () => {
    const { share, token } = await create();
    const other = accepted(await catalog.accounts.create({ name: 'Other', timeZone: 'UTC' }));
    const foreign = await create({ accountId: other.accountId });
    const now = clock.now();
    const erase = async (packageId: number, untilMs: number) => {
      const target = { accountId, kind: 'playback', viewer: '', views: [], videoId: 0 } as const;
      const counts = { views: 1, facts: 1 };
      accepted(await catalog.erasures.record({ ...target, packageId, untilMs }, counts));
    };
    await erase(7, now + 1);
    // What was played before a day.
    await erase(0, now);
    expect(await catalog.shares.find(textOf(token))).toEqual(share);
    await erase(0, now + 1);
    expect(await catalog.shares.find(textOf(token))).toBeUndefined();
    expect(await catalog.shares.list(accountId)).toEqual([]);
    expect(await catalog.shares.find(textOf(foreign.token))).toEqual(foreign.share);
    expect(await catalog.audit.list(accountId, { limit: 2 })).toMatchObject([
      { action: 'PLAYBACK_ERASED' },
      { action: 'SHARE_REVOKED', object: String(share.shareId), before: { name: 'November' } },
    ]);
  });

  test('a revocation is seen by other processes within a second', async () => {
    const { share, token } = await create();
    const other = await openCatalog({ location, clock });
    expect(await other.shares.find(textOf(token))).toEqual(share);
    accepted(await catalog.shares.revoke(share));
    clock.advance(1_000);
    expect(await other.shares.find(textOf(token))).toBeUndefined();
    await other.close();
  });

  test.each([
    ...['https://*.example.com', '*', 'null', 'https://a.example;script-src', "'self'"],
    ...['https://a.example/path', 'https://a.example b', 'ftp://a.example', 'app://a', ''],
    ...["https://a.example'", 'https://a,b', 'https://user@a.example', 'https://a.example?'],
  ])('%j may not embed one: it would mean more in a policy', async (origin) => {
    const made = await catalog.shares.create(fieldsOf({ origins: ['https://a.example', origin] }));
    const fields = [{ field: 'origins.1' }];
    expect(made).toMatchObject({ ok: false, reason: { code: 'INVALID', fields } });
  });

  test('origins are stored as browsers write them, once', async () => {
    const given = ['HTTPS://A.example:443', 'https://a.example', 'http://[::1]:8080'];
    const { share, token } = await create({ origins: given });
    expect(share.origins).toEqual(['https://a.example', 'http://[::1]:8080']);
    expect(await catalog.shares.originsOf(token.start)).toEqual(share.origins);
  });

  test.each<[Partial<NewShare>, string]>([
    [{ accessKey: 'nothing' }, 'NO_VIDEO'],
    [{ packageId: 987_654 }, 'NO_PACKAGE'],
    [{ accountId: 987_654 }, 'NO_ACCOUNT'],
    [{ name: ' ' }, 'INVALID'],
    [{ timeZone: 'Mars/Olympus' }, 'INVALID'],
    [{ expiresAt: new Date(0) }, 'INVALID'],
    [{ origins: Array(21).fill('https://a.example') }, 'INVALID'],
  ])('%j is refused', async (changes, code) => {
    const made = await catalog.shares.create(fieldsOf(changes));
    expect(made).toMatchObject({ ok: false, reason: { code } });
    expect(await catalog.shares.list(accountId)).toEqual([]);
  });

  test('of another account name no package and no video', async () => {
    const { accountId: foreign, folderId, packageId } = await addLibrary(catalog);
    accepted(await catalog.videos.create(foreign, { folderId, title: 'A', accessKey: 'theirs' }));
    const refused = (code: string) => ({ ok: false, reason: { code } });
    const make = (of: Partial<NewShare>) => catalog.shares.create(fieldsOf(of));
    expect(await make({ packageId })).toMatchObject(refused('NO_PACKAGE'));
    expect(await make({ accessKey: 'theirs' })).toMatchObject(refused('NO_VIDEO'));
    accepted(await make({ accountId: foreign, packageId, accessKey: 'theirs' }));
  });

  test('a key makes none that may do more than itself, or for longer', async () => {
    const asKey = async (scopes: readonly ('manage' | 'stats:read')[], expiresAt?: Date) => {
      const key = accepted(await catalog.keys.create({ accountId, scopes, expiresAt }));
      return catalog.as({ kind: 'KEY', keyId: key.keyId, keyName: 'A', address: '127.0.0.1' });
    };
    const blind = await asKey(['manage']);
    const refused = (code: string) => ({ ok: false, reason: { code } });
    expect(await blind.shares.create(fieldsOf())).toMatchObject(refused('SCOPES_BEYOND_MAKER'));
    const end = new Date(clock.now() + dayMs);
    const short = await asKey(['manage', 'stats:read'], end);
    expect(await short.shares.create(fieldsOf())).toMatchObject(refused('END_BEYOND_MAKER'));
    const later = fieldsOf({ expiresAt: new Date(end.getTime() + 1) });
    expect(await short.shares.create(later)).toMatchObject(refused('END_BEYOND_MAKER'));
    const { share } = await create({ expiresAt: end }, short);
    expect(share).toMatchObject({ createdBy: expect.stringMatching(/^KEY:/), createdByName: 'A' });
  });

  test('an account has room for a number of them', async () => {
    for (let made = 0; made < countLimits.shares; made += 1) await create();
    const refused = { ok: false, reason: { code: 'TOO_MANY_SHARES' } };
    expect(await catalog.shares.create(fieldsOf())).toMatchObject(refused);
    const [first] = await catalog.shares.list(accountId);
    if (first) accepted(await catalog.shares.revoke(first));
    await create();
  });
});
