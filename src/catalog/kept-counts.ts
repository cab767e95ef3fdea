/**
 * What was counted in the lists of an account's library, kept until anything in that library
 * changes: whoever turns pages asks for the same total again and again, and to count what a common
 * keyword finds is most of the work of a page.
 */
import { sql } from 'kysely';
import { BoundedCache } from './bounded-cache.ts';
import type { Connection } from './database.ts';
import type { Store } from './store.ts';

const keptLimit = 10_000;

/** Counts, or answers what was counted under that name since the library last changed. */
export type CountOnce = <Counted>(name: string, count: () => Promise<Counted>) => Promise<Counted>;

/** To be asked for anew by every request: it looks whether the library has changed, on any node. */
export type KeptCounts = (accountId: number) => Promise<CountOnce>;

export function createKeptCounts({ kysely }: Pick<Store, 'kysely'>): KeptCounts {
  const kept = new BoundedCache<string, unknown>(keptLimit);
  return async (accountId) => {
    // Before anything is counted: what changes meanwhile is counted anew by the next request.
    const { libraryChanges } = await kysely
      .selectFrom('accounts')
      .select('libraryChanges')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    return async <Counted>(name: string, count: () => Promise<Counted>) => {
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
 * Belongs to every write of videos and of what is in packages. Last in its transaction, so that on
 * PostgreSQL the row is locked only while that commits.
 */
export async function noteLibraryChange(transaction: Connection, accountId: number): Promise<void> {
  await transaction
    .updateTable('accounts')
    .set({ libraryChanges: sql<number>`library_changes + 1` })
    .where('id', '=', accountId)
    .execute();
}
