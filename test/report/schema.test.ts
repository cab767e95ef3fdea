/** What an account can ask for, and since when it is collected. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audienceMeasure, audienceMeasureNames } from '../../src/vocabulary/measures.ts';
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

test('docs/players.md names the measures that leave out playback reported by CMCD', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/players.md'), 'utf8');
  const [listed = ''] = /left out of the measures .*?\./s.exec(page) ?? [];
  const named = [...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const needing = audienceMeasureNames.filter((name) => audienceMeasure(name).needs === 'position');
  expect(named).toEqual(needing);
});

test('what is described comes from the account, its labels, the store and the settings', async () => {
  await service.catalog.labels.create(account.accountId, 'plan');
  const response = await service.get('/report/statistics/video/v2/schema', account.key);
  const { measures, dimensions } = ((await response.json()) as { data: QuerySchema }).data;
  const [migrated] = await service.facts.read<{ at: string }>({
    name: 'test',
    sql: `SELECT toString(at) AS at FROM migration WHERE name = '0002-quality'`,
    parameters: {},
  });
  const measure = (name: string) => measures.find((one) => one.name === name);
  const dimension = (name: string) => dimensions.find((one) => one.name === name);
  expect(measure('plays')?.since).toBe(createdAt.toISOString());
  expect(dimension('label.plan')?.since).toBe(createdAt.toISOString());
  // By the clock of the store, which has its tables since then.
  const since = new Date(`${migrated?.at.replace(' ', 'T')}Z`).toISOString();
  expect(measure('startupP50')?.since).toBe(since);
  const source = 'GEO_HEADER (X-Country), otherwise the database of DB-IP';
  expect(dimension('country')?.source).toBe(source);
});
