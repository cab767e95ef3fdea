import { accept, type Result } from '../../lib/result.ts';
import { longestAnnotation } from '../../vocabulary/annotations.ts';
import { hasRoom } from '../access/count-limit.ts';
import { isPlainText } from '../access/name-check.ts';
import type {
  Annotation,
  AnnotationFields,
  AnnotationName,
  Annotations,
  AnnotationTarget,
} from '../annotations.ts';
import { describeActor, noteChange } from '../audit/change-entry.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { holdAccount } from '../database/row-locks.ts';
import { type CatalogRefusal, refused, refusedField } from '../refusal.ts';
import { deleteAnnotations, noted, selectAnnotations, toAnnotation } from './annotation-row.ts';
import { holdPackage } from './packages.ts';
import { holdVideo } from './video-row.ts';

export function createAnnotations(database: Database): Annotations {
  const { kysely, clock, actor } = database;
  return {
    async list(accountId, { from, to }) {
      let query = selectAnnotations(kysely, accountId).orderBy('atMs').orderBy('annotations.id');
      if (to) query = query.where('atMs', '<', to.getTime());
      if (from) {
        const fromMs = from.getTime();
        query = query.where(({ eb, or }) =>
          or([eb('atMs', '>=', fromMs), eb('untilMs', '>', fromMs)]),
        );
      }
      return (await query.execute()).map(toAnnotation);
    },

    find: (name) => find(kysely, name),

    create: (given) =>
      inTransaction(kysely, async (connection) => {
        const { accountId, kind, packageId } = given;
        const checked = check(given);
        if (!checked.ok) return checked;
        // Before the account, as all that changes a video.
        const target = await holdTarget(database, connection, accountId, given);
        if (!target.ok) return target;
        // So that of many at once no more are made than there is room for.
        if (!(await holdAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
        if (!(await hasRoom(connection, 'annotations', accountId))) {
          return refused('TOO_MANY_ANNOTATIONS');
        }
        const { id } = await connection
          .insertInto('annotations')
          .values({
            ...{ accountId, kind, ...checked.value, createdAtMs: clock.now() },
            ...{ packageId: packageId ?? null, videoId: target.value ?? null },
            ...describeActor(actor),
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        const made = await find(connection, { accountId, annotationId: id });
        if (!made) return refused('NO_ANNOTATION');
        const change = { accountId, object: id, after: noted(made) };
        await noteChange(database, connection, { action: 'ANNOTATION_CREATED', ...change });
        return accept(made);
      }),

    change: (name, changes) =>
      inTransaction(kysely, async (connection) => {
        const { accountId, annotationId } = name;
        if (!(await holdAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
        const before = await find(connection, name);
        if (!before) return refused('NO_ANNOTATION');
        const after = { ...before, ...changes };
        const checked = check(after);
        if (!checked.ok) return checked;
        await connection
          .updateTable('annotations')
          .set({ kind: after.kind, ...checked.value })
          .where('id', '=', annotationId)
          .execute();
        const states = { before: noted(before), after: noted(after) };
        const change = { accountId, object: annotationId, ...states };
        await noteChange(database, connection, { action: 'ANNOTATION_CHANGED', ...change });
        return accept(after);
      }),

    delete: ({ accountId, annotationId }) =>
      inTransaction(kysely, async (connection) => {
        const deleted = await deleteAnnotations(database, connection, { accountId, annotationId });
        return deleted === 0 ? refused('NO_ANNOTATION') : accept(undefined);
      }),
  };
}

async function find(
  connection: Connection,
  { accountId, annotationId }: AnnotationName,
): Promise<Annotation | undefined> {
  const query = selectAnnotations(connection, accountId);
  const row = await query.where('annotations.id', '=', annotationId).executeTakeFirst();
  return row && toAnnotation(row);
}

type Checked = { readonly text: string; readonly atMs: number; readonly untilMs: number | null };

function check({ text, at, until }: AnnotationFields): Result<Checked, CatalogRefusal> {
  if (!isPlainText(text, longestAnnotation)) {
    const detail = `must be 1 to ${longestAnnotation} characters, on one line`;
    return refusedField('text', detail);
  }
  const [atMs, untilMs] = [at.getTime(), until?.getTime() ?? null];
  if (untilMs !== null && untilMs <= atMs) return refusedField('until', 'must be after `at`');
  return accept({ text, atMs, untilMs });
}

/** The id of its video; neither that nor its package is deleted meanwhile. */
async function holdTarget(
  database: Database,
  connection: Connection,
  accountId: number,
  { packageId, accessKey }: AnnotationTarget,
): Promise<Result<number | undefined, CatalogRefusal>> {
  if (packageId !== undefined && accessKey !== undefined) {
    return refusedField('packageId', 'must be left out where `accessKey` is given');
  }
  if (packageId !== undefined) {
    const held = await holdPackage(database, connection, accountId, packageId);
    return held ? accept(undefined) : refused('NO_PACKAGE');
  }
  if (accessKey === undefined) return accept(undefined);
  const video = await holdVideo(database, connection, accountId, accessKey);
  return video ? accept(video.id) : refused('NO_VIDEO');
}
