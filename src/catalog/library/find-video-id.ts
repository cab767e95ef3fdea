import type { Connection } from '../database/connection.ts';

/** The id of a video, even of one that is deleted; undefined: there was never one. */
export async function findVideoId(
  connection: Connection,
  accountId: number,
  accessKey: string,
): Promise<number | undefined> {
  const video = await connection
    .selectFrom('videos')
    .select('id')
    .where('accountId', '=', accountId)
    .where('accessKey', '=', accessKey)
    .executeTakeFirst();
  return video?.id;
}
