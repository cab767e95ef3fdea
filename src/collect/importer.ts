import type { Collector } from './collector.ts';

/** What an import needs: the collector, beside a running service or alone. */
export interface Importer {
  readonly collector: Collector;
  /** The folder where imports keep their progress. */
  readonly positionsFolder: string;
  /** Whether the account exists. */
  hasAccount(accountId: number): Promise<boolean>;
  /** Makes imported beacons visible in the statistics. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
