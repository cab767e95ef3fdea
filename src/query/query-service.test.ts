/** Pages of one answer, kept in a real catalog. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCatalogAlone } from '../../test/support/catalog-alone.ts';
import { addLibrary } from '../../test/support/catalogs.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { FactQuery, FactReader } from '../store/facts.ts';
import type { Query } from './parse/query.ts';
import { createQueryService } from './query-service.ts';
import { createTokenSealer } from './ranges/continuation.ts';

const clock = manualClock(Date.UTC(2026, 10, 20, 12));
let catalog: Catalog;
let accountId: number;
beforeAll(async () => {
  catalog = await openCatalogAlone(clock);
  ({ accountId } = await addLibrary(catalog));
});
afterAll(() => catalog.close());

const sealer = createTokenSealer('a secret of thirty-two characters');
const path = '/stats/query';

/** Of sums by system: as many as there are names. */
function queristOf(names: readonly string[], whileReading = () => {}) {
  const readMany = async <Row>({ name }: FactQuery) => {
    whileReading();
    expect(name).toBe('query sums');
    return names.map((os, index) => ({ key0: os, count_plays: names.length - index })) as Row[];
  };
  const facts = {
    ...{ readMany, between: (_: number, read: () => Promise<unknown>) => read() },
    ...{ completeThrough: () => clock.now() - 7, unsettledDays: async () => [] },
  } as unknown as FactReader;
  return createQueryService({
    ...{ facts, catalog, sealer, clock, countrySource: { description: 'a database' } },
    ...{ snapshotLifetimeMs: 60_000, snapshotRoomBytes: 1_000_000 },
  });
}

const asked = (pageSize: number): Query => ({
  ...{ accountId, firstDay: '2026-11-01', lastDay: '2026-11-19', timeZone: 'UTC' },
  ...{ measures: ['plays'], dimensions: ['os'], filters: [], labels: new Map() },
  ...{ sort: [{ name: 'plays', isDescending: true }], compare: undefined, fillZero: false },
  pageSize,
});
const names = ['a', 'b', 'c', 'd', 'e'];

test('an answer is of the moment before its rows were read', async () => {
  const moment = { asOf: new Date(clock.now()), completeThrough: new Date(clock.now() - 7) };
  const queryService = queristOf(names, () => clock.advance(100));
  const answered = await queryService.ask(asked(2), path);
  expect(clock.now()).toBeGreaterThan(moment.asOf.getTime());
  expect(answered).toMatchObject(moment);
});

test('an answer of one page is not kept', async () => {
  const { data } = (await queristOf(names).ask(asked(5), path)).answer;
  expect(data).toMatchObject({ rowCount: 5, nextToken: '' });
  expect(await catalog.snapshots.find(data.requestId)).toBeUndefined();
  const { requestId, nextToken } = (await queristOf(names).ask(asked(4), path)).answer.data;
  expect(nextToken).not.toBe('');
  expect(await catalog.snapshots.find(requestId)).toMatchObject({ accountId, path, rowCount: 5 });
});

test('a page that is asked for too late, or of another account or path, is refused', async () => {
  const queryService = queristOf(names);
  const { requestId, nextToken } = (await queryService.ask(asked(2), path)).answer.data;
  const request = { requestId, nextToken, pageSize: 2 };
  const page = (of: object) => queryService.continue(request, { accountId, path, ...of });
  const invalid = { code: 'TOKEN_INVALID' };
  await expect(page({ accountId: accountId + 1 })).rejects.toMatchObject(invalid);
  await expect(page({ path: '/other' })).rejects.toMatchObject(invalid);
  clock.advance(59_999);
  const { totals, list, ...next } = (await page({})).answer.data;
  expect([list.map(({ os }) => os), totals]).toEqual([['c', 'd'], { plays: 15 }]);
  expect(next).toMatchObject({ rowCount: 5, pageSize: 2, requestId });
  clock.advance(1);
  await expect(page({})).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
});

test('a page whose answer was given up for others has expired', async () => {
  const requestId = 'none';
  const expiresAt = clock.now() + 60_000;
  const nextToken = sealer.seal({ requestId, accountId, path, offset: 2, expiresAt });
  const page = queristOf(names).continue(
    { requestId, nextToken, pageSize: 2 },
    { accountId, path },
  );
  await expect(page).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
});
