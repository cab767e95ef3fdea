/** Carries out what was recorded: by the interface, or by a process that died before the end. */
import type { Catalog } from '../../catalog/catalog.ts';
import type { Logger } from '../../lib/logger.ts';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import type { Eraser } from './eraser.ts';

const lookEveryMs = 2_000;

interface KeepErasingOptions {
  readonly eraser: Pick<Eraser, 'carryOut'>;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Looks every two seconds until the returned function is called. */
export function keepErasing(options: KeepErasingOptions): () => void {
  const { eraser, catalog, clock, logger } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        for (const { receipt } of await catalog.erasures.open()) {
          if (signal.aborted) return;
          const { views, facts } = await eraser.carryOut(catalog, receipt, signal);
          logger.info({ receipt, views, facts }, 'playback erased');
        }
      } catch (error) {
        if (!signal.aborted) logger.warn({ err: error }, 'erasure is not done yet, trying again');
      }
      await sleep(clock, lookEveryMs, signal);
    }
  };
  void run();
  return () => stopping.abort();
}
