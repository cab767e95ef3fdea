/** Files of the tables as of a moment, and tables that are made of them in another database. */
import { randomUUID } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { dropDatabase } from '../../../test/support/drop-database.ts';
import { startRecordingServer } from '../../../test/support/recording-server.ts';
import { engineAccess, engineFolder } from '../../../test/support/shared-parts.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import { listFolders } from '../../lib/folders.ts';
import { type FactStore, openFactStore } from '../client/store-client.ts';
import { tables } from '../tables/schema.ts';
import { freezeTables, makeTables, removeFrozen } from './frozen-tables.ts';

const made = useNewStore();
const storeFolder = () => join(engineFolder(), 'store');
const names = Object.values(tables)
  .map(({ name }) => name)
  .sort();
/** A column of each table whose rows a restored store has to make anew. */
const leftOut: Readonly<Record<string, string>> = {
  ...{ audience_day: 'accountId', audience_seen: 'accountId', checked_day: 'accountId' },
  ...{ irregular_fact: 'accountId', irregular_view: 'accountId', migrating: 'ended' },
  rolled: 'one',
};

beforeAll(async () => {
  const { write, run } = made();
  for (const playMs of [1_000, 2_000]) {
    await write([
      {
        ...{ accountId: 7, slotStart: 0, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
        ...{ view: randomUUID(), stretch: 0, suspect: '', plays: 1, playMs },
      },
    ]);
  }
  await run('INSERT INTO playback_sum (accountId, playMs) SELECT 7, 3000');
  for (const [table, column] of Object.entries(leftOut)) {
    await run(`INSERT INTO ${table} (${column}) SELECT 1`);
  }
});

const rowsOf = (store: FactStore, table: string) =>
  store.select({ name: 'test', sql: `SELECT * FROM ${table} ORDER BY ALL`, parameters: {} });

async function openEmpty(): Promise<FactStore> {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const access = engineAccess();
  const store = openFactStore({ ...access, database });
  onTestFinished(async () => {
    await store.close();
    await dropDatabase({ ...access, urls: [access.url] }, database);
  });
  return store;
}

test('tables made of the files have the rows of that moment, without what is made anew', async () => {
  const { store, run } = made();
  const [facts, sums] = [await rowsOf(store, 'stretch'), await rowsOf(store, 'playback_sum')];
  expect(facts).toHaveLength(2);
  const frozen = await freezeTables(store, storeFolder());
  const [engine] = await made().rows<object>('SELECT version() AS version');
  expect({ version: frozen.engine }).toEqual(engine);
  expect(frozen.tables.map(({ name }) => name)).toEqual(names);
  const withParts = frozen.tables.filter(({ parts }) => parts.length > 0);
  expect(withParts.map(({ name }) => name)).toEqual(['playback_sum', 'stretch', 'touched']);
  await run('TRUNCATE TABLE stretch');

  // Next to the store's files, which its parts are moved to.
  const copied = join(engineFolder(), randomUUID());
  onTestFinished(() => rm(copied, { recursive: true, force: true }));
  const kept = [];
  for (const { name, create, parts } of frozen.tables) {
    for (const { part, folder } of parts) {
      await cp(folder, join(copied, name, part), { recursive: true });
    }
    kept.push({ name, create, parts: parts.map(({ part }) => part) });
  }
  const restored = await openEmpty();
  await makeTables(restored, kept, copied);
  expect(await rowsOf(restored, 'stretch')).toEqual(facts);
  expect(await rowsOf(restored, 'playback_sum')).toEqual(sums);
  for (const name of Object.keys(leftOut)) expect(await rowsOf(restored, name)).toEqual([]);
  for (const name of names) expect(await listFolders(join(copied, name))).toEqual([]);

  const shadow = join(storeFolder(), 'shadow');
  expect(await listFolders(shadow)).toEqual(['playmeter_backup']);
  await removeFrozen(storeFolder());
  expect(await listFolders(shadow)).toEqual([]);
  // May be repeated.
  await removeFrozen(storeFolder());
});

test('a table with rows whose files are not where they should be is a mistake', async () => {
  const frozen = freezeTables(made().store, join(storeFolder(), 'elsewhere'));
  await expect(frozen).rejects.toThrow(/what is frozen of \w+ is in/);
  await removeFrozen(storeFolder());
});

test('sums are frozen before the facts, and what is made anew not at all', async () => {
  const server = await startRecordingServer(() => []);
  const access = { username: 'one', password: '', database: 'stats' };
  const store = openFactStore({ ...access, url: server.url });
  onTestFinished(async () => {
    await store.close();
    await server.close();
  });
  expect(await freezeTables(store, storeFolder())).toEqual({ engine: '', tables: [] });
  const [describing, ...freezing] = server.asked;
  expect(describing?.parameters.param_names?.match(/\w+/g)?.sort()).toEqual(names);
  expect(freezing.map(({ sql }) => / TABLE (\w+) FREEZE/.exec(sql)?.[1])).toEqual([
    ...['playback_sum', 'peak'],
    ...['stretch', 'touched', 'event', 'ledger', 'migration'],
  ]);
});
