import { accept } from '../../lib/result.ts';
import { findAccount } from '../access/accounts.ts';
import { noteChange } from '../audit/change-entry.ts';
import { countChange } from '../database/change-watch.ts';
import { inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import type { Videos } from '../library.ts';
import { refused } from '../refusal.ts';
import { noteLibraryChange } from '../search/list-counts.ts';
import { chooseSearchIndex } from '../search/video-index.ts';
import { deleteAnnotations } from './annotation-row.ts';
import { holdFolder } from './folders.ts';
import { drawKey } from './new-key.ts';
import { retirePublications } from './packages.ts';
import { createVideoLists } from './video-lists.ts';
import {
  changeRow,
  holdVideo,
  notedMembers,
  rowOfNewVideo,
  selectVideo,
  toVideo,
} from './video-row.ts';
import { addVideos, createPutMany, storeVideo } from './video-writes.ts';

export function createVideos(database: Database): Videos {
  const { kysely, clock, watch } = database;
  return {
    ...createVideoLists(database),
    putMany: createPutMany(database),

    async create(accountId, given) {
      const row = rowOfNewVideo(accountId, { accessKey: drawKey(), ...given }, clock.now());
      return inTransaction(kysely, async (connection) => {
        if (!(await findAccount(connection, accountId))) return refused('NO_ACCOUNT');
        const hasFolder = await holdFolder(database, connection, accountId, given.folderId);
        if (!hasFolder) return refused('NO_FOLDER');
        const [added] = await addVideos(database, connection, [row]);
        if (!added) return refused('ACCESS_KEY_USED');
        const change = { accountId, object: added.accessKey, after: notedMembers(added) };
        await noteChange(database, connection, { action: 'VIDEO_CREATED', ...change });
        await noteLibraryChange(connection, accountId);
        return accept(toVideo({ ...added, thumbnailUrl: null }));
      });
    },

    async find(accountId, accessKey) {
      const row = await selectVideo(kysely, accountId, accessKey).executeTakeFirst();
      return row && toVideo(row);
    },

    change: (accountId, accessKey, changes) =>
      kysely.transaction().execute(async (connection) => {
        const before = await holdVideo(database, connection, accountId, accessKey);
        if (!before) return refused('NO_VIDEO');
        const { thumbnailUrl, ...row } = before;
        const after = changeRow(row, changes);
        const hasFolder = await holdFolder(database, connection, accountId, after.folderId);
        if (!hasFolder) return refused('NO_FOLDER');
        await storeVideo(database, connection, after);
        await noteChange(database, connection, {
          action: 'VIDEO_CHANGED',
          accountId,
          object: accessKey,
          before: notedMembers(row),
          after: notedMembers(after),
        });
        await noteLibraryChange(connection, accountId);
        // Collectors hold reported positions to the length.
        if (after.durationMs !== row.durationMs) await countChange(connection);
        return accept(toVideo({ ...after, thumbnailUrl }));
      }),

    delete: (accountId, accessKey) =>
      watch.write(async (connection) => {
        const video = await holdVideo(database, connection, accountId, accessKey);
        if (!video) return refused('NO_VIDEO');
        const { id, thumbnailUrl: _, ...row } = video;
        const deletedAtMs = clock.now();
        await connection.updateTable('videos').set({ deletedAtMs }).where('id', '=', id).execute();
        await chooseSearchIndex(database).remove(connection, id);
        await retirePublications(connection, { videoId: id }, deletedAtMs);
        await deleteAnnotations(database, connection, { accountId, videoId: id });
        const change = { accountId, object: accessKey, before: notedMembers(row) };
        await noteChange(database, connection, { action: 'VIDEO_DELETED', ...change });
        await noteLibraryChange(connection, accountId);
        return accept(undefined);
      }),
  };
}
