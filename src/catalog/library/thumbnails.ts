import { assert } from '../../lib/assert.ts';
import { accept } from '../../lib/result.ts';
import { noteChange } from '../audit/note-change.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { type NewThumbnail, type Thumbnail, type Thumbnails, thumbnailLimit } from '../library.ts';
import { refused } from '../refusal.ts';
import { holdVideo } from './hold-video.ts';

export function createThumbnails(database: Database): Thumbnails {
  const { kysely } = database;
  return {
    list: (videoId) => listThumbnails(kysely, videoId),

    async replace(accountId, accessKey, given) {
      const rows = rowsOf(given);
      return kysely.transaction().execute(async (connection) => {
        const video = await holdVideo(database, connection, accountId, accessKey);
        if (!video) return refused('NO_VIDEO');
        const videoId = video.id;
        const before = await listThumbnails(connection, videoId);
        await connection.deleteFrom('thumbnails').where('videoId', '=', videoId).execute();
        if (rows.length > 0) {
          const values = rows.map((row) => ({ ...row, videoId }));
          await connection.insertInto('thumbnails').values(values).execute();
        }
        const after = await listThumbnails(connection, videoId);
        const change = {
          accountId,
          object: accessKey,
          before: notedMembers(before),
          after: notedMembers(after),
        };
        await noteChange(database, connection, { action: 'THUMBNAILS_REPLACED', ...change });
        return accept(after);
      });
    },

    select: (accountId, accessKey, seq) =>
      kysely.transaction().execute(async (connection) => {
        const video = await holdVideo(database, connection, accountId, accessKey);
        if (!video) return refused('NO_VIDEO');
        const videoId = video.id;
        const before = await listThumbnails(connection, videoId);
        if (!before.some((thumbnail) => thumbnail.seq === seq)) {
          return refused('NO_THUMBNAIL');
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
        const after = await listThumbnails(connection, videoId);
        const change = {
          accountId,
          object: accessKey,
          before: notedMembers(before),
          after: notedMembers(after),
        };
        await noteChange(database, connection, { action: 'THUMBNAIL_SELECTED', ...change });
        return accept(after);
      }),
  };
}

/** What the audit says of a video's thumbnails. */
function notedMembers(thumbnails: readonly Thumbnail[]): object {
  const selected = thumbnails.find((thumbnail) => thumbnail.selected)?.seq;
  return { selected, urls: thumbnails.map(({ url }) => url) };
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

function rowsOf(given: readonly NewThumbnail[]) {
  assert(given.length <= thumbnailLimit, `a video has at most ${thumbnailLimit} thumbnails`);
  const chosen = Math.max(
    0,
    given.findIndex(({ selected }) => selected),
  );
  return given.map(({ url, playTimeMs = 0 }, seq) => ({
    seq,
    url,
    playTimeMs,
    selected: seq === chosen ? (1 as const) : (0 as const),
  }));
}
