import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Catalog, LimitWindows } from '../../src/catalog/catalog.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { openCatalogAlone } from '../support/catalog-alone.ts';
import { manualClock } from '../support/manual-clock.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = manualClock();
const minuteMs = 60_000;
let postgres: Postgres;
let administrator: pg.Client;
let catalogs: Catalog[];
let one: LimitWindows;
let other: LimitWindows;
beforeAll(async () => {
  postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const open = () => openCatalog({ location: { databaseUrl }, clock });
  catalogs = await Promise.all([open(), open()]);
  [one, other] = catalogs.map(({ limitWindows }) => limitWindows) as [LimitWindows, LimitWindows];
  administrator = new pg.Client(databaseUrl);
  await administrator.connect();
});
afterAll(async () => {
  await administrator?.end();
  await Promise.all(catalogs?.map((catalog) => catalog.close()) ?? []);
  await postgres?.stop();
});

/** Moves the ends of all windows; a minute earlier is as if a minute had passed. */
const moveEnds = (byMs: number) =>
  administrator.query(`update limit_windows set until_ms = until_ms + ${byMs}`);

const pool = 5;

test('two nodes take what is left, and see what both took', async () => {
  const subject = 'taken by two';
  expect(await other.take({ subject, pool, points: 0 })).toMatchObject({ granted: 0, taken: 0 });
  expect(await one.take({ subject, pool, points: 3 })).toMatchObject({ granted: 3, taken: 3 });
  expect(await other.take({ subject, pool, points: 3 })).toMatchObject({ granted: 2, taken: 5 });
  expect(await one.take({ subject, pool, points: 1 })).toMatchObject({ granted: 0, taken: 5 });
  const { msBeforeNext, ...seen } = await other.take({ subject, pool, points: 0 });
  expect(seen).toEqual({ granted: 0, taken: 5 });
  expect(msBeforeNext > 0 && msBeforeNext <= minuteMs).toBe(true);
  const more = { subject: 'another', pool, points: pool + 1 };
  expect(await one.take(more)).toMatchObject({ granted: 5, taken: 5 });
});

test('of many that take at once, as many get points as there are', async () => {
  const subject = 'taken at once';
  const taken = await Promise.all(
    Array.from({ length: 80 }, (_, index) =>
      (index % 2 ? one : other).take({ subject, pool: 50, points: 1 }),
    ),
  );
  expect(taken.filter(({ granted }) => granted === 1)).toHaveLength(50);
  const counts = taken.filter(({ granted }) => granted === 1).map((answer) => answer.taken);
  expect(new Set(counts).size).toBe(50);
});

test('one that began before the window did, and waited for its row, takes from it too', async () => {
  const taking = { subject: 'began before', pool, points: 3 };
  expect(await one.take(taking)).toMatchObject({ granted: 3 });
  await moveEnds(500);
  const { msBeforeNext, ...taken } = await other.take(taking);
  expect(taken).toEqual({ granted: 2, taken: 5 });
  expect(msBeforeNext).toBe(minuteMs);
});

test.each([
  ['a minute later', -minuteMs],
  ['when the clock of the database was set back by an hour', 60 * minuteMs],
])('%s all points are there again', async (when, byMs) => {
  const taking = { subject: when, pool, points: pool };
  expect(await one.take(taking)).toMatchObject({ granted: 5 });
  await moveEnds(byMs);
  expect(await other.take({ ...taking, points: 0 })).toMatchObject({ taken: 0 });
  const { msBeforeNext, ...begun } = await other.take({ ...taking, points: 1 });
  expect(begun).toEqual({ granted: 1, taken: 1 });
  expect(msBeforeNext > 0 && msBeforeNext <= minuteMs).toBe(true);
});

test('windows that have ended are deleted, and no others', async () => {
  await one.take({ subject: 'ended', pool, points: 1 });
  await moveEnds(-minuteMs);
  await one.take({ subject: 'open', pool, points: 1 });
  expect(await one.purge()).toBeGreaterThan(0);
  expect(await other.purge()).toBe(0);
  const { rows } = await administrator.query('select subject from limit_windows');
  expect(rows).toEqual([{ subject: 'open' }]);
});

test('no archive and no standby gets them', async () => {
  const { rows } = await administrator.query(
    "select relpersistence from pg_class where relname = 'limit_windows'",
  );
  expect(rows).toEqual([{ relpersistence: 'u' }]);
});

test('a row that is held up is waited for a second, and takes no other along', async () => {
  const held = { subject: 'held up', pool, points: 1 };
  await one.take(held);
  await administrator.query('begin');
  await administrator.query("select from limit_windows where subject = 'held up' for update");
  const late = expect(one.take(held)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await waitUntil('the wait', () => clock.waiting() > 0);
  expect(await one.take({ ...held, subject: 'free' })).toMatchObject({ granted: 1 });
  clock.advance(1_000);
  await late;
  await administrator.query('rollback');
});

test('a catalog in SQLite has one node, which counts by itself', async () => {
  const catalog = await openCatalogAlone(clock);
  expect(catalog.limitWindows).toBe(undefined);
  await catalog.close();
});
