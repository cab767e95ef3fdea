/** What the catalog keeps of limits by key and by address: how much of each a minute has used. */
import type { TakenPoints, WantedPoints } from '../lib/limits/shared-limiter.ts';

/** One place for all nodes, by the database's clock. */
export interface LimitWindows {
  /**
   * Takes as many points as are left. `subject` names limit and subject in at most 44 characters,
   * and must not reveal an address. Rejects with UNAVAILABLE within a second.
   */
  take(wanted: Omit<WantedPoints, 'limit'>): Promise<TakenPoints>;
  /** Deletes a portion of the windows that have ended; resolves to how many, 0 at the end. */
  purge(): Promise<number>;
}
