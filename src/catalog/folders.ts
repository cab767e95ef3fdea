import { checkMessage } from '../wire/check-message.ts';
import { Fault } from '../wire/faults.ts';
import { FolderFields } from '../wire/video-fields.ts';
import { requireAccount } from './accounts.ts';
import { checkCount } from './check-count.ts';
import type { Connection } from './database.ts';
import type { Folder, Folders } from './library.ts';
import type { Store } from './store.ts';

const columns = ['id as folderId', 'accountId', 'name as folderName'] as const;

export function createFolders(store: Store): Folders {
  const { kysely, clock } = store;
  return {
    async create(accountId, fields) {
      const { folderName } = checkMessage(FolderFields, fields);
      await requireAccount(kysely, accountId);
      await checkCount(kysely, 'folders', accountId);
      return kysely
        .insertInto('folders')
        .values({ accountId, name: folderName, createdAtMs: clock.now() })
        .returning(columns)
        .executeTakeFirstOrThrow();
    },

    find: (accountId, folderId) => selectFolder(kysely, accountId, folderId).executeTakeFirst(),

    list: (accountId) =>
      kysely
        .selectFrom('folders')
        .select(columns)
        .where('accountId', '=', accountId)
        .where('deletedAtMs', 'is', null)
        .orderBy('id')
        .execute(),

    async rename(accountId, folderId, fields) {
      const { folderName } = checkMessage(FolderFields, fields);
      const renamed: Folder | undefined = await kysely
        .updateTable('folders')
        .set({ name: folderName })
        .where('accountId', '=', accountId)
        .where('id', '=', folderId)
        .where('deletedAtMs', 'is', null)
        .returning(columns)
        .executeTakeFirst();
      return renamed ?? refuseFolder();
    },

    delete: (accountId, folderId) =>
      kysely.transaction().execute(async (connection) => {
        const folder = await selectFolder(connection, accountId, folderId)
          .$if(store.engine === 'postgres', (query) => query.forUpdate())
          .executeTakeFirst();
        if (!folder) refuseFolder();
        const video = await connection
          .selectFrom('videos')
          .select('id')
          .where('folderId', '=', folderId)
          .where('deletedAtMs', 'is', null)
          .limit(1)
          .executeTakeFirst();
        if (video) throw new Fault('CONFLICT', 'The folder still holds videos');
        await connection
          .updateTable('folders')
          .set({ deletedAtMs: clock.now() })
          .where('id', '=', folderId)
          .execute();
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

/** Keeps a folder from being deleted while the transaction puts a video into it. */
export async function holdFolder(
  { engine }: Store,
  transaction: Connection,
  accountId: number,
  folderId: number,
): Promise<void> {
  const folder = await selectFolder(transaction, accountId, folderId)
    .$if(engine === 'postgres', (query) => query.forShare())
    .executeTakeFirst();
  if (!folder) refuseFolder();
}

function refuseFolder(): never {
  throw new Fault('NOT_FOUND', 'There is no such folder');
}
