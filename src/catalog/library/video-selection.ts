import type { Connection } from '../database/connection.ts';

/** Whole rows of videos, each with the URL of its representative thumbnail. */
export function selectVideoRows(connection: Connection) {
  return connection
    .selectFrom('videos')
    .selectAll('videos')
    .select((builder) =>
      builder
        .selectFrom('thumbnails')
        .select('url')
        .whereRef('thumbnails.videoId', '=', 'videos.id')
        .where('selected', '=', 1)
        .as('thumbnailUrl'),
    );
}
