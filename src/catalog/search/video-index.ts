import type { Connection, Dialect } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import type { VideoRow } from '../database/tables.ts';
import { postgresSearchIndex } from './postgres-search-index.ts';
import { type SearchIndex, toIndexedVideo } from './search-index.ts';
import { sqliteSearchIndex } from './sqlite-search-index.ts';

export function chooseSearchIndex({ dialect }: { readonly dialect: Dialect }): SearchIndex {
  return dialect === 'sqlite' ? sqliteSearchIndex : postgresSearchIndex;
}

/** Indexes a video as it is now: its texts, its folder and its packages. */
export async function indexVideo(
  database: Database,
  transaction: Connection,
  row: VideoRow,
): Promise<void> {
  const publications = await transaction
    .selectFrom('publications')
    .select('packageId')
    .where('videoId', '=', row.id)
    .where('retiredAtMs', 'is', null)
    .execute();
  const search = chooseSearchIndex(database);
  const packageIds = publications.map(({ packageId }) => packageId);
  await search.remove(transaction, row.id);
  await search.add(transaction, [toIndexedVideo(row, packageIds)]);
}
