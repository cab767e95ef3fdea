import { originsOf } from './allowed-origins.ts';
import { BoundedCache } from './bounded-cache.ts';
import type { Publication, PublicationNumbers, Publications } from './catalog.ts';
import { pollIntervalMs } from './change-watch.ts';
import type { Connection } from './database.ts';
import type { Store } from './store.ts';
import { createWatchedCache } from './watched-cache.ts';

const publicationLimit = 100_000;
const unknownLimit = 10_000;
/** As many as every database takes in one statement. */
const lookupLimit = 1_000;

type Identification = Pick<
  Publications,
  'identify' | 'identifyWithin' | 'identifyByNumbers' | 'findVideoId' | 'isRetired'
>;

/** What a beacon is about: asked for each of them, so that nearly all is answered from memory. */
export function createIdentification(store: Store): Identification {
  const { kysely, watch } = store;
  const named = createWatchedCache<string, Publication>(watch, publicationLimit);
  const numbered = createWatchedCache<string, Publication>(watch, publicationLimit);
  return {
    identify: createIdentify(store),

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
      const publication = row && publicationOf(row);
      if (publication) numbered.set(generation, name, publication);
      return publication;
    },

    async findVideoId(accountId, accessKey) {
      const video = await kysely
        .selectFrom('videos')
        .select('id')
        .where('accountId', '=', accountId)
        .where('accessKey', '=', accessKey)
        .executeTakeFirst();
      return video?.id;
    },

    async isRetired(videoKey) {
      const row = await kysely
        .selectFrom('publications')
        .select('id')
        .where('videoKey', '=', videoKey)
        .where('retiredAtMs', 'is not', null)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}

function createIdentify({ kysely, clock, watch }: Store): Publications['identify'] {
  const known = createWatchedCache<string, Publication>(watch, publicationLimit);
  // Adding things counts no change: a key that is unknown now may be known in a second.
  const unknownSinceMs = new BoundedCache<string, number>(unknownLimit);

  function isUnknown(videoKey: string): boolean {
    const sinceMs = unknownSinceMs.get(videoKey);
    return sinceMs !== undefined && Math.abs(clock.now() - sinceMs) < pollIntervalMs;
  }

  return async (videoKeys) => {
    const generation = await known.refresh();
    const found = new Map<string, Publication>();
    const missing = new Set<string>();
    for (const videoKey of videoKeys) {
      const publication = known.get(videoKey);
      if (publication) found.set(videoKey, publication);
      else if (!isUnknown(videoKey)) missing.add(videoKey);
    }
    const lookups = [...missing];
    for (let start = 0; start < lookups.length; start += lookupLimit) {
      const part = lookups.slice(start, start + lookupLimit);
      for (const { videoKey, ...row } of await readByVideoKey(kysely, part)) {
        const publication = publicationOf(row);
        known.set(generation, videoKey, publication);
        found.set(videoKey, publication);
        missing.delete(videoKey);
      }
    }
    for (const videoKey of missing) unknownSinceMs.set(videoKey, clock.now());
    return found;
  };
}

function selectPublications(connection: Connection) {
  return connection
    .selectFrom('publications')
    .innerJoin('packages', 'packages.id', 'publications.packageId')
    .select(['publications.accountId', 'publications.packageId', 'publications.videoId'])
    .select('packages.allowedOrigins')
    .where('publications.retiredAtMs', 'is', null);
}

function publicationOf(row: PublicationNumbers & { readonly allowedOrigins: string }): Publication {
  return { ...row, allowedOrigins: originsOf(row.allowedOrigins) };
}

function readByVideoKey(connection: Connection, videoKeys: readonly string[]) {
  return selectPublications(connection)
    .select('videoKey')
    .where('videoKey', 'in', videoKeys)
    .execute();
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
  return row && publicationOf(row);
}
