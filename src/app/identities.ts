/** Ties a catalog to its statistics and its secret: with others, its counts would be wrong. */
import { createHmac, randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Catalog } from '../catalog/catalog.ts';
import type { Accepted } from '../cli/verb.ts';
import type { Config } from '../config/config.ts';
import { Fault } from '../vocabulary/faults.ts';

interface Identified {
  readonly config: Config;
  readonly accepts?: Accepted | undefined;
}

type KnownCatalog = { readonly upkeep: Pick<Catalog['upkeep'], 'keepIdentity'> };

/** Made for openFacts, which calls it with the identity of the statistics. */
export function requireStatistics({ accepts }: Identified, { upkeep }: KnownCatalog) {
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
export async function readKeptSecret(
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

/** Also what `APP_SECRET` must have at least. */
const shortestLength = 32;

/** APP_SECRET, or one generated at the first start and kept in the data folder. */
export async function readSecret(config: Config): Promise<string> {
  if (config.APP_SECRET) return config.APP_SECRET;
  const file = join(config.DATA_DIR, 'secret');
  const kept = await readKept(file);
  // A start that was killed can have left less: with an empty secret anyone could seal a token.
  if (kept !== undefined && kept.length >= shortestLength) return kept;
  const made = `${file}.${randomBytes(8).toString('hex')}`;
  await writeFile(made, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
  try {
    if (kept === undefined) await putIfNone(made, file);
    else await rename(made, file);
  } finally {
    await rm(made, { force: true });
  }
  return readFile(file, 'utf8');
}

async function readKept(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}

/** The service and a verb may both be the first: then one's file stays, and both read it. */
async function putIfNone(made: string, file: string): Promise<void> {
  await link(made, file).catch((error) => {
    if (error.code === 'EEXIST') return;
    // Some file systems have no links.
    return rename(made, file);
  });
}
