import type { Collector } from './collector.ts';

/** What an import works with: the collector, beside a service that runs or alone. */
export interface Importer {
  readonly collector: Collector;
  /** Where imports keep how far they have come. */
  readonly positionsFolder: string;
  /** Whether the account exists. */
  hasAccount(accountId: number): Promise<boolean>;
  /** Makes what was imported visible in the answers. */
  finish(): Promise<void>;
  close(): Promise<void>;
}
