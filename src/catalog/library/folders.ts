import { accept } from '../../lib/result.ts';
import { holdOpenAccount } from '../access/accounts.ts';
import { hasRoom } from '../access/count-limit.ts';
import { noteChange } from '../audit/change-entry.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { lockRows, shareRows } from '../database/row-locks.ts';
import type { Folders } from '../library.ts';
import { refused } from '../refusal.ts';

const columns = ['id as folderId', 'accountId', 'name as folderName'] as const;

export function createFolders(database: Database): Folders {
  const { kysely, clock } = database;
  return {
    create: (accountId, { folderName }) =>
      inTransaction(kysely, async (connection) => {
        if (!(await holdOpenAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
        if (!(await hasRoom(connection, 'folders', accountId))) return refused('TOO_MANY_FOLDERS');
        const folder = await connection
          .insertInto('folders')
          .values({ accountId, name: folderName, createdAtMs: clock.now() })
          .returning(columns)
          .executeTakeFirstOrThrow();
        const change = { accountId, object: folder.folderId, after: { folderName } };
        await noteChange(database, connection, { action: 'FOLDER_CREATED', ...change });
        return accept(folder);
      }),

    find: (accountId, folderId) => selectFolder(kysely, accountId, folderId).executeTakeFirst(),

    list(accountId, within) {
      const all = kysely
        .selectFrom('folders')
        .select(columns)
        .where('accountId', '=', accountId)
        .where('deletedAtMs', 'is', null)
        .orderBy('id');
      if (within === undefined) return all.execute();
      const holding = kysely
        .selectFrom('publications')
        .innerJoin('videos', 'videos.id', 'publications.videoId')
        .select('videos.folderId')
        .where('publications.accountId', '=', accountId)
        .where('packageId', 'in', within)
        .where('retiredAtMs', 'is', null);
      return all.where('id', 'in', holding).execute();
    },

    rename: (accountId, folderId, { folderName }) =>
      inTransaction(kysely, async (connection) => {
        const [before] = await lockRows(database, selectFolder(connection, accountId, folderId));
        if (!before) return refused('NO_FOLDER');
        await connection
          .updateTable('folders')
          .set({ name: folderName })
          .where('id', '=', folderId)
          .execute();
        const after = { ...before, folderName };
        const change = { accountId, object: folderId, before, after };
        await noteChange(database, connection, { action: 'FOLDER_CHANGED', ...change });
        return accept(after);
      }),

    delete: (accountId, folderId) =>
      inTransaction(kysely, async (connection) => {
        const [folder] = await lockRows(database, selectFolder(connection, accountId, folderId));
        if (!folder) return refused('NO_FOLDER');
        const video = await connection
          .selectFrom('videos')
          .select('id')
          .where('folderId', '=', folderId)
          .where('deletedAtMs', 'is', null)
          .limit(1)
          .executeTakeFirst();
        if (video) return refused('FOLDER_NOT_EMPTY');
        await connection
          .updateTable('folders')
          .set({ deletedAtMs: clock.now() })
          .where('id', '=', folderId)
          .execute();
        const { folderName } = folder;
        const change = { accountId, object: folderId, before: { folderName } };
        await noteChange(database, connection, { action: 'FOLDER_DELETED', ...change });
        return accept(undefined);
      }),
  };
}

export function selectFolder(connection: Connection, accountId: number, folderId: number) {
  return connection
    .selectFrom('folders')
    .select(columns)
    .where('accountId', '=', accountId)
    .where('id', '=', folderId)
    .where('deletedAtMs', 'is', null);
}

/** Keeps a folder from being deleted while the transaction puts a video into it; false: none. */
export async function holdFolder(
  database: Database,
  transaction: Connection,
  accountId: number,
  folderId: number,
): Promise<boolean> {
  const [folder] = await shareRows(database, selectFolder(transaction, accountId, folderId));
  return folder !== undefined;
}
