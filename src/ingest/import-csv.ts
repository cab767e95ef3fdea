/** A list of videos in CSV, as one message has it -> the catalog. */
import type { Catalog } from '../catalog/catalog.ts';
import type { Clock } from '../lib/clock.ts';
import { importList, type ListCounts, type ListImport, type Refusal } from './import-list.ts';
import { nameColumns } from './name-columns.ts';
import { readCsv } from './read-csv.ts';

type CsvImport = Pick<ListImport, 'accountId' | 'packageId'> & {
  readonly csv: string;
  readonly folderId?: number;
};

export interface CsvOutcome extends ListCounts {
  /** By the lines of the message, from 1. */
  readonly refusals: Refusal[];
}

/** Throws INVALID_PARAMETER where the header has no names that are known. */
export async function importCsv(
  catalog: Pick<Catalog, 'videos' | 'folders' | 'publications'>,
  clock: Clock,
  { csv, folderId, ...wanted }: CsvImport,
): Promise<CsvOutcome> {
  const refusals: Refusal[] = [];
  const counts = await importList(catalog, readCsv(bytesOf(csv), nameColumns), {
    ...wanted,
    folderId,
    clock,
    onBatch: async (some) => {
      refusals.push(...some);
    },
  });
  return { ...counts, refusals };
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
