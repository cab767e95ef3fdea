import type { Connection } from '../database/connection.ts';

/**
 * Makes the picture at a URL the only thumbnail of each video whose representative one has another
 * URL. Resolves to the videos that were changed.
 */
export async function putThumbnails(
  transaction: Connection,
  urls: ReadonlyMap<number, string>,
): Promise<ReadonlySet<number>> {
  if (urls.size === 0) return new Set();
  const present = await transaction
    .selectFrom('thumbnails')
    .select(['videoId', 'url'])
    .where('videoId', 'in', [...urls.keys()])
    .where('selected', '=', 1)
    .execute();
  const urlBefore = new Map(present.map(({ videoId, url }) => [videoId, url]));
  const changed = [...urls].filter(([videoId, url]) => urlBefore.get(videoId) !== url);
  const outdated = changed.map(([videoId]) => videoId).filter((videoId) => urlBefore.has(videoId));
  if (outdated.length > 0) {
    await transaction.deleteFrom('thumbnails').where('videoId', 'in', outdated).execute();
  }
  if (changed.length > 0) {
    const rows = changed.map(([videoId, url]) => ({ videoId, seq: 0, url, playTimeMs: 0 }));
    await transaction
      .insertInto('thumbnails')
      .values(rows.map((row) => ({ ...row, selected: 1 as const })))
      .execute();
  }
  return new Set(changed.map(([videoId]) => videoId));
}
