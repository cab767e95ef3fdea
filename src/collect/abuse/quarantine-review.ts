import type { Catalog } from '../../catalog/catalog.ts';
import type { Suspects } from './quarantine.ts';

/** What verbs about suspects need: the stores, beside a running service or alone. */
export interface QuarantineReview {
  readonly catalog: Catalog;
  readonly suspects: Suspects;
  close(): Promise<void>;
}
