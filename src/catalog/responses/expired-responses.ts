import type { Logger } from '../../lib/logger.ts';
import { nextTurn } from '../../lib/tasks/event-loop-turn.ts';
import { repeat } from '../../lib/tasks/repeated-work.ts';
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
  const round = async (signal: AbortSignal): Promise<void> => {
    for (const one of kept) {
      while (!signal.aborted && (await one.purge()) > 0) await nextTurn();
    }
  };
  const failure = 'purge failed, trying again';
  return repeat(round, { firstPauseMs: everyMs, pauseMs: everyMs, failure, clock, logger });
}
