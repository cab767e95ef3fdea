import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { countryFile } from '../../../test/support/country-file.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { readConfig } from '../../config/config.ts';
import { createMetrics } from '../../lib/telemetry.ts';
import { countriesOf } from './collect-parts.ts';

const daySeconds = 86_400;
const nowMs = Date.UTC(2026, 10, 20, 12);
const builtDaysAgo = (days: number) =>
  countryFile({
    ...{ below: { country: 'US' }, above: { country: 'DE' } },
    builtAtMs: nowMs - days * daySeconds * 1_000,
  });

/** What /metrics shows. */
async function open(environment: Readonly<Record<string, string>>) {
  const clock = manualClock(nowMs);
  const metrics = createMetrics();
  const logger = pino({ level: 'silent' });
  const countries = await countriesOf({ config: readConfig(environment), clock, logger }, metrics);
  const age = async () => {
    const exposed = await metrics.metrics();
    return Number(/^playmeter_country_database_age_seconds (\S+)$/m.exec(exposed)?.[1]);
  };
  return { clock, countries, age };
}

test('the age of the database of countries is that of the file in use, also of a new one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-age-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'countries.mmdb');
  await writeFile(file, builtDaysAgo(40));
  const { clock, countries, age } = await open({ GEO_MMDB: file });
  onTestFinished(countries.follow());
  expect(await age()).toBe(40 * daySeconds);
  clock.advance(5_000);
  expect(await age()).toBe(40 * daySeconds + 5);

  await writeFile(`${file}.new`, builtDaysAgo(3));
  await rename(`${file}.new`, file);
  expect(await age()).toBe(40 * daySeconds + 5);
  clock.advance(5_000);
  await waitUntil('it has looked', async () => clock.waiting() === 1);
  expect(await age()).toBe(3 * daySeconds + 10);
});

test('without a file of the operator it is the age of the one that comes with the service', async () => {
  const { countries, age } = await open({});
  expect(countries.builtAtMs()).toBeGreaterThan(Date.UTC(2025, 0));
  expect(await age()).toBe((nowMs - countries.builtAtMs()) / 1_000);
});
