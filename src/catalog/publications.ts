import { Fault } from '../wire/faults.ts';
import type { PublicationName, PublicationRecord, Publications } from './catalog.ts';
import type { Connection } from './database.ts';
import { drawKey } from './draw-key.ts';
import { createIdentification } from './identification.ts';
import { indexVideo } from './index-video.ts';
import { noteLibraryChange } from './kept-counts.ts';
import { holdPackage } from './packages.ts';
import { retirePublications } from './retire-publications.ts';
import type { Store } from './store.ts';
import { requireVideo } from './videos.ts';

const columns = ['accountId', 'packageId', 'videoId', 'videoKey', 'serviceAble'] as const;

export function createPublications(store: Store): Publications {
  const { kysely, clock, watch } = store;

  async function find(name: PublicationName): Promise<PublicationRecord | undefined> {
    return selectPublication(kysely, name).executeTakeFirst();
  }

  return {
    ...createIdentification(store),
    find,

    publish: (name) =>
      kysely.transaction().execute(async (connection) => {
        const { accountId, packageId, accessKey } = name;
        const video = await requireVideo(store, connection, accountId, accessKey);
        await holdPackage(store, connection, accountId, packageId);
        const videoKey = drawKey();
        await connection
          .insertInto('publications')
          .values({
            accountId,
            packageId,
            videoId: video.id,
            videoKey,
            serviceAble: 'Y',
            titleOrder: video.titleOrder,
            durationMs: video.durationMs,
            fileSizeBytes: video.fileSizeBytes,
            createdAtMs: clock.now(),
          })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await indexVideo(store, connection, video);
        await noteLibraryChange(connection, accountId);
        return selectPublication(connection, name).executeTakeFirstOrThrow();
      }),

    async setServiceAble(name, serviceAble) {
      const before = (await find(name)) ?? refusePublication();
      await kysely
        .updateTable('publications')
        .set({ serviceAble })
        .where('videoKey', '=', before.videoKey)
        .execute();
      return { ...before, serviceAble };
    },

    retire: (name) =>
      watch.write(async (connection) => {
        const { packageId, videoId } =
          (await selectPublication(connection, name).executeTakeFirst()) ?? refusePublication();
        const video = await requireVideo(store, connection, name.accountId, name.accessKey);
        await retirePublications(connection, { packageId, videoId }, clock.now());
        await indexVideo(store, connection, video);
        await noteLibraryChange(connection, name.accountId);
      }),
  };
}

function selectPublication(connection: Connection, name: PublicationName) {
  return connection
    .selectFrom('publications')
    .select(columns)
    .where('packageId', '=', name.packageId)
    .where('retiredAtMs', 'is', null)
    .where('accountId', '=', name.accountId)
    .where('videoId', '=', (builder) =>
      builder
        .selectFrom('videos')
        .select('videos.id')
        .where('videos.accountId', '=', name.accountId)
        .where('videos.accessKey', '=', name.accessKey),
    );
}

function refusePublication(): never {
  throw new Fault('NOT_FOUND', 'The video is not in that package');
}
