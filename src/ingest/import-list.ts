/** A list of videos into the catalog, batch by batch; may be broken off and run again. */
import { type Catalog, type PutVideoFields, videoBatchLimit } from '../catalog/catalog.ts';
import { accept, type Result, refuse } from '../lib/result.ts';
import { Fault } from '../wire/faults.ts';
import { retryUnavailable } from './retry-unavailable.ts';
import type { Row } from './row.ts';
import { videoOfRow } from './video-of-row.ts';

export interface ListImport {
  readonly accountId: number;
  /** Of rows that name none. */
  readonly folderId: number | undefined;
  /** Called after each batch, in the order of the lines. */
  readonly onBatch: (refusals: readonly Refusal[]) => Promise<void>;
}

export interface Refusal {
  readonly line: number;
  readonly reason: string;
}

export interface ListCounts {
  /** New, or not as the row says before. */
  imported: number;
  unchanged: number;
  refused: number;
}

type Parts = Pick<Catalog, 'videos' | 'folders'>;

interface ReadRow {
  readonly line: number;
  readonly read: Result<PutVideoFields, string>;
}

export async function importList(
  catalog: Parts,
  rows: AsyncIterable<Row>,
  { accountId, folderId, onBatch }: ListImport,
): Promise<ListCounts> {
  const counts: ListCounts = { imported: 0, unchanged: 0, refused: 0 };
  const findFolder = await folderFinder(catalog, accountId, folderId);
  const batches = twoAtOnce();

  async function read(values: Readonly<Record<string, unknown>>): Promise<ReadRow['read']> {
    const video = videoOfRow(accountId, values);
    if (!video.ok) return video;
    const { fields, folderName } = video.value;
    const folder = await findFolder(fields.folderId, folderName);
    // The catalog checks every field: it takes whatever the row says.
    return folder.ok ? accept({ ...fields, folderId: folder.value } as PutVideoFields) : folder;
  }

  function flush(batch: readonly ReadRow[]): Promise<void> {
    const videos = batch.flatMap((row) => (row.read.ok ? row.read.value : []));
    return batches.run(new Set(videos.map(({ accessKey }) => accessKey)), {
      work: () => retryUnavailable(() => catalog.videos.putMany(accountId, videos)),
      async tell(put) {
        const results = put.values();
        const refusals: Refusal[] = [];
        for (const { line, read } of batch) {
          const result = read.ok ? (results.next().value as (typeof put)[number]) : read;
          if (!result.ok) refusals.push({ line, reason: reasonOf(result.reason) });
          else counts[result.value.isChanged ? 'imported' : 'unchanged'] += 1;
        }
        counts.refused += refusals.length;
        await onBatch(refusals);
      },
    });
  }

  let batch: ReadRow[] = [];
  for await (const { line, values } of rows) {
    batch.push({ line, read: values.ok ? await read(values.value) : values });
    if (batch.length < videoBatchLimit) continue;
    await flush(batch);
    batch = [];
  }
  await flush(batch);
  await batches.end();
  return counts;
}

/**
 * While the database writes one batch, the next is read and begun, unless they share a key: then
 * the later row would not surely be the last. What became of them is told in order.
 */
function twoAtOnce() {
  let previous: Promise<void> = Promise.resolve();
  let previousKeys: ReadonlySet<unknown> = new Set();
  return {
    async run<Value>(
      keys: ReadonlySet<unknown>,
      { work, tell }: { work: () => Promise<Value>; tell: (value: Value) => Promise<void> },
    ): Promise<void> {
      if ([...keys].some((key) => previousKeys.has(key))) await previous;
      const before = previous;
      const working = work();
      previous = before.then(async () => tell(await working));
      previousKeys = keys;
      // Whatever fails is thrown where it is waited for, which may be later.
      for (const promise of [working, previous]) promise.catch(() => {});
      await before;
    },
    end: () => previous,
  };
}

function reasonOf(reason: string | Fault): string {
  if (typeof reason === 'string') return reason;
  const errors = reason.errors?.map(({ parameter, detail }) => `${parameter} ${detail}`);
  return errors?.join('; ') ?? reason.message;
}

/** A row's folder by its number or its name; one of a new name is created. */
async function folderFinder({ folders }: Parts, accountId: number, initial: number | undefined) {
  const byName = new Map<string, number>();
  // The oldest of a name counts: the first import created it.
  for (const { folderName, folderId } of (await folders.list(accountId)).toReversed()) {
    byName.set(folderName, folderId);
  }
  return async (folderId: unknown, folderName?: string): Promise<Result<unknown, string>> => {
    if (folderId !== undefined) return accept(folderId);
    if (folderName === undefined) {
      return initial === undefined
        ? refuse('folderId is required, or a folderName')
        : accept(initial);
    }
    const known = byName.get(folderName);
    if (known !== undefined) return accept(known);
    try {
      const created = await retryUnavailable(() => folders.create(accountId, { folderName }));
      byName.set(folderName, created.folderId);
      return accept(created.folderId);
    } catch (error) {
      if (!(error instanceof Fault) || error.code === 'UNAVAILABLE') throw error;
      return refuse(reasonOf(error));
    }
  };
}
