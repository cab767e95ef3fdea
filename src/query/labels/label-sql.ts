/** The value of a dimension of a fact or of a sum, as text, in SQL. Columns are those of facts. */

import { assert } from '../../lib/assert.ts';
import type { ClockOffset } from '../../lib/time/time-zone.ts';
import { normalizeText } from '../../lib/values/text-normalization.ts';
import { type BoundArray, boundArray, type DetailColumn } from '../../store/facts.ts';
import {
  type AudienceDimensionName,
  isLabel,
  labelPrefix,
  type RecordedDimension,
  unknownValue,
} from '../../vocabulary/dimensions.ts';
import type { DeclaredLabels } from '../parse/dimension-parser.ts';
import { clockOffset, localTime } from '../ranges/local-clock.ts';
import { normalizedSql } from './normalized-sql.ts';

export interface LabelContext {
  /** The zone's offsets over the range; `clockParameters` binds them. */
  readonly clock: readonly ClockOffset[];
  readonly labels: DeclaredLabels;
}

/** What the catalog knows about a video is not a column. */
export type StoredDimension = Exclude<AudienceDimensionName, 'video' | 'folder'>;

export function labelSql(name: StoredDimension, context: LabelContext): string {
  const column = columnOf(name, context);
  return column === undefined ? computedSql(name, context) : known(column, unknownValue);
}

/**
 * A condition that the value is one of some, none of them empty. Columns are compared as they are
 * stored: an unknown value is named in the counts of days, and empty in facts.
 */
export function isOneOfSql(
  name: StoredDimension,
  context: LabelContext,
  values: readonly string[],
  parameter: string,
): BoundArray {
  const column = columnOf(name, context);
  const stored = values.flatMap((value) => (value === unknownValue ? [value, ''] : [value]));
  const bound = boundArray(parameter, 'String', stored);
  return { ...bound, sql: `${column ?? computedSql(name, context)} IN ${bound.sql}` };
}

/** The same, normalised: for a column, the values in its dictionary and not each row. */
export function normalizedLabelSql(name: StoredDimension, context: LabelContext): string {
  const column = columnOf(name, context);
  // Times, numbers and kinds of viewers are ASCII.
  if (column === undefined) return `lower(${computedSql(name, context)})`;
  return known(column, normalizeText(unknownValue), normalizedSql(column));
}

/** Undefined for values that are computed from other columns. */
function columnOf(name: StoredDimension, { labels }: LabelContext): LabelColumn | undefined {
  if (!isLabel(name)) return labelColumns.find((column) => column === name);
  const number = labels.get(name.slice(labelPrefix.length));
  assert(number !== undefined, `${name} is declared`);
  return `label${number}` as DetailColumn;
}

function computedSql(name: StoredDimension, { clock }: LabelContext): string {
  return computedLabels[name as ComputedLabel](localTime(clock), clockOffset(clock));
}

/** The offset as RFC 3339 writes it. */
function offsetText(seconds: string): string {
  return `concat(if(${seconds} < 0, '-', '+'),
  formatDateTime(toDateTime(abs(${seconds}), 'UTC'), '%H:%i'))`;
}

const labelColumns = [
  ...(['os', 'osVersion', 'device', 'browser', 'browserVersion', 'country'] as const),
  ...(['host', 'page', 'referrer', 'player'] as const),
];
type LabelColumn = DetailColumn | (typeof labelColumns)[number];
type ComputedLabel = Exclude<RecordedDimension, 'video' | 'folder' | (typeof labelColumns)[number]>;

const computedLabels: Readonly<Record<ComputedLabel, (local: string, offset: string) => string>> = {
  hour: (local, offset) =>
    `concat(formatDateTime(${local}, '%Y-%m-%dT%H:00:00'), ${offsetText(offset)})`,
  date: (local) => `toString(toDate(${local}))`,
  week: (local) => `toString(toMonday(${local}))`,
  month: (local) => `toString(toStartOfMonth(${local}))`,
  year: (local) => `toString(toStartOfYear(${local}))`,
  hourOfDay: (local) => `formatDateTime(${local}, '%H')`,
  weekday: (local) => `toString(toDayOfWeek(${local}))`,
  package: () => 'toString(packageId)',
  viewerKind: () => viewerKindSql,
};

/** The kind is in the upper two bits. */
const viewerKindSql = "transform(bitShiftRight(viewer, 62), [2, 1], ['named', 'daily'], 'none')";

function known(column: LabelColumn, unknown: string, value: string = column): string {
  return `if(${column} = '', '${unknown}', ${value})`;
}
