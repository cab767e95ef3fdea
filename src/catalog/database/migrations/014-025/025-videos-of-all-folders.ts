import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

const orders = {
  allVideos: ['accountId', 'id'],
  allVideosByTitle: ['accountId', 'titleOrder', 'id'],
  allVideosByDuration: ['accountId', 'durationMs', 'id'],
  allVideosByFileSize: ['accountId', 'fileSizeBytes', 'id'],
};

/** An index for each order of the list of all folders: of a million, sorting took 430 ms. */
export const videosOfAllFolders: Migration = {
  async up({ schema }: Kysely<unknown>) {
    for (const [name, columns] of Object.entries(orders)) {
      const index = schema.createIndex(name).on('videos').columns(columns);
      await index.where(sql.ref('deleted_at_ms'), 'is', null).execute();
    }
  },
};
