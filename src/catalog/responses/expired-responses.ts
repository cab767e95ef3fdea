import type { Logger } from '../../lib/logger.ts';
import { nextTurn } from '../../lib/tasks/event-loop-turn.ts';
import type { Clock } from '../../lib/time/clock.ts';

const everyMs = 60_000;

/** What is kept for a limited time. */
interface Kept {
  /** Deletes a portion of what has expired; resolves to 0 if nothing is left. */
  purge(): Promise<number>;
}

interface JobContext {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Removes all that has expired, once a minute, in portions: between two of them, requests have
 * their turn. Returns what stops it.
 */
export function purgeExpired(kept: readonly Kept[], { clock, logger }: JobContext): () => void {
  let isStopped = false;
  let cancel = () => {};
  const purgeAll = async () => {
    try {
      for (const one of kept) {
        while (!isStopped && (await one.purge()) > 0) await nextTurn();
      }
    } catch (error) {
      logger.warn({ err: error }, 'purge failed, trying again');
    }
    if (!isStopped) purgeLater();
  };
  const purgeLater = () => {
    cancel = clock.after(everyMs, () => void purgeAll());
  };
  purgeLater();
  return () => {
    isStopped = true;
    cancel();
  };
}
