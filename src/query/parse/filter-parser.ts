/** Reads the parameter `filters`: `NAME==a,b;NAME!=a;NAME=@text;NAME!@text`. */

import { accept, type Result, refuse } from '../../lib/result.ts';
import { parseInstant } from '../../lib/time/instant.ts';
import { dayExists, dayMs, toUtcDay } from '../../lib/time/utc-day.ts';
import { normalizeText } from '../../lib/values/text-normalization.ts';
import { slotMs } from '../../store/facts.ts';
import {
  type AudienceDimensionName,
  audienceDimension,
  type RecordedDimension,
  recordedDimensions,
} from '../../vocabulary/dimensions.ts';
import type { ParameterFault } from '../../vocabulary/faults.ts';
import { mostConditions, mostValues } from '../../wire/questions/question-parameters.ts';
import { calendarSpans, findClock } from '../ranges/local-days.ts';
import { hourLabel, hourStarts } from '../ranges/local-hours.ts';
import { type DeclaredLabels, readDimension } from './dimension-parser.ts';

type FilterOperator = '==' | '!=' | '=@' | '!@';

/** A condition on a dimension: with `=` it holds for any of the values, with `!` for none. */
export interface Filter {
  readonly dimension: AudienceDimensionName;
  /** Whether it is on what people call the value: the title of a video, say. */
  readonly isOfCaption?: true;
  readonly operator: FilterOperator;
  /** At least one; of `=@` and `!@` exactly one. */
  readonly values: readonly string[];
}

const operators = /==|!=|=@|!@/;

/**
 * All conditions must hold. A refusal names everything that is wrong. With a zone, hours written
 * with the offset of another zone become hours of this one.
 */
export function readFilters(
  text: string,
  labels: DeclaredLabels,
  timeZone?: string,
): Result<Filter[], string> {
  const parts = splitUnescaped(text, ';');
  if (parts.length > mostConditions) return refuse(`may have ${mostConditions} conditions at most`);
  const filters: Filter[] = [];
  const reasons: string[] = [];
  for (const part of parts) {
    const condition = readCondition(part, labels);
    const read = condition.ok ? checkValues(condition.value, timeZone) : condition;
    if (read.ok) filters.push(read.value);
    else reasons.push(read.reason);
  }
  return reasons.length > 0 ? refuse(reasons.join('; ')) : accept(filters);
}

/** Of a question about playback, which has no errors. */
export function checkPlaybackFilters(filters: readonly Filter[]): ParameterFault[] {
  return filters.some(({ dimension }) => dimension === 'error')
    ? [{ parameter: 'filters', detail: 'may not name error: playback has none' }]
    : [];
}

/** The parameters `packageId` and `accessKey` as conditions. */
export function contentFilters(request: {
  readonly packageId?: number | undefined;
  readonly accessKey?: string | undefined;
}): readonly Filter[] {
  const { packageId, accessKey } = request;
  const equals = (dimension: 'package' | 'video', value: string): Filter => {
    return { dimension, operator: '==', values: [value] };
  };
  return [
    ...(packageId === undefined ? [] : [equals('package', String(packageId))]),
    ...(accessKey === undefined ? [] : [equals('video', accessKey)]),
  ];
}

/** What a narrowed member reads of an account, as a condition beside all others. */
export function pinFilters(packageIds: readonly number[] | undefined): readonly Filter[] {
  if (packageIds === undefined) return [];
  return [{ dimension: 'package', operator: '==', values: packageIds.map(String) }];
}

