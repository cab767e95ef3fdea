import type { Connection } from '../database/connection.ts';

/**
 * Retires those of a video, of a package, or the one of both. The search index need not follow for
 * a whole package: nobody can ask for its list again.
 */
export async function retirePublications(
  transaction: Connection,
  { packageId, videoId }: { packageId?: number; videoId?: number },
  retiredAtMs: number,
): Promise<void> {
  let update = transaction
    .updateTable('publications')
    .set({ retiredAtMs })
    .where('retiredAtMs', 'is', null);
  if (packageId !== undefined) update = update.where('packageId', '=', packageId);
  if (videoId !== undefined) update = update.where('videoId', '=', videoId);
  await update.execute();
}
