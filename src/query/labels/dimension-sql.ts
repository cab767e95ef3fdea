/**
 * The SQL of the dimensions, one record each: how facts, sums and counts of days have it. A
 * dimension without a record, or without one of the sources, does not compile.
 */
import { assert } from '../../lib/assert.ts';
import type { ClockOffset } from '../../lib/time/time-zone.ts';
import { findMonday, toUtcDay } from '../../lib/time/utc-day.ts';
import { normalizeText } from '../../lib/values/text-normalization.ts';
import {
  type AudienceGroupingName,
  type BoundArray,
  boundArray,
  type DetailColumn,
  detailColumns,
  type FactColumn,
  isFactColumn,
  type KeyColumn,
} from '../../store/facts.ts';
import {
  type AudienceDimensionName,
  audienceDimension,
  type audienceDimensions,
  isLabel,
  labelPrefix,
  type RecordedDimension,
  type TimeDimension,
  unknownValue,
} from '../../vocabulary/dimensions.ts';
import type { DeclaredLabels } from '../parse/dimension-parser.ts';
import { hourStart, localTime } from '../ranges/local-clock.ts';

/** Declared by a record whose source does not have it: such questions are answered from facts. */
export const fromFacts = Symbol('from facts');

/** How sums and counts of days have a dimension. */
interface Sources {
  /** The columns of sums that it needs. */
  readonly sums: readonly KeyColumn[] | typeof fromFacts;
  /** The grouping of counts of days that has its values. */
  readonly days: AudienceGroupingName | typeof fromFacts;
}

/** Content: the catalog knows its values by the number in a column. */
interface Content extends Sources {
  readonly kind: 'content';
  readonly column: 'videoId' | 'packageId';
}

/** The text in a column; empty where it is not known. */
interface Stored extends Sources {
  readonly kind: 'stored';
  readonly column: 'os' | 'osVersion' | DetailColumn | FactColumn;
}

/** A few values, by their number. */
interface Coded extends Sources {
  readonly kind: 'coded';
  readonly code: string;
  /** By their numbers from 0; any other number stands for the first. */
  readonly values: readonly [string, ...string[]];
}

/** A text made of columns of facts; never empty. */
interface Computed extends Sources {
  readonly kind: 'computed';
  readonly text: string;
}

/** Times of a slot by the zone's clock, in SQL. */
interface SlotTime {
  readonly local: string;
  /** In seconds, and the offset from UTC then. */
  readonly hour: { readonly local: string; readonly offset: string };
  /** The local time of the slot, with which one of another range is compared. */
  readonly shifted: string;
}

interface Time {
  readonly kind: 'time';
  readonly text: (time: SlotTime) => string;
  /** What rows are grouped by; `hour` has two, its local start and its offset. */
  readonly keys: (time: SlotTime) => readonly [string, ...string[]];
  /** For intervals of whole days: by any local time within them (ms, as if of UTC). */
  readonly dayInterval: ((localMs: number) => string) | 'within days';
}

type AudienceSql = Stored | Coded | Computed;
type SqlOf<Kind> = { time: Time; content: Content; audience: AudienceSql }[Kind & SqlKind];
type SqlKind = 'time' | 'content' | 'audience';

const stored = (column: Stored['column'], sums: Stored['sums'] = fromFacts): Stored => {
  return { kind: 'stored', column, sums, days: column };
};
const byDay = (start: string, isShifted: boolean, dayInterval: (localMs: number) => string) => {
  const text = (time: string) => `${start}(${time})`;
  return {
    ...{ kind: 'time' as const, dayInterval },
    text: ({ local }: SlotTime) => `toString(${text(local)})`,
    keys: ({ local, shifted }: SlotTime) => [text(isShifted ? shifted : local)] as const,
  };
};

