/** Imports a list of videos into the catalog, batch by batch; may be interrupted and run again. */
import {
  type Catalog,
  type CatalogRefusal,
  type PublicationRecord,
  type StoredVideo,
  type VideoToPut,
  videoBatchLimit,
} from '../catalog/catalog.ts';
import { assert } from '../lib/assert.ts';
import { accept, type Result, refuse } from '../lib/result.ts';
import type { TakeTurn } from '../lib/tasks/fair-turns.ts';
import type { Clock } from '../lib/time/clock.ts';
import { readImportedVideo } from '../operations/library/video-forms.ts';
import { describeRefusal } from '../operations/refusal-faults.ts';
import type { Fault, ParameterFault } from '../vocabulary/faults.ts';
import { FolderFields } from '../wire/library/video-fields.ts';
import { messageFault } from '../wire/message-check.ts';
import { retryUnavailable } from './retry-unavailable.ts';
import type { Row } from './row.ts';
import { reasonOfField, videoOfRow } from './row-video.ts';

export interface ListImport {
  readonly clock: Clock;
  readonly accountId: number;
  /** Of the account: where days begin. */
  readonly timeZone: string;
  /** For rows that name none. */
  readonly folderId: number | undefined;
  /** Where the videos are published, if anywhere. */
  readonly packageId?: number | undefined;
  /** Default: as fast as it goes. */
  readonly pace?: ImportPace | undefined;
  readonly onPublished?: (publication: { accessKey: string; videoKey: string }) => void;
  /** Called after each batch, in the order of the lines. */
  readonly onBatch: (refusals: readonly Refusal[]) => Promise<void>;
}

/** For an import beside other work: a transaction of SQLite takes the thread that all work in. */
export interface ImportPace {
  /** Rows of a batch, at most `videoBatchLimit`. */
  readonly rows: number;
  /** Characters of a batch of more than one row. */
  readonly characters: number;
  /** Awaited before each transaction. */
  readonly takeTurn: TakeTurn;
}

const fullPace: ImportPace = {
  rows: videoBatchLimit,
  characters: Number.POSITIVE_INFINITY,
  takeTurn: async () => {},
};

export interface Refusal {
  readonly line: number;
  readonly reason: string;
}

export interface ListCounts {
  /** New, or changed by the row. */
  imported: number;
  unchanged: number;
  refused: number;
}

type Parts = Pick<Catalog, 'videos' | 'folders' | 'publications'>;

interface ReadRow {
  readonly line: number;
  readonly read: Result<VideoToPut, string>;
}

export async function importList(
  catalog: Parts,
  rows: AsyncIterable<Row>,
  wanted: ListImport,
): Promise<ListCounts> {
  const { clock, accountId, folderId, packageId, onPublished, onBatch, pace = fullPace } = wanted;
  const counts: ListCounts = { imported: 0, unchanged: 0, refused: 0 };
  const findFolder = await folderFinder(catalog, { clock, accountId, folderId, pace });
  const batches = twoAtOnce();

  async function read(values: Readonly<Record<string, unknown>>): Promise<ReadRow['read']> {
    const { fields, folderName, reasons } = videoOfRow(wanted, values);
    const place = { folderId: fields.folderId ?? folderId, folderName };
    const form = readImportedVideo({ ...fields, folderId: fields.folderId ?? 1 });
    const all = [
      ...reasons,
      ...reasonsOfPlace(place),
      ...(form.ok ? [] : listReasons(form.reason, (fault) => reasonOfField(fault, fields))),
    ];
    if (!form.ok || all.length > 0) return refuse(all.join('; '));
    // A folder is made only for a row that is right.
    const folder = await findFolder(fields.folderId, folderName);
    return folder.ok ? accept({ ...form.value, folderId: folder.value }) : folder;
  }

  /** In the order of the rows, each video once. */
  async function publish(put: readonly Result<StoredVideo, CatalogRefusal>[]) {
    const published = new Map<string, Result<PublicationRecord, CatalogRefusal>>();
    if (packageId === undefined) return published;
    const keys = put.flatMap((result) => (result.ok ? result.value.accessKey : []));
    const accessKeys = [...new Set(keys)];
    await pace.takeTurn();
    const results = await retryUnavailable(clock, () =>
      catalog.publications.publishMany(accountId, packageId, accessKeys),
    );
    for (const [index, accessKey] of accessKeys.entries()) {
      const result = results[index];
      if (result) published.set(accessKey, result);
    }
    return published;
  }

  function flush(batch: readonly ReadRow[]): Promise<void> {
    const videos = batch.flatMap((row) => (row.read.ok ? row.read.value : []));
    return batches.run(new Set(videos.map(({ accessKey }) => accessKey)), {
      async work() {
        await pace.takeTurn();
        const put = await retryUnavailable(clock, () => catalog.videos.putMany(accountId, videos));
        return { put, published: await publish(put) };
      },
      async report({ put, published }) {
        for (const [accessKey, result] of published) {
          if (result.ok) onPublished?.({ accessKey, videoKey: result.value.videoKey });
        }
        const results = put.values();
        const refusals: Refusal[] = [];
        for (const { line, read } of batch) {
          const result = read.ok ? (results.next().value as (typeof put)[number]) : read;
          // Somebody may have deleted the video before it was published.
          const publication = result.ok ? published.get(result.value.accessKey) : undefined;
          if (!result.ok) refusals.push({ line, reason: describeRefusal(result.reason) });
          else if (publication?.ok === false) {
            refusals.push({ line, reason: describeRefusal(publication.reason) });
          } else counts[result.value.isChanged ? 'imported' : 'unchanged'] += 1;
        }
        counts.refused += refusals.length;
        await onBatch(refusals);
      },
    });
  }

  let batch: ReadRow[] = [];
  let characters = 0;
  for await (const { line, values } of rows) {
    const more = values.ok ? countCharacters(values.value) : 0;
    if (batch.length === pace.rows || (batch.length > 0 && characters + more > pace.characters)) {
      await flush(batch);
      batch = [];
      characters = 0;
    }
    batch.push({ line, read: values.ok ? await read(values.value) : values });
    characters += more;
  }
  await flush(batch);
  await batches.end();
  return counts;
}

