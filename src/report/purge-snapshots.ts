import type { Catalog } from '../catalog/catalog.ts';
import type { Logger } from '../lib/logger.ts';

const everyMs = 60_000;

/** Lets go of kept answers once they have expired; answers how to stop. */
export function purgeSnapshots(snapshots: Catalog['snapshots'], logger: Logger): () => void {
  const timer = setInterval(() => {
    snapshots.purge().catch((error) => logger.warn({ err: error }, 'purge failed, trying again'));
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
