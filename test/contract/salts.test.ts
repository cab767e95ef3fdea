/** The salts of anonymous viewers: one a day and account, the same for all, and destroyed in time. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Catalog, SaltDay } from '../../src/catalog/catalog.ts';
import type { CatalogLocation } from '../../src/catalog/database/database.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';

const hourMs = 3_600_000;
const noonMs = Date.UTC(2026, 10, 20, 12);

describeKinds(catalogStores(), 'salts on $name', (store) => {
  let clock: ManualClock;
  let location: CatalogLocation;
  let catalog: Catalog;

  beforeAll(() => store.start());
  afterAll(() => store.stop());
  beforeEach(async () => {
    clock = manualClock(noonMs);
    location = await store.newLocation();
    catalog = await store.open(location, clock);
  });

  async function newAccount(timeZone = 'UTC'): Promise<number> {
    return accepted(await catalog.accounts.create({ name: 'Studio', timeZone })).accountId;
  }
  const bytesOf = ({ salt }: SaltDay) => Buffer.from(salt ?? []).toString('hex');
  async function purgeAll(): Promise<number> {
    let purged = 0;
    for (let more = 1; more > 0; purged += more) more = await catalog.salts.purge();
    return purged;
  }

  test('each day of an account has one, by the clock of its zone', async () => {
    const accountId = await newAccount('Asia/Seoul');
    const day = await catalog.salts.dayOf(accountId, noonMs);
    expect(day).toEqual({
      fromMs: Date.UTC(2026, 10, 19, 15),
      untilMs: Date.UTC(2026, 10, 20, 15),
      salt: expect.any(Uint8Array),
    });
    expect(bytesOf(day)).toMatch(/^[0-9a-f]{64}$/);
    const { fromMs, untilMs } = day;
    for (const atMs of [fromMs, untilMs - 1]) {
      expect(await catalog.salts.dayOf(accountId, atMs)).toEqual(day);
    }
    const others = [
      await catalog.salts.dayOf(accountId, fromMs - 1),
      await catalog.salts.dayOf(accountId, untilMs),
      await catalog.salts.dayOf(await newAccount('Asia/Seoul'), noonMs),
    ];
    expect(new Set([day, ...others].map(bytesOf)).size).toBe(4);
  });

  test('who asks at once gets the same, as does another process', async () => {
    const accountId = await newAccount();
    const other = await store.open(location, clock);
    const asked = Array.from({ length: 10 }, () => catalog.salts.dayOf(accountId, noonMs));
    const days = await Promise.all(asked);
    days.push(await other.salts.dayOf(accountId, noonMs));
    expect(new Set(days.map(bytesOf)).size).toBe(1);
  });

  test('what was played before the zone changed keeps its salt, and days do not overlap', async () => {
    const accountId = await newAccount('UTC');
    const before = await catalog.salts.dayOf(accountId, noonMs);
    accepted(await catalog.accounts.change(accountId, { timeZone: 'Asia/Seoul' }));
    expect(await catalog.salts.dayOf(accountId, noonMs)).toEqual(before);
    const next = await catalog.salts.dayOf(accountId, before.untilMs);
    const former = await catalog.salts.dayOf(accountId, before.fromMs - 1);
    expect(next).toMatchObject({ fromMs: before.untilMs, untilMs: Date.UTC(2026, 10, 21, 15) });
    expect(former).toMatchObject({ fromMs: Date.UTC(2026, 10, 19, 15), untilMs: before.fromMs });
  });

  test('a day that was over too long ago has none, and gets none', async () => {
    const accountId = await newAccount();
    const endMs = Date.UTC(2026, 10, 21);
    const { salt } = await catalog.salts.dayOf(accountId, noonMs);
    clock.set(endMs + 46 * hourMs - 1);
    expect((await catalog.salts.dayOf(accountId, noonMs)).salt).toEqual(salt);
    clock.set(endMs + 46 * hourMs);
    expect(await catalog.salts.dayOf(accountId, noonMs)).toEqual({
      fromMs: endMs - 24 * hourMs,
      untilMs: endMs,
      salt: undefined,
    });
    const another = await newAccount();
    expect((await catalog.salts.dayOf(another, noonMs)).salt).toBeUndefined();
    clock.set(endMs + 47 * hourMs);
    expect(await purgeAll()).toBe(1);
  });

  test('48 hours after the day nothing of its salt is left in a file', async () => {
    const made: Buffer[] = [];
    // More than one page of the table, and more than a portion; some of them stay.
    for (let index = 0; index < 150; index += 1) {
      const accountId = await newAccount();
      for (const atMs of [noonMs, noonMs - 24 * hourMs]) {
        made.push(Buffer.from((await catalog.salts.dayOf(accountId, atMs)).salt ?? []));
      }
    }
    const [today, yesterday] = [0, 1].map((rest) => made.filter((_, at) => at % 2 === rest));
    const files =
      'sqliteFile' in location ? [location.sqliteFile, `${location.sqliteFile}-wal`] : [];
    const leftOf = async (salts: readonly Buffer[] = []) => {
      const bytes = Buffer.concat(await Promise.all(files.map((file) => readFile(file))));
      return salts.filter((salt) => bytes.includes(salt)).length;
    };
    const kept = files.length > 0 ? 150 : 0;
    expect([await leftOf(today), await leftOf(yesterday)]).toEqual([kept, kept]);

    clock.set(Date.UTC(2026, 10, 20) + 47 * hourMs - 1);
    expect(await purgeAll()).toBe(0);
    clock.set(Date.UTC(2026, 10, 20) + 47 * hourMs);
    expect(await purgeAll()).toBe(150);
    expect([await leftOf(today), await leftOf(yesterday)]).toEqual([kept, 0]);
    clock.set(Date.UTC(2026, 10, 21) + 47 * hourMs);
    expect(await purgeAll()).toBe(150);
    expect(await leftOf(made)).toBe(0);
  });
});
