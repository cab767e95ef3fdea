/** Ties together what answers questions. */

import type { Catalog } from '../../catalog/catalog.ts';
import { namedViewer } from '../../collect/enrich/viewer/viewers.ts';
import type { Config } from '../../config/config.ts';
import type { AppParts } from '../../http/app.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { createCurves } from '../../query/curve-service.ts';
import { createQueryService } from '../../query/query-service.ts';
import { createTokenSealer } from '../../query/ranges/continuation.ts';
import { createViewersService } from '../../query/viewers/viewers.ts';
import type { Facts } from '../../store/open-facts.ts';
import { findCountrySource } from '../../vocabulary/country-source.ts';

interface AnsweringParts {
  readonly facts: Facts;
  readonly catalog: Catalog;
  readonly secret: string;
}

export function createQueryParts(
  { facts, catalog, secret }: AnsweringParts,
  { config, clock }: { readonly config: Config; readonly clock: Clock },
): Pick<AppParts, 'queryService' | 'viewersService' | 'curves' | 'countrySource'> {
  const countrySource = findCountrySource(config);
  const pages = {
    ...{ clock, sealer: createTokenSealer(secret) },
    snapshotLifetimeMs: config.SNAPSHOT_LIFETIME_SECONDS * 1_000,
    snapshotRoomBytes: config.SNAPSHOT_MB_PER_ACCOUNT * 1_048_576,
  };
  return {
    countrySource,
    queryService: createQueryService({ facts, catalog, countrySource, ...pages }),
    viewersService: createViewersService({
      ...{ facts, catalog, ...pages },
      namedViewer: (accountId, name) => namedViewer(secret, accountId, name),
    }),
    curves: createCurves({ facts, catalog, clock }),
  };
}
