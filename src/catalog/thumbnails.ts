import { checkMessage } from '../wire/check-message.ts';
import { Fault } from '../wire/faults.ts';
import { ThumbnailFields } from '../wire/video-fields.ts';
import type { Connection } from './database.ts';
import type { Thumbnail, Thumbnails } from './library.ts';
import type { Store } from './store.ts';
import { requireVideo } from './videos.ts';

const thumbnailLimit = 100;

export function createThumbnails(store: Store): Thumbnails {
  const { kysely } = store;
  return {
    list: (videoId) => listThumbnails(kysely, videoId),

    async replace(accountId, accessKey, given) {
      const rows = rowsOf(given);
      return kysely.transaction().execute(async (connection) => {
        const { id: videoId } = await requireVideo(store, connection, accountId, accessKey);
        await connection.deleteFrom('thumbnails').where('videoId', '=', videoId).execute();
        if (rows.length > 0) {
          const values = rows.map((row) => ({ ...row, videoId }));
          await connection.insertInto('thumbnails').values(values).execute();
        }
        return listThumbnails(connection, videoId);
      });
    },

    select: (accountId, accessKey, seq) =>
      kysely.transaction().execute(async (connection) => {
        const { id: videoId } = await requireVideo(store, connection, accountId, accessKey);
        const before = await listThumbnails(connection, videoId);
        if (!before.some((thumbnail) => thumbnail.seq === seq)) {
          throw new Fault('NOT_FOUND', 'There is no such thumbnail');
        }
        await connection
          .updateTable('thumbnails')
          .set((builder) => ({
            selected: builder
              .case()
              .when('seq', '=', seq)
              .then(1 as const)
              .else(0 as const)
              .end(),
          }))
          .where('videoId', '=', videoId)
          .execute();
        return listThumbnails(connection, videoId);
      }),
  };
}

async function listThumbnails(connection: Connection, videoId: number): Promise<Thumbnail[]> {
  const rows = await connection
    .selectFrom('thumbnails')
    .select(['seq', 'url', 'playTimeMs', 'selected'])
    .where('videoId', '=', videoId)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({ ...row, selected: row.selected === 1 }));
}

function rowsOf(given: readonly ThumbnailFields[]) {
  if (given.length > thumbnailLimit) {
    const detail = `may be at most ${thumbnailLimit}`;
    throw new Fault('INVALID_PARAMETER', `thumbnails ${detail}`, {
      errors: [{ parameter: 'thumbnails', detail }],
    });
  }
  const thumbnails = given.map((fields) => checkMessage(ThumbnailFields, fields));
  const chosen = Math.max(
    0,
    thumbnails.findIndex((fields) => fields.selected),
  );
  return thumbnails.map(({ url, playtime = 0 }, seq) => ({
    seq,
    url,
    playTimeMs: playtime,
    selected: seq === chosen ? (1 as const) : (0 as const),
  }));
}
