import type { Logger } from '../logger.ts';
import { type Clock, sleep } from '../time/clock.ts';

interface Repetition {
  /** After the end of one round, to the beginning of the next. */
  readonly pauseMs: number;
  /** Before the first round; default: none. */
  readonly firstPauseMs?: number;
  /** What the log says of a round that failed. */
  readonly failure: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Works in rounds, the next one also after a failure, until the returned function is called. */
export function repeat(
  work: (signal: AbortSignal) => Promise<unknown>,
  { pauseMs, firstPauseMs, failure, clock, logger }: Repetition,
): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    if (firstPauseMs !== undefined) await sleep(clock, firstPauseMs, signal);
    while (!signal.aborted) {
      try {
        await work(signal);
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, failure);
      }
      await sleep(clock, pauseMs, signal);
    }
  };
  void run();
  return () => stopping.abort();
}
