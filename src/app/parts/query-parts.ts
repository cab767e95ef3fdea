/** Ties together what answers questions. */

import type { Catalog } from '../../catalog/catalog.ts';
import type { Config } from '../../config/config.ts';
import type { AppParts } from '../../http/app.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { createCurves } from '../../query/curve-service.ts';
import { createQueryService } from '../../query/query-service.ts';
import { createTokenSealer } from '../../query/ranges/continuation.ts';
import type { Facts } from '../../store/open-facts.ts';
import { countrySourceOf } from '../../vocabulary/country-source.ts';

interface AnsweringParts {
  readonly facts: Facts;
  readonly catalog: Catalog;
  readonly secret: string;
}

export function createQueryParts(
  { facts, catalog, secret }: AnsweringParts,
  { config, clock }: { readonly config: Config; readonly clock: Clock },
): Pick<AppParts, 'queryService' | 'curves' | 'countrySource'> {
  const countrySource = countrySourceOf(config);
  return {
    countrySource,
    queryService: createQueryService({
      ...{ facts, catalog, clock, countrySource, sealer: createTokenSealer(secret) },
      snapshotLifetimeMs: config.SNAPSHOT_LIFETIME_SECONDS * 1_000,
      snapshotRoomBytes: config.SNAPSHOT_MB_PER_ACCOUNT * 1_048_576,
    }),
    curves: createCurves({ facts, catalog, clock }),
  };
}