const dimensionSql: {
  readonly [name in RecordedDimension]: SqlOf<(typeof audienceDimensions)[name]['kind']>;
} = {
  hour: {
    kind: 'time',
    text: ({ hour: { local, offset } }) =>
      `concat(formatDateTime(toDateTime(${local}, 'UTC'), '%Y-%m-%dT%H:%i:%S'), ${offsetText(offset)})`,
    keys: ({ hour: { local, offset } }) => [local, offset],
    dayInterval: 'within days',
  },
  date: byDay('toDate', false, toUtcDay),
  week: byDay('toMonday', true, findMonday),
  month: byDay('toStartOfMonth', true, (localMs) => new Date(localMs).toISOString().slice(0, 7)),
  year: byDay('toStartOfYear', true, (localMs) => new Date(localMs).toISOString().slice(0, 4)),
  hourOfDay: {
    kind: 'time',
    text: ({ local }) => `formatDateTime(${local}, '%H')`,
    keys: ({ local }) => [`toHour(${local})`],
    dayInterval: 'within days',
  },
  // Weekdays begin where dates do.
  weekday: byDay('toDayOfWeek', false, toUtcDay),
  hourOfWeek: {
    kind: 'time',
    text: ({ local }) => `concat(toString(toDayOfWeek(${local})), formatDateTime(${local}, '-%H'))`,
    // 100 is the first hour of Monday, 723 the last of Sunday.
    keys: ({ local }) => [`toDayOfWeek(${local}) * 100 + toHour(${local})`],
    dayInterval: 'within days',
  },
  video: { kind: 'content', column: 'videoId', sums: ['videoId'], days: 'video' },
  package: { kind: 'content', column: 'packageId', sums: ['packageId'], days: 'package' },
  // By the videos in it.
  folder: { kind: 'content', column: 'videoId', sums: ['videoId'], days: 'video' },
  os: stored('os', ['os']),
  osVersion: stored('osVersion', ['osVersion']),
  device: stored('device'),
  browser: stored('browser'),
  browserVersion: stored('browserVersion'),
  country: stored('country'),
  viewerKind: {
    kind: 'coded',
    // In the upper two bits.
    code: 'bitShiftRight(viewer, 62)',
    values: ['none', 'daily', 'named'],
    sums: fromFacts,
    days: 'viewerKind',
  },
  host: stored('host'),
  page: stored('page'),
  referrer: stored('referrer'),
  player: stored('player'),
  streamType: stored('streamType'),
  connection: stored('connection'),
  mediaHost: stored('mediaHost'),
  error: stored('error'),
};

type AnySql = Time | Content | AudienceSql;

/** A label's is that of its column. */
export function findSql(name: AudienceDimensionName, labels: DeclaredLabels): AnySql {
  if (!isLabel(name)) return dimensionSql[name];
  const number = labels.get(name.slice(labelPrefix.length));
  const column = detailColumns.find((one) => one === `label${number}`);
  assert(column !== undefined, `${name} is declared`);
  return stored(column);
}

/** Whether a view is in one row of it, at one time. */
export function isOfView(name: AudienceDimensionName): boolean {
  return !isFactColumn(name);
}

export function dayInterval(name: TimeDimension): Time['dayInterval'] {
  return dimensionSql[name].dayInterval;
}

/** How many of the keys are the dimension's. */
export function keysPerDimension(name: AudienceDimensionName): number {
  return name === 'hour' ? 2 : 1;
}

/** The columns of sums that a dimension needs. */
export function columnsOfSums(name: AudienceDimensionName): Sources['sums'] {
  if (isLabel(name)) return fromFacts;
  const sql: AnySql = dimensionSql[name];
  return sql.kind === 'time' ? [] : sql.sums;
}

/**
 * The grouping of counts of days that has these dimensions, none of them a time: of one, or of a
 * version and what it is of.
 */
export function groupingOfDays(
  names: readonly AudienceDimensionName[],
  labels: DeclaredLabels,
): Sources['days'] {
  const [name, other, ...more] = names;
  if (name === undefined || more.length > 0) return fromFacts;
  const own =
    other === undefined ? name : names.find((one) => isVersion(one, one === name ? other : name));
  if (own === undefined) return fromFacts;
  const sql = findSql(own, labels);
  return sql.kind === 'time' ? fromFacts : sql.days;
}

