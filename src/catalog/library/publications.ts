import { assert } from '../../lib/assert.ts';
import { accept, type Result } from '../../lib/result.ts';
import { noteChange } from '../audit/change-entry.ts';
import type { PublicationName, PublicationRecord, Publications } from '../catalog.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { lockRows } from '../database/row-locks.ts';
import { videoBatchLimit } from '../library.ts';
import { type CatalogRefusal, refused } from '../refusal.ts';
import { noteLibraryChange } from '../search/list-counts.ts';
import { indexVideo } from '../search/video-index.ts';
import { createIdentification } from './identification.ts';
import { drawKey } from './new-key.ts';
import { holdPackage, retirePublications } from './packages.ts';
import { holdVideo } from './video-row.ts';

const columns = [
  ...(['accountId', 'packageId', 'videoId', 'videoKey', 'serviceAble'] as const),
  'createdAtMs',
] as const;

const keysPerRead = 10_000;

type Video = NonNullable<Awaited<ReturnType<typeof holdVideo>>>;

export function createPublications(database: Database): Publications {
  const { kysely, clock, watch } = database;
  const publishMany = createPublishMany(database);

  async function find(name: PublicationName): Promise<PublicationRecord | undefined> {
    const row = await selectPublication(kysely, name).executeTakeFirst();
    return row && toRecord(row);
  }

  return {
    ...createIdentification(database),
    find,
    publishMany,

    async listOfVideo(accountId, accessKey) {
      const rows = selectPublications(kysely, accountId, accessKey).orderBy('packageId');
      return (await rows.execute()).map(toRecord);
    },

    async countByVideo(accountId, videoIds, among) {
      if (videoIds.length === 0) return new Map();
      const rows = await kysely
        .selectFrom('publications')
        .select(['videoId', ({ fn }) => fn.countAll().as('packages')])
        .where('retiredAtMs', 'is', null)
        .where('accountId', '=', accountId)
        .where('videoId', 'in', videoIds)
        .where(({ eb, lit }) => (among ? eb('packageId', 'in', among) : lit(true)))
        .groupBy('videoId')
        .execute();
      return new Map(rows.map(({ videoId, packages }) => [videoId, Number(packages)]));
    },

    async countWithLength(accountId, packageId) {
      const { count } = await kysely
        .selectFrom('publications')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('retiredAtMs', 'is', null)
        .where('accountId', '=', accountId)
        .where('packageId', '=', packageId)
        .where('durationMs', '>', 0)
        .executeTakeFirstOrThrow();
      return count;
    },

    async wasIn(videoId, packageIds) {
      const row = await kysely
        .selectFrom('publications')
        .select('id')
        .where('videoId', '=', videoId)
        .where('packageId', 'in', packageIds)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    keysAfter: (accountId, publicationId) =>
      kysely
        .selectFrom('publications')
        .select(['id as publicationId', 'packageId', 'videoId', 'videoKey'])
        .where('accountId', '=', accountId)
        .where('id', '>', publicationId)
        .orderBy('id')
        .limit(keysPerRead)
        .execute(),

    async publish({ accountId, packageId, accessKey }) {
      const [result] = await publishMany(accountId, packageId, [accessKey]);
      assert(result, 'a batch of one has one result');
      return result;
    },

    setServiceAble: (name, serviceAble) =>
      inTransaction(kysely, async (connection) => {
        const [before] = await lockRows(database, selectPublication(connection, name));
        if (!before) return refused('NO_PUBLICATION');
        await connection
          .updateTable('publications')
          .set({ serviceAble })
          .where('videoKey', '=', before.videoKey)
          .execute();
        const after = { ...before, serviceAble };
        const change = { accountId: name.accountId, object: nameObject(name), before, after };
        await noteChange(database, connection, { action: 'PUBLICATION_CHANGED', ...change });
        return accept(toRecord(after));
      }),

    retire: (name) =>
      watch.write(async (connection) => {
        const video = await holdVideo(database, connection, name.accountId, name.accessKey);
        const publication = await selectPublication(connection, name).executeTakeFirst();
        if (!video || !publication) return refused('NO_PUBLICATION');
        const { packageId, videoId } = publication;
        await retirePublications(connection, { packageId, videoId }, clock.now());
        await indexVideo(database, connection, video);
        const { videoKey, serviceAble } = publication;
        const change = { object: nameObject(name), before: { videoKey, serviceAble } };
        const { accountId } = name;
        const action = 'PUBLICATION_RETIRED';
        await noteChange(database, connection, { accountId, action, ...change });
        await noteLibraryChange(connection, accountId);
        return accept(undefined);
      }),
  };
}

function createPublishMany(database: Database): Publications['publishMany'] {
  return (accountId, packageId, accessKeys) => {
    assert(accessKeys.length <= videoBatchLimit, `a batch is at most ${videoBatchLimit} videos`);
    return inTransaction(database.kysely, async (connection) => {
      const found = await holdPackage(database, connection, accountId, packageId);
      const results = new Map<string, Result<PublicationRecord, CatalogRefusal>>();
      const added: string[] = [];
      // Always in one order, so that two batches at once cannot wait for each other.
      for (const accessKey of [...new Set(accessKeys)].sort()) {
        const video = await holdVideo(database, connection, accountId, accessKey);
        if (!video) results.set(accessKey, refused('NO_VIDEO'));
        else if (!found) results.set(accessKey, refused('NO_PACKAGE'));
        else {
          const { record, isNew } = await publishVideo(database, connection, video, found);
          results.set(accessKey, accept(record));
          if (isNew) added.push(accessKey);
        }
      }
      await notePublished(database, connection, { accountId, packageId, added });
      if (results.size > 0) await noteLibraryChange(connection, accountId);
      return accessKeys.map((accessKey) => {
        const result = results.get(accessKey);
        assert(result, 'each video of a batch has a result');
        return result;
      });
    });
  };
}

/** By its name in the audit. */
function nameObject({ packageId, accessKey }: Omit<PublicationName, 'accountId'>): string {
  return `${packageId}/${accessKey}`;
}

/** One entry for a whole batch. */
async function notePublished(
  database: Database,
  connection: Connection,
  { accountId, packageId, added }: { accountId: number; packageId: number; added: string[] },
): Promise<void> {
  const [accessKey] = added;
  if (accessKey === undefined) return;
  const isOne = added.length === 1;
  const object = isOne ? nameObject({ packageId, accessKey }) : packageId;
  const after = { videos: added.length };
  await noteChange(database, connection, { accountId, action: 'PUBLISHED', object, after });
}

/** A video that was removed from the package comes back under its last key there. */
async function publishVideo(
  database: Database,
  connection: Connection,
  video: Video,
  { packageId }: { readonly packageId: number },
): Promise<{ readonly record: PublicationRecord; readonly isNew: boolean }> {
  const { accountId, accessKey } = video;
  const current = await selectPublication(connection, {
    accountId,
    packageId,
    accessKey,
  }).executeTakeFirst();
  if (current) return { record: toRecord(current), isNew: false };
  const { titleOrder, durationMs, fileSizeBytes } = video;
  const state = { serviceAble: 'Y', titleOrder, durationMs, fileSizeBytes } as const;
  const revived = await connection
    .updateTable('publications')
    .set({ ...state, retiredAtMs: null })
    .where('id', '=', (builder) =>
      builder
        .selectFrom('publications')
        .select('id')
        .where('packageId', '=', packageId)
        .where('videoId', '=', video.id)
        .orderBy('id', 'desc')
        .limit(1),
    )
    .returning(columns)
    .executeTakeFirst();
  const row =
    revived ??
    (await connection
      .insertInto('publications')
      .values({
        ...state,
        accountId,
        packageId,
        videoId: video.id,
        videoKey: drawKey(),
        createdAtMs: database.clock.now(),
      })
      .returning(columns)
      .executeTakeFirstOrThrow());
  await indexVideo(database, connection, video);
  return { record: toRecord(row), isNew: true };
}

type PublicationRow = Awaited<ReturnType<ReturnType<typeof selectPublications>['execute']>>[number];

function toRecord({ createdAtMs, ...row }: PublicationRow): PublicationRecord {
  return { ...row, publishedAt: new Date(createdAtMs) };
}

function selectPublication(connection: Connection, name: PublicationName) {
  return selectPublications(connection, name.accountId, name.accessKey).where(
    'packageId',
    '=',
    name.packageId,
  );
}

function selectPublications(connection: Connection, accountId: number, accessKey: string) {
  return connection
    .selectFrom('publications')
    .select(columns)
    .where('retiredAtMs', 'is', null)
    .where('accountId', '=', accountId)
    .where('videoId', '=', (builder) =>
      builder
        .selectFrom('videos')
        .select('videos.id')
        .where('videos.accountId', '=', accountId)
        .where('videos.accessKey', '=', accessKey),
    );
}
