import { checkMessage } from '../wire/check-message.ts';
import { Fault } from '../wire/faults.ts';
import { NewVideoFields, VideoChanges } from '../wire/video-fields.ts';
import { requireAccount } from './accounts.ts';
import { type Connection, inTransaction } from './database.ts';
import { drawKey } from './draw-key.ts';
import { holdFolder } from './folders.ts';
import { noteLibraryChange } from './kept-counts.ts';
import type { Videos } from './library.ts';
import { createVideoLists } from './list-videos.ts';
import { createPutMany } from './put-videos.ts';
import { retirePublications } from './retire-publications.ts';
import { selectVideoRows } from './select-video-rows.ts';
import type { Store } from './store.ts';
import { addVideos, refuseAccessKey, storeVideo } from './store-video.ts';
import { changeRow, rowOfNewVideo, videoOf } from './video-row.ts';

export function createVideos(store: Store): Videos {
  const { kysely, search, clock, watch } = store;
  return {
    ...createVideoLists(store),
    putMany: createPutMany(store),

    async create(accountId, given) {
      const fields = checkMessage(NewVideoFields, given);
      const accessKey = drawKey();
      const row = rowOfNewVideo(accountId, fields, { accessKey, nowMs: clock.now() });
      return inTransaction(kysely, async (connection) => {
        await requireAccount(connection, accountId);
        await holdFolder(store, connection, accountId, fields.folderId);
        const [added = refuseAccessKey()] = await addVideos(store, connection, [row]);
        await noteLibraryChange(connection, accountId);
        return videoOf({ ...added, thumbnailUrl: null });
      });
    },

    async find(accountId, accessKey) {
      const row = await selectVideo(kysely, accountId, accessKey).executeTakeFirst();
      return row && videoOf(row);
    },

    async change(accountId, accessKey, given) {
      const changes = checkMessage(VideoChanges, given);
      return kysely.transaction().execute(async (connection) => {
        const before = await requireVideo(store, connection, accountId, accessKey);
        const { thumbnailUrl, ...row } = before;
        const after = changeRow(row, changes);
        await holdFolder(store, connection, accountId, after.folderId);
        await storeVideo(store, connection, after);
        await noteLibraryChange(connection, accountId);
        return videoOf({ ...after, thumbnailUrl });
      });
    },

    delete: (accountId, accessKey) =>
      watch.write(async (connection) => {
        const { id } = await requireVideo(store, connection, accountId, accessKey);
        const deletedAtMs = clock.now();
        await connection.updateTable('videos').set({ deletedAtMs }).where('id', '=', id).execute();
        await search.remove(connection, id);
        await retirePublications(connection, { videoId: id }, deletedAtMs);
        await noteLibraryChange(connection, accountId);
      }),
  };
}

function selectVideo(connection: Connection, accountId: number, accessKey: string) {
  return selectVideoRows(connection)
    .where('accountId', '=', accountId)
    .where('accessKey', '=', accessKey)
    .where('deletedAtMs', 'is', null);
}

/** The row of a video, held against being deleted or changed until the transaction ends. */
export async function requireVideo(
  { engine }: Store,
  transaction: Connection,
  accountId: number,
  accessKey: string,
) {
  const row = await selectVideo(transaction, accountId, accessKey)
    .$if(engine === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row) throw new Fault('NOT_FOUND', 'There is no such video');
  return row;
}
