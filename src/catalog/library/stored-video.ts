import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import type { NewVideoRow, VideoRow } from '../database/tables.ts';
import { chooseSearchIndex } from '../search/configured-search-index.ts';
import { indexedVideoOf } from '../search/search-index.ts';
import { indexVideo } from '../search/video-index.ts';

const rowsPerInsert = 200;

/** Writes new videos and what is derived from them; skips those whose accessKey was used before. */
export async function addVideos(
  database: Database,
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
    await chooseSearchIndex(database).add(
      transaction,
      inserted.map((row) => indexedVideoOf(row, [])),
    );
    added.push(...inserted);
  }
  return added;
}

/** Writes an existing video and what is derived from it. */
export async function storeVideo(
  database: Database,
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
  await indexVideo(database, transaction, { id, ...columns });
}
