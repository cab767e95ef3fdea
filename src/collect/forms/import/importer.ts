import type { ImportAnswer } from '../../../wire/beacons/beacon.ts';

/** What an import needs, beside a running service or alone. */
export interface Importer {
  /** Beacons, and raw facts that were exported, in any order; see Collector. */
  collect(received: readonly unknown[], accountId: number): Promise<ImportAnswer>;
  /** The folder where imports keep their progress. */
  readonly positionsFolder: string;
  /** Whether the account exists. */
  hasAccount(accountId: number): Promise<boolean>;
  /** Makes imported beacons visible in the statistics. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
