import { noteChange } from '../audit/change-entry.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { notedShare, shareOf } from './share-row.ts';

/** All of an account, within a transaction: there are as many as it has room for at most. */
export async function revokeAllShares(
  database: Database,
  connection: Connection,
  accountId: number,
): Promise<void> {
  const rows = await connection
    .deleteFrom('shares')
    .where('accountId', '=', accountId)
    .returningAll()
    .execute();
  for (const row of rows) {
    const change = { accountId, object: row.id, before: notedShare(shareOf(row)) };
    await noteChange(database, connection, { action: 'SHARE_REVOKED', ...change });
  }
}
