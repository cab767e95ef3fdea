/** What an account can ask for, and since when it is collected. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../../src/store/migrations/migrations.ts';
import { audienceDimension, recordedDimensions } from '../../src/vocabulary/dimensions.ts';
import { audienceMeasure, audienceMeasureNames } from '../../src/vocabulary/measures.ts';
import type { QuerySchema } from '../../src/wire/questions/audience-messages.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

/** Long before the store was made, and its migrations applied. */
const createdAt = new Date('2020-05-01T10:00:00Z');
let service: TestService;
let account: TestAccount;
let startedMs: number;
beforeAll(async () => {
  startedMs = Date.now();
  service = await startTestService({
    clock: { now: () => createdAt.getTime() },
    environment: { GEO_HEADER: 'X-Country' },
  });
  account = await service.addAccount();
});
afterAll(() => service?.stop());

async function schema(): Promise<QuerySchema> {
  const response = await service.get('/report/statistics/video/v2/schema', account.key);
  return ((await response.json()) as { data: QuerySchema }).data;
}

test('it has every measure, every dimension and the declared labels', async () => {
  await service.catalog.labels.create(account.accountId, 'plan');
  const { measures, dimensions } = await schema();
  expect(measures.map(({ name }) => name)).toEqual(audienceMeasureNames);
  expect(dimensions.map(({ name }) => name)).toEqual([...recordedDimensions, 'label.plan']);
});

test('docs/players.md names the measures that leave out playback reported by CMCD', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/players.md'), 'utf8');
  const [listed = ''] = /left out of the measures .*?\./s.exec(page) ?? [];
  const named = [...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const needing = audienceMeasureNames.filter((name) => audienceMeasure(name).needs !== undefined);
  expect(named).toEqual(needing);
});

test('each record names a migration that there is', () => {
  const names: readonly string[] = migrations.map(({ name }) => name);
  const named = [
    ...audienceMeasureNames.map((name) => audienceMeasure(name).since),
    ...recordedDimensions.map((name) => audienceDimension(name).since),
    audienceDimension('label.plan').since,
  ];
  expect(named.filter((since) => since !== 'ever' && !names.includes(since))).toEqual([]);
});

test('what a migration brought is known since it was applied, all else since the account', async () => {
  const { measures, dimensions } = await schema();
  const since = new Map([...measures, ...dimensions].map((one) => [one.name, one.since]));
  for (const name of ['plays', 'playMs', 'averagePlayMs', 'views', 'hour', 'folder', 'osVersion']) {
    expect(since.get(name), name).toBe(createdAt.toISOString());
  }
  const later = ['viewers', 'mediaMs', 'averageSeen', 'reached100', 'device', 'country', 'player'];
  for (const name of [...later, 'label.plan']) {
    const sinceMs = Date.parse(since.get(name) ?? '');
    // Tests share a store, whose clock is that of its machine.
    expect(sinceMs, name).toBeGreaterThan(startedMs - 86_400_000);
    expect(sinceMs, name).toBeLessThan(Date.now() + 60_000);
  }
});

test('the source of countries is the one in use, with what its licence asks for', async () => {
  const { dimensions } = await schema();
  const described = dimensions.filter((one) => one.source ?? one.attribution);
  expect(described).toMatchObject([
    {
      name: 'country',
      source: 'GEO_HEADER (X-Country), otherwise the database of DB-IP',
      attribution: 'IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0',
    },
  ]);
});