function readCondition(part: string, labels: DeclaredLabels): Result<Filter, string> {
  const found = operators.exec(part);
  if (!found) {
    return refuse(`has a condition without ==, !=, =@ or !@: "${part}"`);
  }
  const name = part.slice(0, found.index).trim();
  const captioned = dimensionOfCaption.get(name);
  const dimension = captioned ? accept(captioned) : readDimension(name, labels);
  if (!dimension.ok)
    return refuse(`${dimension.reason}, ${[...dimensionOfCaption.keys()].join(', ')}`);
  const operator = found[0] as FilterOperator;
  const rest = part.slice(found.index + operator.length);
  // A text is one, also where it has a comma.
  const texts = operator === '==' || operator === '!=' ? splitUnescaped(rest, ',') : [rest];
  if (texts.length > mostValues) {
    return refuse(`may have ${mostValues} values a condition at most, not ${texts.length}`);
  }
  const values: string[] = [];
  for (const one of texts) {
    const value = withoutEscapes(one);
    if (value === undefined) return refuse(`has a "\\" that does not come before , ; or \\`);
    if (value === '') return refuse(`needs a value after ${name}${operator}`);
    values.push(value);
  }
  const isOfCaption = captioned ? ({ isOfCaption: true } as const) : {};
  return accept({ dimension: dimension.value, ...isOfCaption, operator, values });
}

function checkValues(filter: Filter, timeZone: string | undefined): Result<Filter, string> {
  const { dimension } = filter;
  const { values, form, example } = audienceDimension(dimension);
  if (filter.operator !== '==' && filter.operator !== '!=') return accept(filter);
  const fits = (value: string) => values?.includes(value) ?? form?.fits(value) ?? true;
  const unknown = filter.values.find((value) => !fits(value));
  if (unknown !== undefined) {
    const there = form
      ? `write ${form.words}, such as ${example}`
      : `there are ${values?.join(', ')}`;
    return refuse(`has no ${dimension} "${unknown}"; ${there}`);
  }
  return dimension === 'hour' && timeZone !== undefined ? inZone(filter, timeZone) : accept(filter);
}

function inZone(filter: Filter, timeZone: string): Result<Filter, string> {
  const values: string[] = [];
  for (const text of filter.values) {
    const hour = hourIn(timeZone, text);
    if (hour === undefined) {
      return refuse(`has no hour "${text}": in ${timeZone} none begins at that time`);
    }
    values.push(hour);
  }
  return accept({ ...filter, values });
}

/** A backslash escapes the character after it. */
function splitUnescaped(text: string, separator: ',' | ';'): string[] {
  const parts = [''];
  for (const [piece] of text.matchAll(/\\.|./gsu)) {
    if (piece === separator) parts.push('');
    else parts[parts.length - 1] += piece;
  }
  return parts;
}

/** Undefined if a backslash stands before anything but a separator or a backslash. */
function withoutEscapes(text: string): string | undefined {
  const rest = text.replaceAll(/\\[,;\\]/g, '');
  return rest.includes('\\') ? undefined : text.replaceAll(/\\([,;\\])/g, '$1');
}

/** Dimensions of content, by the member of a row that has what people call them. */
export const dimensionOfCaption: ReadonlyMap<string, RecordedDimension> = new Map(
  recordedDimensions.flatMap((name): [string, RecordedDimension][] => {
    const { caption } = audienceDimension(name);
    return caption === undefined ? [] : [[caption, name]];
  }),
);

/**
 * The label, in a zone, of the hour that begins at a time (RFC 3339 with any offset); undefined if
 * none does.
 */
export function hourIn(timeZone: string, text: string): string | undefined {
  const instantMs = parseInstant(text);
  if (instantMs === undefined) return undefined;
  const [before, after] = [toUtcDay(instantMs - dayMs), toUtcDay(instantMs + dayMs)];
  if (!dayExists(before) || !dayExists(after)) return undefined;
  const spans = calendarSpans(before, after, timeZone);
  // With an offset of seconds, an hour is that of the slot after its start.
  const slot = Math.ceil(instantMs / slotMs) * slotMs;
  const span = spans.find(({ fromMs, untilMs }) => slot >= fromMs && slot < untilMs);
  if (span === undefined) return undefined;
  const label = hourLabel(hourStarts(findClock(spans))(slot, span.offsetMs));
  return parseInstant(label) === instantMs ? label : undefined;
}

/** Whether a condition holds for a text, before any `!`. */
export function createMatch({ operator, values }: Filter): (text: string) => boolean {
  if (operator === '==' || operator === '!=') {
    const wanted = new Set(values);
    return (text) => wanted.has(text);
  }
  const part = normalizeText(values[0] ?? '');
  return (text) => normalizeText(text).includes(part);
}
