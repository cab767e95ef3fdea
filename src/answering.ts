/** Ties together what answers questions. */
import type { AppParts } from './api/app.ts';
import type { Catalog } from './catalog/catalog.ts';
import type { Config } from './config.ts';
import type { Facts } from './facts/open-facts.ts';
import type { Clock } from './lib/clock.ts';
import { createTokenSealer } from './report/continuation.ts';
import { createCurves } from './report/curves/create-curves.ts';
import { createQuerist } from './report/query/querist.ts';
import { createReporter } from './report/reporter.ts';
import { countrySourceOf } from './wire/country-source.ts';

interface AnsweringParts {
  readonly facts: Facts;
  readonly catalog: Catalog;
  readonly secret: string;
}

export function answeringOf(
  { facts, catalog, secret }: AnsweringParts,
  { config, clock }: { readonly config: Config; readonly clock: Clock },
): Pick<AppParts, 'reporter' | 'querist' | 'curves' | 'countrySource'> {
  const sealer = createTokenSealer(secret);
  const paged = { facts, catalog, sealer, clock, ...snapshotLimitsOf(config) };
  const countrySource = countrySourceOf(config);
  return {
    countrySource,
    reporter: createReporter(paged),
    querist: createQuerist({ ...paged, countrySource }),
    curves: createCurves({ facts, catalog, clock }),
  };
}

function snapshotLimitsOf(config: Config) {
  return {
    snapshotLifetimeMs: config.SNAPSHOT_LIFETIME_SECONDS * 1_000,
    snapshotRoomBytes: config.SNAPSHOT_MB_PER_ACCOUNT * 1_048_576,
  };
}
