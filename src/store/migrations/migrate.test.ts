import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { engineAccess } from '../../../test/support/shared-parts.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { type FactStore, openFactStore } from '../client/store-client.ts';
import {
  computeChecksum,
  findPending,
  type MigratedStore,
  migrate,
  pendingMigrations,
  requireMigrated,
} from './migrate.ts';
import type { Migration } from './migrations.ts';

const first: Migration = {
  name: '0001-first',
  statements: ['CREATE TABLE IF NOT EXISTS one (n UInt8) ENGINE = MergeTree ORDER BY n'],
};
/** Fills in data, and is not repeatable on purpose. */
const second: Migration = { name: '0002-second', statements: ['INSERT INTO one SELECT 2'] };
const broken: Migration = {
  name: '0003-broken',
  statements: ['INSERT INTO one SELECT 3', 'INSERT INTO none SELECT 3'],
};

let database: string;
let store: FactStore;
let other: FactStore;
beforeEach(() => {
  database = `test_${randomUUID().replaceAll('-', '')}`;
  store = openFactStore({ ...engineAccess(), database });
  other = openFactStore({ ...engineAccess(), database });
});
afterEach(() => Promise.all([store.close(), other.close()]));

const run = (migrations: readonly Migration[], on: MigratedStore = store) =>
  migrate(on, migrations, systemClock);
async function rows(sql: string): Promise<unknown[]> {
  const found = await store.select<Record<string, unknown>>({ name: 'test', sql, parameters: {} });
  return found.map((row) => Object.values(row)[0]);
}
const applied = () => rows('SELECT name FROM migration ORDER BY name');
const numbers = () => rows('SELECT n FROM one ORDER BY n');

test('each runs once, in order, and is recorded with its checksum', async () => {
  await run([first]);
  await run([first, second]);
  const claims = () => rows('SELECT count() FROM migrating');
  const claimed = await claims();
  await run([first, second]);
  expect(await numbers()).toEqual([2]);
  // Nothing is claimed where nothing is to be done.
  expect(await claims()).toEqual(claimed);
  expect(await applied()).toEqual(['0001-first', '0002-second']);
  expect(await rows('SELECT checksum FROM migration ORDER BY name')).toEqual([
    computeChecksum(first),
    computeChecksum(second),
  ]);
});

test('a store of a later release is refused, and nothing is run', async () => {
  await run([first, second]);
  await expect(run([first])).rejects.toMatchObject({
    code: 'INTERNAL',
    message:
      'The statistics store cannot be used: a later release used it and applied migration ' +
      '0002-second: use that one',
  });
});

test('a migration that was changed after it had been applied is refused', async () => {
  await run([first, second]);
  const changed = { ...second, statements: [...second.statements, 'SELECT 1'] };
  await expect(run([first, changed])).rejects.toThrow('0002-second was changed after it had been');
});

const unreleased = {
  code: 'INTERNAL',
  message:
    'The statistics store cannot be used: its tables were made by a development version that was ' +
    'never released, and cannot be converted: go on with that version, or start with another ' +
    'DATA_DIR or CLICKHOUSE_DATABASE',
};

test.each([
  ['with records of other migrations', [{ ...first, name: '0001-stretch-and-playback' }]],
  ['with other first tables', [{ ...first, statements: [...first.statements, 'SELECT 1'] }]],
])('a store of a development version is refused, and left as it is: %s', async (_, former) => {
  await run(former);
  const bare = openFactStore({ ...engineAccess(), database: 'system' });
  onTestFinished(() => bare.close());
  const claims = await rows('SELECT count() FROM migrating');
  await expect(run([first, second])).rejects.toMatchObject(unreleased);
  await expect(requireMigrated({ bare, store, database }, [first])).rejects.toMatchObject(
    unreleased,
  );
  expect(await rows('SELECT count() FROM migrating')).toEqual(claims);
  expect(await applied()).toEqual(former.map(({ name }) => name));
});

test.each([
  ['nothing recorded', [], undefined],
  ['a migration put before one that is applied', [first, broken], '0003-broken was applied before'],
  ['first tables of a development version', [second], 'a development version'],
] as const)('records that are the beginning of the list, or not: %s', (_what, done, message) => {
  const records = done.map((one) => ({ name: one.name, checksum: computeChecksum(one) }));
  const pending = () => findPending([first, second, broken], records).map(({ name }) => name);
  const outcome = message === undefined ? ['0001-first', '0002-second', '0003-broken'] : undefined;
  expect(outcomeOf(pending)).toEqual(outcome ?? expect.stringContaining(message ?? ''));
});

function outcomeOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return (error as Error).message;
  }
}

