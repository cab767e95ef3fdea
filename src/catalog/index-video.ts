import type { Connection } from './database.ts';
import { indexedVideoOf } from './search-index.ts';
import type { Store } from './store.ts';
import type { VideoRow } from './video-row.ts';

/** Puts a video into the search index as it is now: its texts, its folder and its packages. */
export async function indexVideo(
  { search }: Store,
  transaction: Connection,
  row: VideoRow,
): Promise<void> {
  const publications = await transaction
    .selectFrom('publications')
    .select('packageId')
    .where('videoId', '=', row.id)
    .where('retiredAtMs', 'is', null)
    .execute();
  const packageIds = publications.map(({ packageId }) => packageId);
  await search.remove(transaction, row.id);
  await search.add(transaction, [indexedVideoOf(row, packageIds)]);
}
