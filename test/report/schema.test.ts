/** What an account can ask for, and since when it is collected. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AudienceDimensionName,
  audienceDimension,
  recordedDimensions,
} from '../../src/vocabulary/dimensions.ts';
import {
  audienceMeasure,
  audienceMeasureNames,
  isOfQuality,
} from '../../src/vocabulary/measures.ts';
import type { QuerySchema } from '../../src/wire/questions/audience-messages.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';

const createdAt = new Date('2020-05-01T10:00:00Z');
let service: TestService;
let account: TestAccount;
beforeAll(async () => {
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
  const needing = audienceMeasureNames.filter((name) => audienceMeasure(name).needs === 'position');
  expect(named).toEqual(needing);
});

test('playback is known since the account was created, a label since it was declared', async () => {
  const { measures, dimensions } = await schema();
  const isLabel = ({ name }: { readonly name: string }) => name.startsWith('label.');
  const ofPlayback = measures.filter(({ name }) => !isOfQuality(name));
  const recorded = [
    ...ofPlayback,
    ...dimensions.filter(
      (one) =>
        !isLabel(one) && !audienceDimension(one.name as AudienceDimensionName).keptWithQuality,
    ),
  ];
  expect(new Set(recorded.map(({ since }) => since))).toEqual(new Set([createdAt.toISOString()]));
  expect(dimensions.filter(isLabel).map(({ since }) => since)).toEqual([createdAt.toISOString()]);
});

test('quality is known since the store was made or upgraded, by its own clock', async () => {
  const { measures, dimensions } = await schema();
  const [migrated] = await service.facts.read<{ at: string }>({
    name: 'test',
    sql: `SELECT toString(at) AS at FROM migration WHERE name = '0002-quality'`,
    parameters: {},
  });
  const since = new Date(`${migrated?.at.replace(' ', 'T')}Z`).toISOString();
  expect(measures.find(({ name }) => name === 'startupP50')?.since).toBe(since);
  expect(dimensions.find(({ name }) => name === 'streamType')?.since).toBe(since);
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