test('one that fails: its name and the reason, and it is not recorded', async () => {
  await run([first]);
  await expect(run([first, second, broken])).rejects.toMatchObject({
    code: 'INTERNAL',
    message: 'Migration 0003-broken of the statistics store failed',
    cause: { message: expect.stringContaining('none') },
  });
  expect(await applied()).toEqual(['0001-first', '0002-second']);
});

test('an outage in the midst is an outage: the next attempt goes on', async () => {
  let isAway = false;
  const flaky: MigratedStore = {
    ...store,
    async command(query, timeoutSeconds) {
      if (isAway && query.name === 'migration 0002-second') {
        isAway = false;
        // A server that is not there: a port on which nothing listens.
        const away = openFactStore({ url: 'http://127.0.0.1:9', ...gone });
        await away.command(query).finally(() => away.close());
      }
      await store.command(query, timeoutSeconds);
    },
  };
  isAway = true;
  await expect(run([first, second], flaky)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await run([first, second], flaky);
  expect(await numbers()).toEqual([2]);
});
const gone = { username: 'nobody', password: '', database: 'none' };

test('two nodes that start at once: one does it, the other comes later', async () => {
  const attempts = await Promise.allSettled([store, other].map((on) => run([first, second], on)));
  for (const attempt of attempts) {
    expect([undefined, 'UNAVAILABLE']).toContain(
      attempt.status === 'rejected' ? attempt.reason.code : undefined,
    );
  }
  await run([first, second], store);
  await run([first, second], other);
  expect(await numbers()).toEqual([2]);
  expect(await applied()).toEqual(['0001-first', '0002-second']);
});

test('a node that holds the claim says so again while it works', async () => {
  const clock = manualClock();
  let working = () => {};
  const started = new Promise<void>((resolve) => {
    working = resolve;
  });
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const slow: MigratedStore = {
    ...store,
    async command(query, timeoutSeconds) {
      if (query.name === 'migration 0001-first') {
        working();
        await held;
      }
      await store.command(query, timeoutSeconds);
    },
  };
  const migrating = migrate(slow, [first], clock);
  await started;
  await expect(run([first], other)).rejects.toThrow('Another node is migrating');
  // One of each node by now.
  for (let claims = 3; claims < 6; claims += 1) {
    clock.advance(2_000);
    await expect
      .poll(() => rows('SELECT count() FROM migrating WHERE NOT ended'))
      .toEqual([claims]);
  }
  goOn();
  await migrating;
  await run([first], other);
  expect(await applied()).toEqual(['0001-first']);
});

test('a claim of a node that died ends by itself', async () => {
  await run([]);
  const claim = (secondsAgo: number) =>
    store.command({
      name: 'test',
      sql: `INSERT INTO migrating SELECT now64(3) - toIntervalSecond({secondsAgo:Int32}),
        generateUUIDv4(), 0`,
      parameters: { secondsAgo },
    });
  await claim(11);
  await claim(-11);
  await run([first]);
  await claim(5);
  await expect(run([first, second])).rejects.toMatchObject({
    ...{ code: 'UNAVAILABLE', message: 'Another node is migrating the statistics store' },
    retryAfterSeconds: 1,
  });
});

test('where nothing may be changed: no tables, those of this release, earlier ones', async () => {
  const bare = openFactStore({ ...engineAccess(), database: 'system' });
  onTestFinished(() => bare.close());
  const found = { bare, store, database };
  expect(await requireMigrated(found, [])).toBe(false);
  expect(await requireMigrated(found, [first, second])).toBe(true);
  expect(await pendingMigrations(found, [first, second])).toEqual([first, second]);
  await store.createDatabase();
  expect(await requireMigrated(found, [first, second])).toBe(true);
  // Of a development version that recorded nothing.
  const command = (sql: string) => store.command({ name: 'test', sql, parameters: {} });
  await command('CREATE TABLE stretch (n UInt8) ENGINE = MergeTree ORDER BY n');
  await expect(requireMigrated(found, [first])).rejects.toMatchObject(unreleased);
  await expect(run([first])).rejects.toMatchObject(unreleased);
  expect(await rows('SELECT name FROM system.tables WHERE database = currentDatabase()')).toEqual([
    'stretch',
  ]);
  await command('DROP TABLE stretch');
  await run([]);
  const earlier = (name: string) => ({
    code: 'CONFLICT',
    message: `The statistics are those of an earlier release: migration ${name} is not applied`,
  });
  await expect(requireMigrated(found, [first])).rejects.toMatchObject(earlier('0001-first'));
  await run([first]);
  expect(await requireMigrated(found, [first])).toBe(false);
  expect(await pendingMigrations(found, [first, second])).toEqual([second]);
  await expect(requireMigrated(found, [first, second])).rejects.toMatchObject(
    earlier('0002-second'),
  );
  await command('INSERT INTO migrating (id, ended) SELECT generateUUIDv4(), 0');
  await expect(requireMigrated(found, [first, second])).rejects.toThrow('is migrating');
});