/**
 * While the database writes one batch, the next is read and started, unless they share a key: then
 * the later row would not surely be the last. Results are reported in order.
 */
function twoAtOnce() {
  let previous: Promise<void> = Promise.resolve();
  let previousKeys: ReadonlySet<unknown> = new Set();
  return {
    async run<Value>(
      keys: ReadonlySet<unknown>,
      { work, report }: { work: () => Promise<Value>; report: (value: Value) => Promise<void> },
    ): Promise<void> {
      if ([...keys].some((key) => previousKeys.has(key))) await previous;
      const before = previous;
      const working = work();
      previous = before.then(async () => report(await working));
      previousKeys = keys;
      // An error is thrown where it is awaited, which may be later.
      for (const promise of [working, previous]) promise.catch(() => {});
      await before;
    },
    end: () => previous,
  };
}

/** Most of what a row costs is the search index of its texts. */
function countCharacters(values: Readonly<Record<string, unknown>>): number {
  let characters = 0;
  for (const value of Object.values(values)) {
    if (typeof value === 'string') characters += value.length;
  }
  return characters;
}

function listReasons({ errors, message }: Fault, say: (fault: ParameterFault) => string): string[] {
  return errors?.map(say) ?? [message];
}

function reasonsOfPlace(place: { folderId: unknown; folderName: string | undefined }): string[] {
  const { folderId, folderName } = place;
  if (folderName === undefined) {
    return folderId === undefined ? ['folderId or folderName is required'] : [];
  }
  const fault = messageFault(FolderFields, { folderName });
  return fault ? [describeRefusal(fault)] : [];
}

type FinderParts = Pick<ListImport, 'clock' | 'accountId' | 'folderId'> & {
  readonly pace: ImportPace;
};

/** A row's folder, by id or by name; an unknown name creates one. */
async function folderFinder(
  { folders }: Parts,
  { clock, accountId, folderId: initial, pace }: FinderParts,
) {
  const byName = new Map<string, number>();
  // The oldest folder of a name counts: the first import created it.
  for (const { folderName, folderId } of (await folders.list(accountId)).toReversed()) {
    byName.set(folderName, folderId);
  }
  return async (folderId: unknown, folderName?: string): Promise<Result<number, string>> => {
    if (folderId !== undefined) return accept(folderId as number);
    if (folderName === undefined) {
      assert(initial !== undefined, 'a row that names no folder has one');
      return accept(initial);
    }
    const known = byName.get(folderName);
    if (known !== undefined) return accept(known);
    await pace.takeTurn();
    const created = await retryUnavailable(clock, () => folders.create(accountId, { folderName }));
    if (!created.ok) return refuse(describeRefusal(created.reason));
    byName.set(folderName, created.value.folderId);
    return accept(created.value.folderId);
  };
}
