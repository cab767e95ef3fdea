import type { CurrentErasures } from '../../vocabulary/erasures.ts';
import type { Connection } from '../database/connection.ts';
import { readViews } from './erased-names.ts';

/** Undefined if nothing was ever erased. */
export async function readCurrentErasures(
  kysely: Connection,
): Promise<CurrentErasures | undefined> {
  const accounts = await kysely
    .selectFrom('accounts')
    .select(['id', 'keptSinceMs'])
    .where('isErased', '=', 1)
    .orderBy('id')
    .execute();
  if (accounts.length === 0) return undefined;
  const rows = await kysely
    .selectFrom('erasures')
    .selectAll()
    .where('state', 'in', ['summing', 'deleting'])
    .where('kind', '!=', 'facts')
    .orderBy('atMs')
    .orderBy('receipt')
    .execute();
  const open: CurrentErasures['open'][number][] = [];
  for (const row of rows) open.push({ ...row, views: await readViews(kysely, row.receipt) });
  return {
    open,
    keptSince: new Map(
      accounts
        .filter(({ keptSinceMs }) => keptSinceMs > 0)
        .map(({ id, keptSinceMs }) => [id, keptSinceMs]),
    ),
    accounts: new Set(accounts.map(({ id }) => id)),
  };
}
