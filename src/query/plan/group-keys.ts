/** By which expressions rows are grouped, one or two a dimension. Columns are those of facts. */
import type { KnownVideo } from '../../catalog/catalog.ts';
import type { FactQuery } from '../../store/facts.ts';
import { type AudienceDimensionName, isLabel } from '../../vocabulary/dimensions.ts';
import { type LabelContext, labelSql } from '../labels/label-sql.ts';
import { valueOfVideo } from '../labels/video-value.ts';
import { clockOffset, localTime } from '../ranges/local-clock.ts';

export interface GroupKeys {
  /** In the order of the dimensions; `hour` has two, its local start and its offset in seconds. */
  readonly sql: readonly string[];
  readonly parameters: FactQuery['parameters'];
  /** What must hold for a fact to have the keys. */
  readonly conditions: readonly string[];
}

/** How many of the keys are the dimension's. */
export function keysPerDimension(name: AudienceDimensionName): number {
  return name === 'hour' ? 2 : 1;
}

interface KeyContext extends LabelContext {
  /** So much later are weeks, months and years. */
  readonly shiftSeconds: number;
}

export function groupKeys(
  dimensions: readonly AudienceDimensionName[],
  context: KeyContext,
  videos: readonly KnownVideo[],
): GroupKeys {
  const folder = dimensions.includes('folder') ? folderKey(videos) : undefined;
  return {
    sql: dimensions.flatMap((name) =>
      name === 'folder' && folder ? [folder.sql] : sqlOf(name, context),
    ),
    parameters: {
      ...folder?.parameters,
      ...(context.shiftSeconds === 0 ? {} : { shift: context.shiftSeconds }),
    },
    // A video that was first played a moment ago is in the facts before it is in the sums.
    conditions: folder ? [`${folder.sql} > 0`] : [],
  };
}

function folderKey(videos: readonly KnownVideo[]) {
  const named = { ids: 'folderVideos', values: 'folders', type: 'UInt32' } as const;
  return valueOfVideo(videos, named, ({ folderId }) => folderId);
}

function sqlOf(name: AudienceDimensionName, context: KeyContext): string[] {
  const local = localTime(context.clock);
  const shifted = context.shiftSeconds === 0 ? local : `${local} + {shift:Int32}`;
  switch (name) {
    case 'hour':
      return [`toUInt32(toStartOfHour(${local}))`, clockOffset(context.clock)];
    case 'date':
      return [`toDate(${local})`];
    case 'week':
      return [`toMonday(${shifted})`];
    case 'month':
      return [`toStartOfMonth(${shifted})`];
    case 'year':
      return [`toStartOfYear(${shifted})`];
    case 'hourOfDay':
      return [`toHour(${local})`];
    case 'weekday':
      return [`toDayOfWeek(${local})`];
    case 'video':
    case 'folder':
      return ['videoId'];
    case 'package':
      return ['packageId'];
    case 'viewerKind':
      return ['bitShiftRight(viewer, 62)'];
    default:
      return [labelSql(isLabel(name) ? name : name, context)];
  }
}
