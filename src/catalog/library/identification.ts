import { createLruCache } from '../../lib/values/lru-cache.ts';
import type { Publication, Publications } from '../catalog.ts';
import { createWatchedCache, pollIntervalMs } from '../database/change-watch.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { parseOrigins } from './packages.ts';
import { findVideoId, findVideoIds } from './video-row.ts';

const publicationLimit = 100_000;
const unknownLimit = 10_000;
/** As many as every database accepts in one statement. */
const lookupLimit = 1_000;

type Identification = Pick<
  Publications,
  | 'identify'
  | 'identifyWithin'
  | 'identifyByNumbers'
  | 'findVideoId'
  | 'findVideoIds'
  | 'isRetired'
  | 'isRetiredByNumbers'
>;

/** Identifies the video of every beacon, so nearly all lookups are answered from memory. */
export function createIdentification(database: Database): Identification {
  const { kysely, watch } = database;
  const named = createWatchedCache<string, Publication>(watch, publicationLimit);
  const numbered = createWatchedCache<string, Publication>(watch, publicationLimit);
  return {
    identify: createIdentify(database),

    async identifyWithin(accountId, accessKey, packageId) {
      const generation = await named.refresh();
      const name = `${accountId}/${packageId}/${accessKey}`;
      const cached = named.get(name);
      if (cached) return cached;
      const publication = await readByName(kysely, accountId, accessKey, packageId);
      if (publication) named.set(generation, name, publication);
      return publication;
    },

    async identifyByNumbers({ accountId, packageId, videoId }) {
      const generation = await numbered.refresh();
      const name = `${accountId}/${packageId}/${videoId}`;
      const cached = numbered.get(name);
      if (cached) return cached;
      const row = await selectPublications(kysely)
        .where('packageId', '=', packageId)
        .where('videoId', '=', videoId)
        .where('publications.accountId', '=', accountId)
        .executeTakeFirst();
      const publication = row && toPublication(row);
      if (publication) numbered.set(generation, name, publication);
      return publication;
    },

    findVideoId: (accountId, accessKey) => findVideoId(kysely, accountId, accessKey),
    findVideoIds: (accountId, accessKeys) => findVideoIds(kysely, accountId, accessKeys),

    async isRetired(videoKey) {
      const row = await selectRetired(kysely).where('videoKey', '=', videoKey).executeTakeFirst();
      return row !== undefined;
    },

    async isRetiredByNumbers({ accountId, packageId, videoId }) {
      const row = await selectRetired(kysely)
        .where('publications.accountId', '=', accountId)
        .where('packageId', '=', packageId)
        .where('videoId', '=', videoId)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

function createIdentify({ kysely, clock, watch }: Database): Publications['identify'] {
  const known = createWatchedCache<string, Publication>(watch, publicationLimit);
  // Additions are not counted as changes: an unknown key may be known a second later.
  const unknownSinceMs = createLruCache<string, number>(unknownLimit);

  function isUnknown(videoKey: string): boolean {
    const sinceMs = unknownSinceMs.get(videoKey);
    return sinceMs !== undefined && clock.monotonic() - sinceMs < pollIntervalMs;
  }

  const identifyIn = (videoKeys: Iterable<string>, generation: number) => {
    const found = new Map<string, Publication>();
    // Mostly all are known.
    let missing: Set<string> | undefined;
    for (const videoKey of videoKeys) {
      const publication = known.get(videoKey);
      if (publication) found.set(videoKey, publication);
      else if (!isUnknown(videoKey)) missing = (missing ?? new Set()).add(videoKey);
    }
    return missing === undefined ? found : lookUp(found, missing, generation);
  };

  const lookUp = async (
    found: Map<string, Publication>,
    missing: Set<string>,
    generation: number,
  ) => {
    const lookups = [...missing];
    for (let start = 0; start < lookups.length; start += lookupLimit) {
      const part = lookups.slice(start, start + lookupLimit);
      for (const row of await readByVideoKey(kysely, part)) {
        const publication = toPublication(row);
        const { videoKey } = publication;
        known.set(generation, videoKey, publication);
        found.set(videoKey, publication);
        missing.delete(videoKey);
      }
    }
    for (const videoKey of missing) unknownSinceMs.set(videoKey, clock.monotonic());
    return found;
  };

  return (videoKeys) => {
    const generation = known.refresh();
    if (typeof generation === 'number') return identifyIn(videoKeys, generation);
    return generation.then((refreshed) => identifyIn(videoKeys, refreshed));
  };
}

function selectPublications(connection: Connection) {
  return connection
    .selectFrom('publications')
    .innerJoin('packages', 'packages.id', 'publications.packageId')
    .select(['publications.accountId', 'publications.packageId', 'publications.videoId'])
    .innerJoin('accounts', 'accounts.id', 'publications.accountId')
    .select(['publications.videoKey', 'publications.durationMs'])
    .select(['packages.allowedOrigins', 'packages.signing'])
    .select(['accounts.takesUnsealed', 'accounts.viewers', 'accounts.isErased'])
    .where('publications.retiredAtMs', 'is', null)
    .where('closedAtMs', 'is', null);
}

/** Also those of an account that is closed. */
function selectRetired(connection: Connection) {
  return connection
    .selectFrom('publications')
    .innerJoin('accounts', 'accounts.id', 'publications.accountId')
    .select('publications.id')
    .where(({ eb, or }) =>
      or([eb('retiredAtMs', 'is not', null), eb('closedAtMs', 'is not', null)]),
    );
}

type PublicationRow = Omit<Publication, 'allowedOrigins' | 'takesUnsealed' | 'isErased'> & {
  readonly allowedOrigins: string;
  readonly takesUnsealed: 0 | 1;
  readonly isErased: 0 | 1;
};

function toPublication({ isErased, ...row }: PublicationRow): Publication {
  return {
    ...row,
    ...(isErased === 1 && { isErased: true }),
    allowedOrigins: parseOrigins(row.allowedOrigins),
    takesUnsealed: row.takesUnsealed === 1,
  };
}

function readByVideoKey(connection: Connection, videoKeys: readonly string[]) {
  return selectPublications(connection).where('videoKey', 'in', videoKeys).execute();
}

async function readByName(
  connection: Connection,
  accountId: number,
  accessKey: string,
  packageId: number,
): Promise<Publication | undefined> {
  const row = await selectPublications(connection)
    .innerJoin('videos', 'videos.id', 'publications.videoId')
    .where('videos.accountId', '=', accountId)
    .where('accessKey', '=', accessKey)
    .where('packageId', '=', packageId)
    .executeTakeFirst();
  return row && toPublication(row);
}
