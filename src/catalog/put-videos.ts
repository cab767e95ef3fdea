import { isDeepStrictEqual } from 'node:util';
import Type from 'typebox';
import { assert } from '../lib/assert.ts';
import { accept, type Result, refuse } from '../lib/result.ts';
import { checkMessage } from '../wire/check-message.ts';
import { Fault } from '../wire/faults.ts';
import { NewVideoFields, ThumbnailFields } from '../wire/video-fields.ts';
import { requireAccount } from './accounts.ts';
import type { Connection } from './database.ts';
import { holdFolder } from './folders.ts';
import { noteLibraryChange } from './kept-counts.ts';
import { type PutVideo, type PutVideoFields, type Videos, videoBatchLimit } from './library.ts';
import { putThumbnails } from './put-thumbnails.ts';
import type { Store } from './store.ts';
import { addVideos, refuseAccessKey, storeVideo } from './store-video.ts';
import { type NewVideoRow, rowOfNewVideo, type VideoRow } from './video-row.ts';

const PutFields = Type.Object(
  {
    ...NewVideoFields.properties,
    thumbnailUrl: Type.Optional(ThumbnailFields.properties.url),
  },
  { additionalProperties: false },
);

interface Candidate {
  readonly row: NewVideoRow;
  readonly hasDate: boolean;
  readonly thumbnailUrl: string | undefined;
}

/** New videos are added many at a time; those that are there already are written one by one. */
export function createPutMany(store: Store): Videos['putMany'] {
  return async (accountId, videos) => {
    assert(videos.length <= videoBatchLimit, `a batch is at most ${videoBatchLimit} videos`);
    return store.kysely.transaction().execute(async (transaction) => {
      await requireAccount(transaction, accountId);
      const isHeld = await holdFolders(store, transaction, accountId, videos);
      const candidates = videos.map((given) => {
        const folder = isHeld.get(given.folderId);
        if (folder && !folder.ok) return folder;
        return asRefusal(() => candidateOf(accountId, given, store.clock.now()));
      });
      const rows = candidates.flatMap((candidate) => (candidate.ok ? candidate.value.row : []));
      const added = await addVideos(store, transaction, rows);
      const newKeys = new Set(added.map((row) => row.accessKey));
      const keys = rows.map((row) => row.accessKey).filter((key) => !newKeys.has(key));
      const present = await readPresent(store, transaction, accountId, keys);
      for (const row of added) present.set(row.accessKey, row);
      const results: Result<PutVideo, Fault>[] = [];
      const urls = new Map<number, string>();
      for (const one of candidates) {
        const result = one.ok ? await settle(store, transaction, present, newKeys, one.value) : one;
        results.push(result);
        const url = one.ok ? one.value.thumbnailUrl : undefined;
        if (result.ok && url !== undefined) urls.set(result.value.videoId, url);
      }
      const replaced = await putThumbnails(transaction, urls);
      if (results.some((result) => result.ok && result.value.isChanged)) {
        await noteLibraryChange(transaction, accountId);
      }
      return results.map((result) =>
        result.ok && replaced.has(result.value.videoId)
          ? accept({ ...result.value, isChanged: true })
          : result,
      );
    });
  };
}

/** What became of a candidate, once all that are new were added. */
async function settle(
  store: Store,
  transaction: Connection,
  present: Map<string, VideoRow>,
  newKeys: Set<string>,
  { row, hasDate }: Candidate,
): Promise<Result<PutVideo, Fault>> {
  const { accessKey } = row;
  const before = present.get(accessKey);
  assert(before !== undefined, 'a video that was not added is there');
  if (before.deletedAtMs !== null) return asRefusal(refuseAccessKey);
  const videoId = before.id;
  // The same accessKey a second time in one batch is a change of what was just added.
  if (newKeys.delete(accessKey)) {
    return accept({ videoId, accessKey, isNew: true, isChanged: true });
  }
  // Without a cdate the video keeps the one it has.
  const createdAtMs = hasDate ? row.createdAtMs : before.createdAtMs;
  const after = { ...row, id: videoId, createdAtMs };
  // An import that is run again mostly finds what it wrote.
  const isChanged = !isDeepStrictEqual({ ...before }, after);
  if (isChanged) await storeVideo(store, transaction, after);
  present.set(accessKey, after);
  return accept({ videoId, accessKey, isNew: false, isChanged });
}

async function readPresent(
  { engine }: Store,
  transaction: Connection,
  accountId: number,
  accessKeys: readonly string[],
): Promise<Map<string, VideoRow>> {
  if (accessKeys.length === 0) return new Map();
  const rows = await transaction
    .selectFrom('videos')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('accessKey', 'in', accessKeys)
    // Always in one order, so that two imports at once cannot wait for each other.
    .orderBy('id')
    .$if(engine === 'postgres', (query) => query.forUpdate())
    .execute();
  return new Map(rows.map((row) => [row.accessKey, row]));
}

async function holdFolders(
  store: Store,
  transaction: Connection,
  accountId: number,
  videos: readonly NewVideoFields[],
): Promise<ReadonlyMap<number, Result<void, Fault>>> {
  const held = new Map<number, Result<void, Fault>>();
  for (const folderId of new Set(videos.map((video) => video.folderId))) {
    // Anything else is refused by the schema, by its name.
    if (!Number.isSafeInteger(folderId)) continue;
    const folder = await holdFolder(store, transaction, accountId, folderId).then(
      accept,
      refusalOf,
    );
    held.set(folderId, folder);
  }
  return held;
}

function candidateOf(accountId: number, given: PutVideoFields, nowMs: number): Candidate {
  const { thumbnailUrl, ...fields } = checkMessage(PutFields, given);
  assert(fields.accessKey !== undefined, 'a video that is put has an accessKey');
  const row = rowOfNewVideo(accountId, fields, { accessKey: fields.accessKey, nowMs });
  return { row, hasDate: fields.cdate !== undefined, thumbnailUrl };
}

function asRefusal<Value>(run: () => Value): Result<Value, Fault> {
  try {
    return accept(run());
  } catch (error) {
    return refusalOf(error);
  }
}

/** What is wrong with one video is its own affair; a database that is away is everyone's. */
function refusalOf(error: unknown): Result<never, Fault> {
  if (error instanceof Fault && error.code !== 'UNAVAILABLE') return refuse(error);
  throw error;
}
