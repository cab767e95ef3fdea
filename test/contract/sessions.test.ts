/** People who are signed in at the dashboard: how long, and what ends it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import type { CatalogLocation } from '../../src/catalog/database/database.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

const dayMs = 86_400_000;
const scopes = ['stats:read', 'manage'] as const;

describeKinds(catalogStores(), 'sessions on $name', (store) => {
  const clock = manualClock();
  let location: CatalogLocation;
  let catalog: Catalog;
  let accountId: number;
  let keyId: number;

  beforeAll(async () => {
    ({ location, catalog } = await store.startWithCatalog(clock));
    const account = { name: 'Studio', timeZone: 'Asia/Seoul' };
    accountId = accepted(await catalog.accounts.create(account)).accountId;
  });
  beforeEach(async () => {
    ({ keyId } = accepted(await catalog.keys.create({ accountId, name: 'Mine', scopes })));
  });
  afterAll(() => store.stop());

  const isOpen = async (token: string, within = catalog) =>
    (await within.sessions.find(token)) !== undefined;

  test('act with the name, account and rights of their key', async () => {
    const { token } = await catalog.sessions.begin(keyId);
    expect(await catalog.sessions.find(token)).toEqual({
      ...{ accountId, name: 'Studio', timeZone: 'Asia/Seoul' },
      ...{ keyId, keyName: 'Mine', scopes: ['stats:read', 'manage'] },
    });
    expect(await isOpen(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toBe(false);
    expect(await isOpen('')).toBe(false);
  });

  test('end when the person signs out, here and at another process, and no other', async () => {
    const [left, kept] = [
      await catalog.sessions.begin(keyId),
      await catalog.sessions.begin(keyId),
    ].map(({ token }) => token) as [string, string];
    const other = await store.open(location, clock);
    expect([await isOpen(left, other), await isOpen(left)]).toEqual([true, true]);
    await catalog.sessions.end(left);
    expect(await isOpen(left)).toBe(false);
    clock.advance(1_000);
    expect(await isOpen(left, other)).toBe(false);
    expect([await isOpen(kept, other), await isOpen(kept)]).toEqual([true, true]);
  });

  test('are counted while they are open, and the size of the catalog is known', async () => {
    const before = await catalog.upkeep.size();
    const { token } = await catalog.sessions.begin(keyId);
    await catalog.sessions.createLink(keyId);
    const during = await catalog.upkeep.size();
    expect(during.bytes).toBeGreaterThan(4_096);
    expect(during).toMatchObject({ sessions: before.sessions + 1, openErasures: 0 });
    await catalog.sessions.end(token);
    expect((await catalog.upkeep.size()).sessions).toBe(before.sessions);
  });

  test('end with their key', async () => {
    const { token } = await catalog.sessions.begin(keyId);
    expect(await isOpen(token)).toBe(true);
    await catalog.keys.revoke({ accountId, keyId });
    expect(await isOpen(token)).toBe(false);

    const expiresAt = new Date(clock.now() + 1_000);
    const short = accepted(await catalog.keys.create({ accountId, scopes, expiresAt }));
    const { token: ofShort } = await catalog.sessions.begin(short.keyId);
    expect(await isOpen(ofShort)).toBe(true);
    clock.advance(1_000);
    expect(await isOpen(ofShort)).toBe(false);
  });

  test('end after 30 days, and are then deleted', async () => {
    const { token, expiresAt } = await catalog.sessions.begin(keyId);
    expect(expiresAt.getTime()).toBe(clock.now() + 30 * dayMs);
    clock.advance(30 * dayMs - 1);
    expect(await isOpen(token)).toBe(true);
    clock.advance(1);
    expect(await isOpen(token)).toBe(false);
    let deleted = 0;
    for (let some = 1; some > 0; deleted += some) some = await catalog.sessions.purge();
    expect(deleted).toBeGreaterThan(0);
  });

  test('of one key the newest 50 go on', async () => {
    const { token: first } = await catalog.sessions.begin(keyId);
    const { token: second } = await catalog.sessions.begin(keyId);
    expect(await isOpen(first)).toBe(true);
    for (let more = 0; more < 49; more += 1) await catalog.sessions.begin(keyId);
    expect([await isOpen(first), await isOpen(second)]).toEqual([false, true]);
  });

  test('a link signs in once, even if it is followed twice at a time', async () => {
    const link = await catalog.sessions.createLink(keyId);
    expect(await isOpen(link)).toBe(false);
    const followed = await Promise.all([
      catalog.sessions.followLink(link),
      catalog.sessions.followLink(link),
    ]);
    const [session, ...others] = followed.filter((one) => one !== undefined);
    expect(others).toEqual([]);
    expect(await isOpen(session?.token ?? '')).toBe(true);
    expect(await catalog.sessions.followLink(link)).toBeUndefined();
  });

  test('a link is void after a day, and a session is no link', async () => {
    const link = await catalog.sessions.createLink(keyId);
    const { token } = await catalog.sessions.begin(keyId);
    clock.advance(dayMs);
    expect(await catalog.sessions.followLink(link)).toBeUndefined();
    expect(await catalog.sessions.followLink(token)).toBeUndefined();
  });
});
