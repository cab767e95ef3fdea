/** Ties a catalog to its statistics and its secret: with others, its counts would be wrong. */
import { createHmac } from 'node:crypto';
import type { Catalog } from '../catalog/catalog.ts';
import type { Accepted } from '../cli/verb.ts';
import type { Config } from '../config/config.ts';
import { Fault } from '../vocabulary/faults.ts';
import { readSecret } from './app-secret.ts';

interface Identified {
  readonly config: Config;
  readonly accepts?: Accepted | undefined;
}

type KnownCatalog = { readonly upkeep: Pick<Catalog['upkeep'], 'keepIdentity'> };

/** Made for openFacts, which calls it with the identity of the statistics. */
export function requireStatisticsOf({ accepts }: Identified, { upkeep }: KnownCatalog) {
  return async (identity: string): Promise<void> => {
    const replaces = accepts?.newStatistics ?? false;
    const kept = await upkeep.keepIdentity('statistics', identity, replaces);
    if (kept === identity) return;
    throw new Fault(
      'INTERNAL',
      `The catalog belongs to other statistics: to those made at ${kept} UTC, and these were made ` +
        `at ${identity}. Set DATA_DIR, DATABASE_URL and CLICKHOUSE_URL to what belongs together; ` +
        'nodes with one catalog have one statistics store. If the former statistics are gone, ' +
        'restore a backup, or start once with --accept-new-statistics',
    );
  };
}

/** The secret; rejects if the catalog was used with another. */
export async function readSecretOf(
  { config, accepts }: Identified,
  { upkeep }: KnownCatalog,
): Promise<string> {
  const secret = await readSecret(config);
  const fingerprint = createHmac('sha256', secret).update('fingerprint').digest('base64url');
  const kept = await upkeep.keepIdentity('secret', fingerprint, accepts?.newSecret ?? false);
  if (kept === fingerprint) return secret;
  const used = config.APP_SECRET ? 'APP_SECRET' : `The file ${config.DATA_DIR}/secret`;
  throw new Fault(
    'INTERNAL',
    `${used} is not the secret that the catalog was used with: viewers would count twice, and ` +
      'signing keys could not be read. Set APP_SECRET to the former one, or start once with ' +
      '--accept-new-secret',
  );
}
