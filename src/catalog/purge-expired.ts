import type { Logger } from '../lib/logger.ts';

const everyMs = 60_000;

/** What is kept for a while only. */
interface Kept {
  purge(): Promise<unknown>;
}

/** Lets go of what has expired; answers how to stop. */
export function purgeExpired(kept: readonly Kept[], logger: Logger): () => void {
  const purgeAll = async () => {
    for (const one of kept) await one.purge();
  };
  const timer = setInterval(() => {
    purgeAll().catch((error) => logger.warn({ err: error }, 'purge failed, trying again'));
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
