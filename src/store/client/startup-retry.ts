/** Makes the store ready for use as soon as possible; until then reports why it is not. */

import type { Logger } from '../../lib/logger.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { findReason } from './store-failure.ts';

/** On average: two nodes that start together and collide must not keep colliding. */
const retryMs = 250;
/** While the server is known to be away: to look whether it still is asks nobody. */
const lookMs = 25;

export interface StartupRetry {
  /** Resolves when it is done or stopped; rejects if trying again cannot help. */
  readonly done: Promise<void>;
  /** Undefined when it is done. */
  whyNotReady(): string | undefined;
  stop(): Promise<void>;
}

interface BringUpOptions {
  /** One attempt; repeated after a failure that may pass. */
  readonly attempt: () => Promise<void>;
  readonly whyServerNotReady: (() => string | undefined) | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function retryStartup({
  attempt,
  whyServerNotReady,
  clock,
  logger,
}: BringUpOptions): StartupRetry {
  const stopping = new AbortController();
  let notReady: string | undefined = 'The statistics store has not answered yet';

  const attemptOnce = async (): Promise<boolean> => {
    if (whyServerNotReady?.() !== undefined) return false;
    try {
      await attempt();
      notReady = undefined;
      return true;
    } catch (error) {
      const reason = findReason(error);
      if (reason !== notReady) logger.warn({ reason }, 'the statistics store is not ready');
      notReady = reason;
      if (!mayPass(error)) throw error;
      return false;
    }
  };
  const work = async (): Promise<void> => {
    while (!stopping.signal.aborted && !(await attemptOnce())) {
      const isAway = whyServerNotReady?.() !== undefined;
      const pauseMs = isAway ? lookMs : retryMs * (0.5 + Math.random());
      await sleep(clock, pauseMs, stopping.signal);
    }
  };
  const done = work();

  return {
    done,
    whyNotReady: () => notReady,
    async stop() {
      stopping.abort();
      await done.catch(() => {});
    },
  };
}

/** Faults of the store that may pass, and those of the operating system, such as a full disk. */
function mayPass(error: unknown): boolean {
  if (error instanceof Fault) return error.code === 'UNAVAILABLE';
  return error instanceof Error && 'syscall' in error;
}
