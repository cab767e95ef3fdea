import { sql } from 'kysely';
import type { Connection } from '../database/connection.ts';
import type { CatalogMark } from '../maintenance.ts';

/** Works on the tables of any release. */
export async function readMark(kysely: Connection): Promise<CatalogMark> {
  const { rows } = await sql<CatalogMark>`SELECT
    coalesce((SELECT created_at_ms FROM accounts ORDER BY id LIMIT 1), 0) AS began_at_ms,
    coalesce((SELECT max(id) FROM accounts), 0) AS accounts,
    coalesce((SELECT max(id) FROM packages), 0) AS packages,
    coalesce((SELECT max(id) FROM videos), 0) AS videos,
    coalesce((SELECT max(id) FROM publications), 0) AS publications,
    (SELECT count FROM change_count) AS changes`.execute(kysely);
  return rows[0] as CatalogMark;
}
