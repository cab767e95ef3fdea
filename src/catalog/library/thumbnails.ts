import { sql } from 'kysely';
import { assert } from '../../lib/assert.ts';
import { accept, type Result } from '../../lib/result.ts';
import type { AuditAction } from '../../vocabulary/audit-actions.ts';
import { noteChange } from '../audit/change-entry.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { type NewThumbnail, type Thumbnail, type Thumbnails, thumbnailLimit } from '../library.ts';
import { type CatalogRefusal, refused } from '../refusal.ts';
import { holdVideo } from './video-row.ts';

interface VideoName {
  readonly accountId: number;
  readonly accessKey: string;
}

type MakeChange = (
  connection: Connection,
  videoId: number,
  before: readonly Thumbnail[],
) => Promise<Result<undefined, CatalogRefusal>>;

export function createThumbnails(database: Database): Thumbnails {
  const { kysely } = database;

  /** Makes a change and notes it, unless it is refused; resolves to what is there then. */
  function change(name: VideoName, action: AuditAction, make: MakeChange) {
    const { accountId, accessKey } = name;
    return kysely.transaction().execute(async (connection) => {
      const video = await holdVideo(database, connection, accountId, accessKey);
      if (!video) return refused('NO_VIDEO');
      const before = await listThumbnails(connection, video.id);
      const made = await make(connection, video.id, before);
      if (!made.ok) return made;
      const after = await listThumbnails(connection, video.id);
      await noteChange(database, connection, {
        accountId,
        action,
        object: accessKey,
        before: notedMembers(before),
        after: notedMembers(after),
      });
      return accept(after);
    });
  }

  return {
    list: (videoId) => listThumbnails(kysely, videoId),

    async isClosed(fileName) {
      // Of the same bytes accounts have one file.
      const { all, closed } = await kysely
        .selectFrom('thumbnails')
        .innerJoin('videos', 'videos.id', 'thumbnails.videoId')
        .innerJoin('accounts', 'accounts.id', 'videos.accountId')
        .select(({ fn }) => [
          fn.countAll<number>().as('all'),
          fn.count<number>('closedAtMs').as('closed'),
        ])
        .where(sql`substr(url, length(url) - 25)`, '=', fileName)
        .executeTakeFirstOrThrow();
      return Number(all) > 0 && Number(all) === Number(closed);
    },

    async replace(accountId, accessKey, given) {
      const rows = toRows(given);
      const name = { accountId, accessKey };
      return change(name, 'THUMBNAILS_REPLACED', async (connection, videoId) => {
        await connection.deleteFrom('thumbnails').where('videoId', '=', videoId).execute();
        if (rows.length > 0) {
          const values = rows.map((row) => ({ ...row, videoId }));
          await connection.insertInto('thumbnails').values(values).execute();
        }
        return accept(undefined);
      });
    },

    select(accountId, accessKey, seq) {
      const name = { accountId, accessKey };
      return change(name, 'THUMBNAIL_SELECTED', async (connection, videoId, before) => {
        if (!before.some((thumbnail) => thumbnail.seq === seq)) return refused('NO_THUMBNAIL');
        await connection
          .updateTable('thumbnails')
          .set((builder) => ({
            selected: builder
              .case()
              .when('seq', '=', seq)
              .then(1 as const)
              .else(0 as const)
              .end(),
          }))
          .where('videoId', '=', videoId)
          .execute();
        return accept(undefined);
      });
    },
  };
}

/** What the audit says of a video's thumbnails. */
function notedMembers(thumbnails: readonly Thumbnail[]): object {
  const selected = thumbnails.find((thumbnail) => thumbnail.selected)?.seq;
  return { selected, urls: thumbnails.map(({ url }) => url) };
}

async function listThumbnails(connection: Connection, videoId: number): Promise<Thumbnail[]> {
  const rows = await connection
    .selectFrom('thumbnails')
    .select(['seq', 'url', 'playTimeMs', 'selected'])
    .where('videoId', '=', videoId)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({ ...row, selected: row.selected === 1 }));
}

function toRows(given: readonly NewThumbnail[]) {
  assert(given.length <= thumbnailLimit, `a video has at most ${thumbnailLimit} thumbnails`);
  const chosen = Math.max(
    0,
    given.findIndex(({ selected }) => selected),
  );
  return given.map(({ url, playTimeMs = 0 }, seq) => ({
    seq,
    url,
    playTimeMs,
    selected: seq === chosen ? (1 as const) : (0 as const),
  }));
}
