import type { Catalog } from '../catalog/catalog.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { JournalHealth, StoreVerification } from '../store/facts.ts';
import type { Eraser } from './erase/eraser.ts';

/** What the operator's verbs work on: the stores, beside a running service or alone. */
export interface MaintenanceContext {
  readonly catalog: Catalog;
  readonly facts: StoreVerification;
  /** Where nothing can be summed: why. Then the facts can be read by `checkParts` alone. */
  readonly whyUnsummed?: string;
  readonly eraser: Pick<Eraser, 'undone' | 'repeat' | 'carryOut'>;
  readonly clock: Clock;
  checkJournal(): Promise<JournalHealth>;
  /** Called when everything was verified and is right. */
  noteVerified(): Promise<void>;
  close(): Promise<void>;
}
