/** Opens the source of countries that is configured. */
import type { Registry } from 'prom-client';
import { type Countries, openCountries } from './collect/audience/open-countries.ts';
import type { Config } from './config.ts';
import type { Clock } from './lib/clock.ts';
import type { Logger } from './lib/logger.ts';
import { addGauge } from './lib/telemetry.ts';

interface Configured {
  readonly config: Config;
  readonly clock: Clock;
  readonly logger: Logger;
}

export async function countriesOf(around: Configured, metrics: Registry): Promise<Countries> {
  const { config, clock, logger } = around;
  const countries = await openCountries({ file: config.GEO_MMDB, clock, logger });
  addGauge(
    metrics,
    'playmeter_country_database_age_seconds',
    'Seconds since the database of countries was made',
    () => (clock.now() - countries.builtAtMs()) / 1_000,
  );
  return countries;
}
