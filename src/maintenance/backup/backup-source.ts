import type { CatalogMark } from '../../catalog/catalog.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { ReadReceipt } from '../../operations/erasure-receipts.ts';
import type { FrozenTables } from '../../store/facts.ts';

/** A file of this machine that goes into a backup. */
export interface SourceFile {
  /** In the backup. */
  readonly path: string;
  readonly source: string;
  readonly bytes: number;
}

/** A copy of its file; of a catalog in PostgreSQL, how far it is. */
export type CopiedCatalog =
  | { readonly file: Omit<SourceFile, 'bytes'> }
  | { readonly mark: CatalogMark };

/** What a backup is made of: the stores of a data folder, while they are used. */
export interface BackupSource {
  readonly clock: Clock;
  /** Undefined: the secret is the operator's own, from APP_SECRET. */
  readonly secretFile: string | undefined;
  readonly contentFolder: string;
  /** Files that stay as they are until `clear`. */
  freezeFacts(): Promise<FrozenTables>;
  copyJournal(): Promise<Omit<SourceFile, 'bytes'>[]>;
  copyCatalog(): Promise<CopiedCatalog>;
  /** Notes that a backup was finished. */
  noteDone(completeThrough: string): Promise<void>;
  /** Removes copies, those of a backup that was interrupted too. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

export interface RestoreOptions {
  /** Erasures that are newer than the backup. */
  readonly erasures: readonly ReadReceipt[];
  readonly signal: AbortSignal;
  /** Gets the share that is done, from 0 to 1. */
  readonly noteProgress: (share: number) => void;
}
