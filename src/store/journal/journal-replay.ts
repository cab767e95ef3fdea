/** Inserts into the store what an earlier run has left in its journal. */
import type { Logger } from '../../lib/logger.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { isStoreMistake } from '../client/store-failure.ts';
import { type FactBatch, factColumns, joinByColumns } from './fact-batch.ts';
import type { JournalFolder, LeftFile } from './journal-file.ts';
import type { RefusedFile } from './refused-files.ts';
import type { FactMetrics } from './store-metrics.ts';

interface ReplayOptions {
  /** Called for a file that stays; returns whether it is the first time. */
  readonly refuse: (file: RefusedFile, error: unknown) => boolean;
  readonly store: (batch: FactBatch) => Promise<void>;
  readonly logger: Logger;
  readonly metrics: FactMetrics;
  /** Counted up. */
  readonly recovered: Recovered;
}

/** What all attempts of a start have found. */
export interface Recovered {
  files: number;
  facts: number;
  /** Files of which a part cannot be read, and those that the store refuses: they are kept. */
  keptFiles: number;
}

export async function replayJournal(folder: JournalFolder, options: ReplayOptions): Promise<void> {
  const { store, logger, metrics, recovered } = options;
  for await (const file of folder.leftFiles()) {
    requireKnownColumns(file);
    const { name, tornBytes, frames } = file;
    const facts = frames.reduce((sum, { batch }) => sum + batch.count, 0);
    try {
      for (const batch of joinByColumns(frames.map(({ batch }) => batch))) await store(batch);
    } catch (error) {
      if (!isStoreMistake(error)) throw error;
      const since = frames[0]?.writtenAtMs ?? file.createdAtMs;
      if (options.refuse({ name, facts, since }, error)) recovered.keptFiles += 1;
      continue;
    }
    if (file.damagedPlaces.length > 0) {
      metrics.journalDamaged();
      recovered.keptFiles += 1;
      const keptAs = await file.keepAside();
      logger.error(
        { file: name, keptAs, facts, damagedPlaces: placesOf(file) },
        'journal damaged: some facts acknowledged in these spans of time may be missing',
      );
    } else {
      await file.remove();
    }
    recovered.files += 1;
    recovered.facts += facts;
    logger.info({ file: name, facts, tornBytes }, 'journal of the last run replayed');
  }
}

/** Storing the others without these would lose acknowledged facts. */
function requireKnownColumns({ name, frames }: LeftFile): void {
  const columns = new Set(frames.flatMap(({ batch }) => batch.columns));
  const unknown = [...columns].filter((column) => !factColumns.includes(column));
  if (unknown.length === 0) return;
  throw new Fault(
    'INTERNAL',
    `Journal file ${name} is of a later release: it has the column ${unknown.join(', ')}`,
  );
}

/** When the lost facts of each place were acknowledged, as closely as the file shows. */
function placesOf({ damagedPlaces, createdAtMs, writtenAtMs }: LeftFile) {
  return damagedPlaces.map(({ at, bytes, afterMs, beforeMs }) => ({
    at,
    bytes,
    from: new Date(afterMs ?? createdAtMs).toISOString(),
    until: new Date(beforeMs ?? writtenAtMs).toISOString(),
  }));
}
