import { nextTurn } from '../../lib/tasks/event-loop-turn.ts';
import { forPortions } from '../../lib/tasks/work-portions.ts';
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

/** SQLite answers in the service's own thread. */
const portion = { size: 500, takeTurn: nextTurn };

/** Those of many videos, likewise; unknown ones are absent. */
export async function findVideoIds(
  connection: Connection,
  accountId: number,
  accessKeys: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  await forPortions([...accessKeys], portion, async (some) => {
    const videos = await connection
      .selectFrom('videos')
      .select(['id', 'accessKey'])
      .where('accountId', '=', accountId)
      .where('accessKey', 'in', some)
      .execute();
    for (const { id, accessKey } of videos) found.set(accessKey, id);
  });
  return found;
}
