import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { lockRows } from '../database/row-locks.ts';
import { selectVideoRows } from './video-selection.ts';

export function selectVideo(connection: Connection, accountId: number, accessKey: string) {
  return selectVideoRows(connection)
    .where('accountId', '=', accountId)
    .where('accessKey', '=', accessKey)
    .where('deletedAtMs', 'is', null);
}

/** Reads a video and keeps others from changing or deleting it until the transaction ends. */
export async function holdVideo(
  database: Database,
  transaction: Connection,
  accountId: number,
  accessKey: string,
) {
  const [video] = await lockRows(database, selectVideo(transaction, accountId, accessKey));
  return video;
}