function isVersion(name: AudienceDimensionName, other: AudienceDimensionName): boolean {
  return audienceDimension(name).askedWith === other;
}

export interface LabelContext {
  /** The zone's offsets over the range; `clockParameters` binds them. */
  readonly clock: readonly ClockOffset[];
  readonly labels: DeclaredLabels;
}

/** What rows are grouped by. */
export function keysSql(
  name: AudienceDimensionName,
  { clock, labels, shiftSeconds }: LabelContext & { readonly shiftSeconds: number },
): readonly string[] {
  const sql = findSql(name, labels);
  switch (sql.kind) {
    case 'time': {
      const local = localTime(clock);
      const shifted = shiftSeconds === 0 ? local : `${local} + {shift:Int32}`;
      return sql.keys({ local, hour: hourStart(clock), shifted });
    }
    case 'content':
      return [sql.column];
    case 'coded':
      return [sql.code];
    case 'stored':
      return [known(sql.column, unknownValue)];
    case 'computed':
      return [sql.text];
  }
}

/**
 * A condition that the value is one of some, none of them empty. Columns are compared as they are
 * stored: an unknown value is named in the counts of days, and empty in facts.
 */
export function isOneOfSql(
  name: AudienceDimensionName,
  context: LabelContext,
  values: readonly string[],
  parameter: string,
): BoundArray {
  const sql = findSql(name, context.labels);
  const among = values.flatMap((value) => (value === unknownValue ? [value, ''] : [value]));
  const bound = boundArray(parameter, 'String', among);
  const value = sql.kind === 'stored' ? sql.column : textSql(sql, context);
  return { ...bound, sql: `${value} IN ${bound.sql}` };
}

/** The value, normalized: for a column, the values in its dictionary and not each row. */
export function normalizedLabelSql(name: AudienceDimensionName, context: LabelContext): string {
  const sql = findSql(name, context.labels);
  if (sql.kind === 'stored') {
    return known(sql.column, normalizeText(unknownValue), normalizedSql(sql.column));
  }
  const text = textSql(sql, context);
  // Times, numbers and codes are ASCII.
  return sql.kind === 'computed' ? normalizedSql(text) : `lower(${text})`;
}

function textSql(sql: Exclude<AnySql, Stored>, { clock }: LabelContext): string {
  switch (sql.kind) {
    case 'time': {
      const local = localTime(clock);
      return sql.text({ local, hour: hourStart(clock), shifted: local });
    }
    case 'content':
      return `toString(${sql.column})`;
    case 'coded': {
      const [first, ...others] = sql.values;
      const codes = others.map((_, index) => index + 1);
      const texts = others.map((value) => `'${value}'`);
      return `transform(${sql.code}, [${codes.join(', ')}], [${texts.join(', ')}], '${first}')`;
    }
    case 'computed':
      return sql.text;
  }
}

/** The offset as RFC 3339 writes it. */
function offsetText(seconds: string): string {
  return `concat(if(${seconds} < 0, '-', '+'),
  formatDateTime(toDateTime(abs(${seconds}), 'UTC'), '%H:%i'))`;
}

function known(column: Stored['column'], unknown: string, value: string = column): string {
  return `if(${column} = '', '${unknown}', ${value})`;
}

/**
 * The text of an expression as `normalizeText` makes it, in SQL. The engine knows newer or older
 * letters than Node.js, so both sides of a comparison are made here. Control characters stay as
 * they are: no value of a dimension has one.
 */
export function normalizedSql(text: string): string {
  const folded = `lowerUTF8(upperUTF8(lowerUTF8(normalizeUTF8NFKC(${text}))))`;
  return `normalizeUTF8NFKC(replaceAll(replaceAll(${folded}, '\u03c2', '\u03c3'), 'i\u0307', 'i'))`;
}
