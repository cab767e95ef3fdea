/** What an account's tokens are checked with. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import type { CatalogLocation } from '../../src/catalog/database/database.ts';
import { refused } from '../../src/catalog/refusal.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { addAccount, catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { manualClock } from '../support/manual-clock.ts';

const hourMs = 3_600_000;
const material = Buffer.from([0, 1, 254, 255]);
const other = Buffer.from('another');

describeKinds(catalogStores(), 'signing keys on $name', (store) => {
  const clock = manualClock();
  let location: CatalogLocation;
  let catalog: Catalog;
  let accountId: number;

  beforeAll(async () => {
    ({ location, catalog } = await store.startWithCatalog(clock));
  });
  afterAll(() => store.stop());
  beforeEach(async () => {
    accountId = await newAccount();
  });

  const newAccount = () => addAccount(catalog);

  async function add(algorithm: 'HS256' | 'EdDSA' = 'HS256', of = accountId) {
    return accepted(await catalog.signingKeys.add({ accountId: of, algorithm, material }));
  }
  const nameOf = ({ signingKeyId }: { signingKeyId: number }) => ({ accountId, signingKeyId });
  const idsOf = (keys: readonly { signingKeyId: number }[]) =>
    keys.map(({ signingKeyId }) => signingKeyId);

  test('are kept as they were given, byte for byte, each in its own account', async () => {
    const secret = await add();
    const publicKey = await add('EdDSA');
    expect(secret).toEqual({
      signingKeyId: expect.any(Number),
      accountId,
      algorithm: 'HS256',
      material,
      createdAt: new Date(clock.now()),
      expiresAt: undefined,
    });
    expect(publicKey).toMatchObject({ algorithm: 'EdDSA' });
    expect(await catalog.signingKeys.list(accountId)).toEqual([secret, publicKey]);
    expect(await catalog.signingKeys.known(accountId)).toEqual([secret, publicKey]);

    const stranger = { ...nameOf(secret), accountId: await newAccount() };
    const { signingKeys } = catalog;
    expect(await signingKeys.list(stranger.accountId)).toEqual([]);
    expect(await signingKeys.delete(stranger)).toEqual(refused('NO_SIGNING_KEY'));
    expect(await signingKeys.rotate(stranger, other, 0)).toEqual(refused('NO_SIGNING_KEY'));
    const nobody = { accountId: 999_999, algorithm: 'HS256', material } as const;
    expect(await signingKeys.add(nobody)).toEqual(refused('NO_ACCOUNT'));
  });

  test('are replaced once, and only secrets are', async () => {
    const { signingKeys } = catalog;
    const old = await add();
    const next = accepted(await signingKeys.rotate(nameOf(old), other, hourMs));
    expect(next).toMatchObject({ algorithm: 'HS256', material: other, expiresAt: undefined });
    const expiresAt = new Date(clock.now() + hourMs);
    expect(await signingKeys.list(accountId)).toEqual([{ ...old, expiresAt }, next]);
    expect(await signingKeys.rotate(nameOf(old), other, 0)).toEqual(refused('KEY_ENDED'));
    const publicKey = await add('EdDSA');
    expect(await signingKeys.rotate(nameOf(publicKey), other, 0)).toEqual(refused('NOT_A_SECRET'));
  });

  test('are 10 at most; those that have expired make room', async () => {
    const { signingKeys } = catalog;
    const first = await add();
    for (let count = 1; count < 9; count += 1) await add();
    accepted(await signingKeys.rotate(nameOf(first), other, hourMs));
    const more = { accountId, algorithm: 'EdDSA', material } as const;
    expect(await signingKeys.add(more)).toEqual(refused('TOO_MANY_SIGNING_KEYS'));
    clock.advance(hourMs - 1);
    expect(await signingKeys.add(more)).toEqual(refused('TOO_MANY_SIGNING_KEYS'));
    const last = (await signingKeys.list(accountId)).at(-1);
    const full = signingKeys.rotate(nameOf({ signingKeyId: last?.signingKeyId ?? 0 }), other, 0);
    expect(await full).toEqual(refused('TOO_MANY_SIGNING_KEYS'));
    expect((await signingKeys.list(accountId)).at(-1)).toEqual(last);
    clock.advance(1);
    accepted(await signingKeys.add(more));
    expect(idsOf(await signingKeys.list(accountId))).not.toContain(first.signingKeyId);
  });

  test('are 10 at most, also when several are added or replaced at once', async () => {
    const { signingKeys } = catalog;
    // Made at once, or PostgreSQL would have one connection, and the changes follow each other.
    const [first] = await Promise.all([add(), ...Array.from({ length: 8 }, () => add())]);
    const some = await Promise.all([
      signingKeys.rotate(nameOf(first), other, hourMs),
      ...Array.from({ length: 12 }, () =>
        signingKeys.add({ accountId, algorithm: 'EdDSA', material }),
      ),
    ]);
    expect(some.filter(({ ok }) => ok)).toHaveLength(1);
    expect(some.find(({ ok }) => !ok)).toEqual(refused('TOO_MANY_SIGNING_KEYS'));
    expect(await signingKeys.list(accountId)).toHaveLength(10);
  });

  test('are the same object while nothing changes, and known elsewhere in a second', async () => {
    const old = await add();
    const elsewhere = await store.open(location, clock);
    const before = await elsewhere.signingKeys.known(accountId);
    expect(await elsewhere.signingKeys.known(accountId)).toBe(before);
    accepted(await catalog.signingKeys.delete(nameOf(old)));
    const next = await add();
    expect(idsOf(await catalog.signingKeys.known(accountId))).toEqual([next.signingKeyId]);
    clock.advance(1_000);
    expect(idsOf(await elsewhere.signingKeys.known(accountId))).toEqual([next.signingKeyId]);
  });

  test('the secrets of all accounts are read in order, without expired ones', async () => {
    const { signingKeys } = catalog;
    const first = await add();
    await add('EdDSA');
    const second = await add('HS256', await newAccount());
    const expired = await add();
    const next = accepted(await signingKeys.rotate(nameOf(expired), other, 0));
    const before = first.signingKeyId - 1;
    const wanted = [first, second, next];
    expect(await signingKeys.secretsAfter(before, 10)).toEqual(wanted);
    expect(await signingKeys.secretsAfter(before, 2)).toEqual(wanted.slice(0, 2));
    expect(await signingKeys.secretsAfter(first.signingKeyId, 10)).toEqual(wanted.slice(1));
  });
});
