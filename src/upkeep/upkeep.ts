import type { Catalog } from '../catalog/catalog.ts';
import type { Eraser } from '../erasing/eraser.ts';
import type { FactUpkeep, JournalHealth } from '../facts/facts.ts';
import type { Clock } from '../lib/clock.ts';

/** What the operator's verbs work on: the stores, beside a running service or alone. */
export interface Upkeep {
  readonly catalog: Catalog;
  readonly facts: FactUpkeep;
  /** Where nothing can be summed: why. Then the facts can be read by `checkParts` alone. */
  readonly whyUnsummed?: string;
  readonly eraser: Pick<Eraser, 'undone' | 'repeat' | 'carryOut'>;
  readonly clock: Clock;
  checkJournal(): Promise<JournalHealth>;
  close(): Promise<void>;
}
