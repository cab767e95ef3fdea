/** Journal files whose facts the store refuses because of a bug of ours: kept, and counted. */
import type { Logger } from '../../lib/logger.ts';
import type { FactMetrics } from './store-metrics.ts';

export interface RefusedFile {
  readonly name: string;
  readonly facts: number;
  /** When the first of them became durable, by the service's clock. */
  readonly since: number;
}

export interface RefusedFiles {
  /** Returns whether the file is new among them. */
  add(file: RefusedFile, error: unknown): boolean;
  /** Since when the oldest fact waits; Infinity if none does. */
  since(): number;
}

interface RefusedFilesOptions {
  readonly logger: Logger;
  readonly metrics: FactMetrics;
}

export function createRefusedFiles({ logger, metrics }: RefusedFilesOptions): RefusedFiles {
  const names = new Set<string>();
  let oldest = Number.POSITIVE_INFINITY;
  return {
    add({ name, facts, since }, error) {
      if (names.has(name)) return false;
      names.add(name);
      oldest = Math.min(oldest, since);
      metrics.journalRefused(facts);
      logger.error(
        { err: error, file: name, facts },
        'the store refuses facts of the journal; their file stays for the next start',
      );
      return true;
    },
    since: () => oldest,
  };
}
