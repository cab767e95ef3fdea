import { assert } from '../lib/assert.ts';
import { accept, type Result, refuse } from '../lib/result.ts';
import { checkMessage } from '../wire/check-message.ts';
import { Fault } from '../wire/faults.ts';
import { NewVideoFields } from '../wire/video-fields.ts';
import { requireAccount } from './accounts.ts';
import type { Connection } from './database.ts';
import { holdFolder } from './folders.ts';
import { type PutVideo, type Videos, videoBatchLimit } from './library.ts';
import type { Store } from './store.ts';
import { addVideo, refuseAccessKey, storeVideo } from './store-video.ts';
import { rowOfNewVideo } from './video-row.ts';

type KeyedFields = NewVideoFields & { accessKey: string };

export function createPutMany(store: Store): Videos['putMany'] {
  return async (accountId, videos) => {
    assert(videos.length <= videoBatchLimit, `a batch is at most ${videoBatchLimit} videos`);
    return store.kysely.transaction().execute(async (transaction) => {
      await requireAccount(transaction, accountId);
      const results: Result<PutVideo, Fault>[] = [];
      for (const fields of videos) {
        results.push(await asResult(() => putVideo(store, transaction, accountId, fields)));
      }
      return results;
    });
  };
}

async function putVideo(
  store: Store,
  transaction: Connection,
  accountId: number,
  given: KeyedFields,
): Promise<PutVideo> {
  const fields = checkMessage(NewVideoFields, given);
  const { accessKey } = given;
  const row = rowOfNewVideo(accountId, fields, { accessKey, nowMs: store.clock.now() });
  await holdFolder(store, transaction, accountId, fields.folderId);
  const added = await addVideo(store, transaction, row);
  if (added) return { videoId: added.id, accessKey, isNew: true };
  const before = await transaction
    .selectFrom('videos')
    .select(['id', 'createdAtMs', 'deletedAtMs'])
    .where('accountId', '=', accountId)
    .where('accessKey', '=', accessKey)
    .$if(store.engine === 'postgres', (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  if (before.deletedAtMs !== null) refuseAccessKey();
  // Without a cdate the video keeps the one it has.
  const createdAtMs = fields.cdate === undefined ? before.createdAtMs : row.createdAtMs;
  await storeVideo(store, transaction, { ...row, id: before.id, createdAtMs });
  return { videoId: before.id, accessKey, isNew: false };
}

/** What is wrong with one video is its own affair; a database that is away is everyone's. */
async function asResult<Value>(run: () => Promise<Value>): Promise<Result<Value, Fault>> {
  try {
    return accept(await run());
  } catch (error) {
    if (error instanceof Fault && error.code !== 'UNAVAILABLE') return refuse(error);
    throw error;
  }
}
