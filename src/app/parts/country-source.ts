/** Opens the source of countries that is configured. */
import type { Registry } from 'prom-client';
import { type Countries, openCountries } from '../../collect/enrich/country/countries.ts';
import type { Config } from '../../config/config.ts';
import type { Logger } from '../../lib/logger.ts';
import { addGauge } from '../../lib/telemetry/telemetry.ts';
import type { Clock } from '../../lib/time/clock.ts';

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
