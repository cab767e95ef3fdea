/** A catalog belongs to its statistics and its secret: with others a start is refused. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openErasureService } from '../../src/app/offline/offline-stores.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { dropDatabase } from '../support/drop-database.ts';
import { startTestService } from '../support/service.ts';
import { engineAccess } from '../support/shared-parts.ts';

const [first, second] = [randomUUID(), randomUUID()].map(
  (id) => `identity_${id.replaceAll('-', '')}`,
) as [string, string];
const secret = 'the secret of the first start, long enough';
const otherSecret = 'another secret, which is also long enough';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playmeter-identity-'));
});
afterAll(async () => {
  const engine = engineAccess();
  for (const name of [first, second]) await dropDatabase({ ...engine, urls: [engine.url] }, name);
  await rm(folder, { recursive: true, force: true });
});

type Accepts = NonNullable<Parameters<typeof startTestService>[0]>['accepts'];

async function startAndStop(database: string, secret: string, accepts: Accepts = {}) {
  const environment = { DATA_DIR: folder, CLICKHOUSE_DATABASE: database, APP_SECRET: secret };
  const service = await startTestService({ environment, accepts, waitsForStores: false });
  return service.facts
    .ready()
    .then(() => service)
    .finally(service.stop);
}

test('other statistics or another secret are refused, until the operator means it', async () => {
  const { config } = await startAndStop(first, secret);

  await expect(startAndStop(first, otherSecret)).rejects.toThrow(
    /^APP_SECRET is not the secret that the catalog was used with: .*--accept-new-secret$/,
  );
  await expect(startAndStop(second, secret)).rejects.toThrow(
    /^The catalog belongs to other statistics: .*--accept-new-statistics$/,
  );
  // Verbs would erase half.
  const logger = pino({ level: 'silent' });
  const elsewhere = { ...config, CLICKHOUSE_DATABASE: second };
  await expect(
    openErasureService({ config: elsewhere, clock: systemClock, logger }),
  ).rejects.toThrow(/belongs to other statistics/);

  await startAndStop(second, otherSecret, { newSecret: true, newStatistics: true });
  await startAndStop(second, otherSecret);
  await expect(startAndStop(first, otherSecret)).rejects.toThrow(/belongs to other statistics/);
});
