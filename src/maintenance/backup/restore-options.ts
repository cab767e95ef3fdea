import type { ReadReceipt } from '../../operations/erasure-receipts.ts';

export interface RestoreOptions {
  /** Erasures that are newer than the backup. */
  readonly erasures: readonly ReadReceipt[];
  readonly signal: AbortSignal;
  /** Gets the share that is done, from 0 to 1. */
  readonly noteProgress: (share: number) => void;
}
