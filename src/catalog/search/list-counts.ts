/**
 * Counts of an account's lists, kept until anything in the account's library changes: a reader who
 * turns pages needs the same total again and again, and counting the matches of a common keyword is
 * most of the work of a page.
 */
import { sql } from 'kysely';
import { createLruCache } from '../../lib/values/lru-cache.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';

const keptLimit = 10_000;

/** Returns the count kept under that name since the library last changed, or counts. */
export type CountOnce = <Counted extends {}>(
  name: string,
  count: () => Promise<Counted>,
) => Promise<Counted>;

/** Call it for every request: it checks whether the library has changed, on any node. */
export type KeptCounts = (accountId: number) => Promise<CountOnce>;

export function createKeptCounts({ kysely }: Pick<Database, 'kysely'>): KeptCounts {
  const kept = createLruCache<string, NonNullable<unknown>>(keptLimit);
  return async (accountId) => {
    // Before counting: if something changes meanwhile, the next request counts again.
    const { libraryChanges } = await kysely
      .selectFrom('accounts')
      .select('libraryChanges')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    return async <Counted extends {}>(name: string, count: () => Promise<Counted>) => {
      const key = `${accountId} ${libraryChanges} ${name}`;
      const known = kept.get(key) as Counted | undefined;
      if (known !== undefined) return known;
      const counted = await count();
      kept.set(key, counted);
      return counted;
    };
  };
}

/**
 * Call it with every write to videos or to the contents of packages, last in its transaction, so
 * that on PostgreSQL the row is locked only during the commit.
 */
export async function noteLibraryChange(transaction: Connection, accountId: number): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set({ libraryChanges: sql<number>`library_changes + 1` })
    .where('id', '=', accountId)
    .execute();
}
