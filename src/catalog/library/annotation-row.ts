import type { Annotation, AnnotationName } from '../annotations.ts';
import { noteChange } from '../audit/change-entry.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';

export function selectAnnotations(connection: Connection, accountId: number) {
  return connection
    .selectFrom('annotations')
    .leftJoin('videos', 'videos.id', 'annotations.videoId')
    .selectAll('annotations')
    .select('videos.accessKey')
    .where('annotations.accountId', '=', accountId);
}

type AnnotationRow = Awaited<ReturnType<ReturnType<typeof selectAnnotations>['execute']>>[number];

export function toAnnotation(row: AnnotationRow): Annotation {
  return {
    ...{ annotationId: row.id, accountId: row.accountId, kind: row.kind, text: row.text },
    at: new Date(row.atMs),
    until: row.untilMs === null ? undefined : new Date(row.untilMs),
    packageId: row.packageId ?? undefined,
    accessKey: row.accessKey ?? undefined,
    videoId: row.videoId ?? undefined,
    createdAt: new Date(row.createdAtMs),
    ...{ createdBy: row.actor, createdByName: row.actorName },
  };
}

/** What the audit says of it. */
export function noted({ kind, text, at, until, packageId, accessKey }: Annotation): object {
  return { kind, text, at, until, packageId, accessKey };
}

interface Deleted extends Partial<AnnotationName> {
  readonly accountId: number;
  readonly packageId?: number;
  readonly videoId?: number;
}

/** Those of a video or a package, one, or all of an account; within a transaction. */
export async function deleteAnnotations(
  database: Database,
  connection: Connection,
  { accountId, annotationId, packageId, videoId }: Deleted,
): Promise<number> {
  let query = selectAnnotations(connection, accountId);
  if (annotationId !== undefined) query = query.where('annotations.id', '=', annotationId);
  if (packageId !== undefined) query = query.where('packageId', '=', packageId);
  if (videoId !== undefined) query = query.where('videoId', '=', videoId);
  const found = (await query.orderBy('annotations.id').execute()).map(toAnnotation);
  for (const annotation of found) {
    const { annotationId: object } = annotation;
    await connection.deleteFrom('annotations').where('id', '=', object).execute();
    const change = { accountId, object, before: noted(annotation) };
    await noteChange(database, connection, { action: 'ANNOTATION_DELETED', ...change });
  }
  return found.length;
}
