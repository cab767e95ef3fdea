import type { Catalog } from '../catalog/catalog.ts';
import type { FactUpkeep, JournalHealth } from '../facts/facts.ts';
import type { Clock } from '../lib/clock.ts';

/** What the operator's verbs work on: the stores, beside a running service or alone. */
export interface Upkeep {
  readonly catalog: Catalog;
  readonly facts: FactUpkeep;
  readonly clock: Clock;
  checkJournal(): Promise<JournalHealth>;
  close(): Promise<void>;
}
