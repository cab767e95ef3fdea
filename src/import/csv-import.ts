/** A list of videos in CSV, as one message has it -> the catalog. */
import type { Catalog } from '../catalog/catalog.ts';
import { createFairTurns } from '../lib/tasks/fair-turns.ts';
import type { Clock } from '../lib/time/clock.ts';
import { readCsv } from './csv-records.ts';
import { importList, type ListCounts, type ListImport, type Refusal } from './list-import.ts';
import { nameColumns } from './row-video.ts';

type CsvImport = Pick<ListImport, 'accountId' | 'timeZone' | 'packageId'> & {
  readonly csv: string;
  readonly folderId?: number;
};

export interface CsvOutcome extends ListCounts {
  /** By the lines of the message, from 1. */
  readonly refusals: Refusal[];
}

export type ImportCsv = (
  catalog: Pick<Catalog, 'videos' | 'folders' | 'publications'>,
  wanted: CsvImport,
) => Promise<CsvOutcome>;

/** Of SQLite, a batch is what it writes in some 20 ms; longer texts cost more than many rows. */
const batch = { rows: 50, characters: 10_000 };
/** Imports leave most turns of the event loop to players and questions. */
const everyTurns = 4;

/**
 * Imports beside everything else that the service does: one batch of one of them in a turn. It
 * throws INVALID_PARAMETER where the header has no names that are known.
 */
export function createImportCsv(clock: Clock): ImportCsv {
  const pace = { ...batch, takeTurn: createFairTurns(everyTurns) };
  return async (catalog, { csv, ...wanted }) => {
    const refusals: Refusal[] = [];
    const counts = await importList(catalog, readCsv(bytesOf(csv), nameColumns), {
      ...{ folderId: undefined, ...wanted, clock, pace },
      onBatch: async (some) => {
        refusals.push(...some);
      },
    });
    return { ...counts, refusals };
  };
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
