import { Fault } from '../wire/faults.ts';
import type { Connection } from './database.ts';
import { indexVideo } from './index-video.ts';
import type { Store } from './store.ts';
import type { NewVideoRow, VideoRow } from './video-row.ts';

/** Writes a new video and what is derived from it; undefined if its accessKey was used before. */
export async function addVideo(
  store: Store,
  transaction: Connection,
  row: NewVideoRow,
): Promise<VideoRow | undefined> {
  const added = await transaction
    .insertInto('videos')
    .values(row)
    .onConflict((conflict) => conflict.columns(['accountId', 'accessKey']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (added) await indexVideo(store, transaction, added);
  return added;
}

export function refuseAccessKey(): never {
  throw new Fault('CONFLICT', 'The accessKey was used before');
}

/** Writes a video that is there already and what is derived from it. */
export async function storeVideo(
  store: Store,
  transaction: Connection,
  { id, ...columns }: VideoRow,
): Promise<void> {
  await transaction.updateTable('videos').set(columns).where('id', '=', id).execute();
  // A package's list is sorted by copies; see tables.ts.
  const { titleOrder, durationMs, fileSizeBytes } = columns;
  await transaction
    .updateTable('publications')
    .set({ titleOrder, durationMs, fileSizeBytes })
    .where('videoId', '=', id)
    .execute();
  await indexVideo(store, transaction, { id, ...columns });
}
