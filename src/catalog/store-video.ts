import { Fault } from '../wire/faults.ts';
import type { Connection } from './database.ts';
import { indexVideo } from './index-video.ts';
import { indexedVideoOf } from './search-index.ts';
import type { Store } from './store.ts';
import type { NewVideoRow, VideoRow } from './video-row.ts';

const rowsPerInsert = 200;

/** Writes new videos and what is derived from them; left out if its accessKey was used before. */
export async function addVideos(
  { search }: Store,
  transaction: Connection,
  rows: readonly NewVideoRow[],
): Promise<VideoRow[]> {
  const added: VideoRow[] = [];
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    const inserted = await transaction
      .insertInto('videos')
      .values(rows.slice(start, start + rowsPerInsert))
      .onConflict((conflict) => conflict.columns(['accountId', 'accessKey']).doNothing())
      .returningAll()
      .execute();
    // A new video is in no package yet.
    await search.add(
      transaction,
      inserted.map((row) => indexedVideoOf(row, [])),
    );
    added.push(...inserted);
  }
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
