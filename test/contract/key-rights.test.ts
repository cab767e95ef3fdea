/** What a key may make, and when it was used. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Catalog, Key } from '../../src/catalog/catalog.ts';
import type { CatalogLocation } from '../../src/catalog/database/database.ts';
import { refused } from '../../src/catalog/refusal.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import type { Scope } from '../../src/vocabulary/scopes.ts';
import { addAccount, catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

const minuteMs = 60_000;

describeKinds(catalogStores(), 'keys on $name', (store) => {
  const clock = manualClock();
  let location: CatalogLocation;
  let catalog: Catalog;
  let accountId: number;

  beforeAll(async () => {
    ({ location, catalog } = await store.startWithCatalog(clock));
    accountId = await addAccount(catalog);
  });

  afterAll(() => store.stop());

  const inSeconds = (seconds: number) => new Date(clock.now() + seconds * 1_000);
  const keyOf = async (keyId: number): Promise<Key | undefined> =>
    (await catalog.keys.list(accountId)).find((key) => key.keyId === keyId);

  /** A key, and the catalog as it is changed by it. */
  async function newKey(scopes: readonly Scope[], expiresAt?: Date) {
    const key = accepted(await catalog.keys.create({ accountId, name: 'Own', scopes, expiresAt }));
    const { keyId } = key;
    const sender = { kind: 'KEY', keyId, keyName: 'Own', address: '192.0.2.1' } as const;
    const { keys: acting, signingKeys: signing } = catalog.as(sender);
    return { ...key, name: { accountId, keyId }, acting, signing };
  }

  test.each([
    [['manage'], undefined],
    [['manage', 'info:read'], undefined],
    [['info:read'], 20],
  ] as const)('make keys with their own scopes at most: %s, for %s s', async (scopes, seconds) => {
    const { acting } = await newKey(['manage', 'info:read']);
    const expiresAt = seconds && inSeconds(seconds);
    const made = accepted(
      await acting.create({ accountId, scopes, expiresAt: expiresAt || undefined }),
    );
    expect((await keyOf(made.keyId))?.expiresAt).toEqual(expiresAt);
  });

  test('make none with further scopes', async () => {
    const { acting } = await newKey(['manage', 'info:read']);
    for (const scopes of [['stats:read'], ['manage', 'collect:write']] as const) {
      expect(await acting.create({ accountId, scopes })).toEqual(refused('SCOPES_BEYOND_MAKER'));
    }
  });

  test('make none that ends later', async () => {
    const { acting } = await newKey(['manage'], inSeconds(20));
    const scopes = ['manage'] as const;
    for (const expiresAt of [undefined, new Date(inSeconds(20).getTime() + 1)]) {
      const made = await acting.create({ accountId, scopes, expiresAt });
      expect(made).toEqual(refused('END_BEYOND_MAKER'));
    }
    accepted(await acting.create({ accountId, scopes, expiresAt: inSeconds(20) }));
  });

  test('rotate none that they could not make, and always themselves', async () => {
    const own = await newKey(['manage'], inSeconds(20));
    const wider = await newKey(['manage', 'info:read'], inSeconds(20));
    const longer = await newKey(['manage'], inSeconds(21));
    const endless = await newKey(['manage']);
    const { acting } = own;
    expect(await acting.rotate(wider.name, 0)).toEqual(refused('SCOPES_BEYOND_MAKER'));
    for (const { name } of [longer, endless]) {
      expect(await acting.rotate(name, 0)).toEqual(refused('END_BEYOND_MAKER'));
    }
    expect(await catalog.keys.authenticate(wider.secret)).toBeDefined();
    const end = inSeconds(20);
    const next = accepted(await acting.rotate(own.name, 5_000));
    expect(await keyOf(next.keyId)).toMatchObject({
      name: 'Own',
      scopes: ['manage'],
      expiresAt: end,
    });
    // Its own end has come nearer since.
    expect(await acting.rotate({ accountId, keyId: next.keyId }, 0)).toEqual(
      refused('END_BEYOND_MAKER'),
    );
    accepted(await endless.acting.rotate(longer.name, 0));
  });

  test('that expire make and rotate no signing keys, which would go on after them', async () => {
    const endless = await newKey(['manage']);
    const ending = await newKey(['manage'], inSeconds(20));
    const without = await newKey(['info:read']);
    const secret = { accountId, algorithm: 'HS256', material: Buffer.from('secret') } as const;
    const { signingKeyId } = accepted(await endless.signing.add(secret));
    const name = { accountId, signingKeyId };
    for (const [{ signing }, code] of [
      [ending, 'END_BEYOND_MAKER'],
      [without, 'SCOPES_BEYOND_MAKER'],
    ] as const) {
      expect(await signing.add(secret)).toEqual(refused(code));
      expect(await signing.rotate(name, secret.material, 0)).toEqual(refused(code));
    }
    expect(await catalog.signingKeys.list(accountId)).toHaveLength(1);
    accepted(await endless.signing.rotate(name, secret.material, 0));
    // It takes nothing for longer than itself, so it may delete.
    accepted(await ending.signing.delete(name));
  });

  test('that were revoked meanwhile make none, nor do those of another account', async () => {
    const { acting, name } = await newKey(['manage']);
    accepted(await catalog.keys.revoke(name));
    const scopes = ['manage'] as const;
    expect(await acting.create({ accountId, scopes })).toEqual(refused('SCOPES_BEYOND_MAKER'));
    const foreign = { name: 'Other', timeZone: 'UTC' };
    const other = accepted(await catalog.accounts.create(foreign)).accountId;
    const { acting: stranger } = await newKey(['manage']);
    expect(await stranger.create({ accountId: other, scopes })).toEqual(
      refused('SCOPES_BEYOND_MAKER'),
    );
  });

  test('have a name of at most 200 characters', async () => {
    const { keyId } = await newKey(['manage']);
    expect(await keyOf(keyId)).toMatchObject({ name: 'Own', lastUsedAt: undefined });
    const scopes = ['manage'] as const;
    accepted(await catalog.keys.create({ accountId, name: 'x'.repeat(200), scopes }));
    for (const name of ['x'.repeat(201), 'a\u0000']) {
      expect(await catalog.keys.create({ accountId, name, scopes })).toMatchObject({
        reason: { code: 'INVALID', fields: [{ field: 'name' }] },
      });
    }
  });

  test('show the minute of their last use, written once a minute', async () => {
    // What other tests have left is written.
    clock.advance(5_000);
    const user = await store.open(location, clock);
    const { keyId, secret } = await newKey(['manage']);
    const idle = await newKey(['manage']);
    const minute = Math.floor(clock.now() / minuteMs) * minuteMs + minuteMs;
    clock.set(minute);
    await user.keys.authenticate(secret);
    expect(clock.waiting()).toBe(1);
    clock.advance(5_000);
    await expect.poll(async () => (await keyOf(keyId))?.lastUsedAt).toEqual(new Date(minute));
    expect((await keyOf(idle.keyId))?.lastUsedAt).toBeUndefined();

    clock.set(minute + minuteMs - 1);
    await user.keys.authenticate(secret);
    await user.keys.authenticate('pm_unknown');
    expect(clock.waiting()).toBe(0);
    clock.set(minute + minuteMs);
    await user.keys.authenticate(secret);
    expect(clock.waiting()).toBe(1);
    // What waits is written when the process stops.
    await user.close();
    expect((await keyOf(keyId))?.lastUsedAt).toEqual(new Date(minute + minuteMs));
    expect(clock.waiting()).toBe(0);
  });

  test('keep the later use of two nodes', async () => {
    const [early, late] = [await store.open(location, clock), await store.open(location, clock)];
    const { keyId, secret } = await newKey(['manage']);
    await early.keys.authenticate(secret);
    clock.set(clock.now() + 2 * minuteMs);
    await late.keys.authenticate(secret);
    const used = new Date(Math.floor(clock.now() / minuteMs) * minuteMs);
    await late.close();
    await early.close();
    expect((await keyOf(keyId))?.lastUsedAt).toEqual(used);
  });

  test('that expired or were revoked are not used by those who still try them', async () => {
    const user = await store.open(location, clock);
    const ended = await newKey(['manage'], inSeconds(1));
    const revoked = await newKey(['manage']);
    accepted(await catalog.keys.revoke(revoked.name));
    clock.set(clock.now() + 2_000);
    for (const { secret } of [ended, revoked]) {
      expect(await user.keys.authenticate(secret)).toBeUndefined();
    }
    await user.close();
    for (const { keyId } of [ended, revoked]) {
      expect((await keyOf(keyId))?.lastUsedAt).toBeUndefined();
    }
  });
});
