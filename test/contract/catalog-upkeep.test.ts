/** What the operator learns of the database of the catalog. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { catalogStores } from '../support/catalogs.ts';
import { describeKinds } from '../support/each-kind.ts';

describeKinds(catalogStores(), 'the database of $name', (store) => {
  let catalog: Catalog;
  let isServer: boolean;
  beforeAll(async () => {
    const opened = await store.startWithCatalog();
    catalog = opened.catalog;
    isServer = 'databaseUrl' in opened.location;
  });
  afterAll(() => store.stop());

  test('says its version', async () => {
    const version = isServer ? /^PostgreSQL \d+\.\d+/ : /^SQLite 3\.\d+/;
    expect(await catalog.upkeep.version()).toMatch(version);
  });

  test('says the time of its server, if it has one', async () => {
    const serverMs = await catalog.upkeep.serverMs();
    const now = expect.toSatisfy((ms) => Math.abs(ms - Date.now()) < 60_000);
    expect(serverMs).toEqual(isServer ? now : undefined);
  });
});
