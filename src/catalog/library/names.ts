import type { Database } from '../database/database.ts';
import type { Names } from '../library.ts';

/** Also of what is deleted: statistics refer to it. */
export function createNames({ kysely }: Database): Names {
  return {
    packages: (accountId, packageIds) =>
      kysely
        .selectFrom('packages')
        .select(['id', 'name'])
        .where('accountId', '=', accountId)
        .where('id', 'in', [...packageIds])
        .execute(),

    folders: (accountId, folderIds) =>
      kysely
        .selectFrom('folders')
        .select(['id', 'name'])
        .where('accountId', '=', accountId)
        .where('id', 'in', [...folderIds])
        .execute(),
  };
}
