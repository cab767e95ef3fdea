/** Compiles what views saw of their videos, from facts and from days that were counted. */
import type { KnownVideo } from '../../catalog/catalog.ts';
import { type BoundArray, boundArray, mediaOfPart, viewNumber } from '../../store/facts.ts';
import { inPass, playback, valueOfSeen, valueOfViews } from '../plan/counts.ts';
import type { AudienceDays, FactsPlan } from '../plan/query-plan.ts';
import {
  type CountedDays,
  hasMarks,
  selectMarked,
  selectRangesOfMarked,
  selectSeenBy,
  selectWithin,
} from '../ranges/counted-days.ts';
import {
  columnsNamed,
  type countedOfFew,
  factsWithin,
  selectBegun,
} from '../ranges/counted-facts.ts';
import { factsAgain } from './audience-days-sql.ts';
import { type Branch, groupBy, listShown, rolledUp } from './branch.ts';

interface RangesBranch {
  /** The column `groups` of rows, if there are any. */
  readonly groups: readonly string[];
  readonly hasPass: boolean;
}

/** SQL of ranges of views. `sign` is -1 for those that are subtracted again. */
export type Ranges = (branch: RangesBranch) => string;

/** Of views that are put together: all but those that counts of days have side by side. */
export function listRanges(plan: FactsPlan): Ranges[] {
  const { audienceDays, spans } = plan;
  if (audienceDays === undefined)
    return rangesOfSpans(plan, { days: [], rest: spans, uncounted: [] });
  return [...rangesOfSpans(plan, audienceDays), ...rangesOfMarks(plan, audienceDays)];
}

/**
 * The same in two parts that add up: what stays the same, of counted days alone, and what facts
 * beside them change.
 */
export function rangesBesideDays(plan: FactsPlan, audienceDays: AudienceDays) {
  const { rest } = audienceDays;
  const changed = rest.length > 0 ? rangesOfMarks(plan, audienceDays, rest) : [];
  return {
    settled: rangesOfMarks(plan, audienceDays),
    live: [...rangesOfSpans(plan, audienceDays), ...changed],
  };
}

/** `within`: only of views with facts there, which are subtracted again. */
function rangesOfMarks(plan: FactsPlan, days: AudienceDays, within?: FactsPlan['spans']): Ranges[] {
  return hasMarks(days) ? [(branch) => rangesOfMarked(plan, branch, within)] : [];
}

function rangesOfSpans(plan: FactsPlan, days: CountedDays): Ranges[] {
  const { keys, conditions } = plan;
  const named = [...keys.sql, ...keys.conditions, ...conditions.sql, ...mediaOfPart, 'position'];
  const source = { ...plan, columns: columnsNamed(...named) };
  const ofFacts = (facts: string, signs?: string): Ranges => {
    return (branch) => rangesOfFacts(plan, branch, { facts, signs });
  };
  const facts = (spans: FactsPlan['spans']) =>
    selectBegun(factsWithin({ ...source, spans }), source, false);
  const { rest, uncounted } = days;
  return [
    ...(rest.length > 0 ? [ofFacts(facts(rest))] : []),
    ...(uncounted.length > 0 ? [ofFacts(unmarkedAgain(source, days), '[1, -1]')] : []),
  ];
}

/** On counted days, of views that have facts on days without counts as well. */
export function unmarkedAgain(
  plan: FactsPlan,
  days: CountedDays,
  select: typeof countedOfFew = factsWithin,
): string {
  const { facts, isAgain } = factsAgain(plan, days, select);
  return `SELECT * FROM (
${facts}
)
WHERE ${isAgain} AND ${viewNumber} NOT IN (${selectMarked})`;
}

/**
 * Rows and their total, with each view distinguished: what it saw in a row, and in all. The facts
 * are read once for both.
 */
export function selectViews(
  plan: FactsPlan,
  { columns, hasPass }: Branch,
  ranges: readonly Ranges[],
): string {
  const rows = rolledUp(plan, true);
  return `SELECT ${listShown(rows ? 'isWhole' : '1', rows?.shown ?? [], columns, valueOfViews)}
FROM (
${selectEachView(plan, hasPass, ranges)}
)${groupBy(rows ? ['isWhole', 'groups'] : [])}`;
}

/** What each view saw, with its `length` and `sign`; with keys, in a row and in all. */
export function selectEachView(
  plan: FactsPlan,
  hasPass: boolean,
  ranges: readonly Ranges[],
): string {
  const rows = rolledUp(plan, true);
  const ofRow = rows ? ['groups', `${rows.isTotal} AS isWhole`] : [];
  const ofView = [
    'any(videoLength) AS length',
    'intervalLengthSum(rangeFrom, rangeUntil) AS seen',
    'max(rangeEnd) AS furthest',
  ];
  const each = ranges
    .map((select) => select({ groups: rows ? [rows.groups] : [], hasPass }))
    .join('\nUNION ALL\n');
  const view = ['number', 'sign'];
  const sets = [['groups', ...view], view].map((names) => `(${names.join(', ')})`).join(', ');
  return `SELECT ${[...ofRow, 'sign', ...ofView].join(', ')}
FROM (
${each}
)${rows ? `\nGROUP BY GROUPING SETS (${sets})` : groupBy(view)}`;
}

const number = `${viewNumber} AS number`;
const namesOf = (groups: readonly string[]) => groups.map(() => 'groups');
const cutAt = (position: string) => `toUInt64(least(${position}, videoLength))`;

interface OfFacts {
  readonly facts: string;
  readonly signs?: string | undefined;
}

function rangesOfFacts(
  plan: FactsPlan,
  { groups, hasPass }: RangesBranch,
  { facts, signs }: OfFacts,
): string {
  const { keys, conditions, lengths } = plan;
  const known = [playback, 'position > 0', 'videoLength > 0'];
  const all = [...known, ...ofPass(hasPass), ...conditions.sql, ...keys.conditions];
  const length = `${lengthOfVideo(lengths).sql} AS videoLength`;
  const values = [...groups, number, length, 'position', ...mediaOfPart];
  const ranges = [
    `${signs === undefined ? 'toInt64(1)' : `toInt64(arrayJoin(${signs}))`} AS sign`,
    `${cutAt('position - 1 + mediaFrom')} AS rangeFrom`,
    `${cutAt('position - 1 + mediaUntil')} AS rangeUntil`,
    'toUInt64(position - 1 + mediaUntil) AS rangeEnd',
  ];
  const shown = [...namesOf(groups), 'number', 'videoLength', ...ranges];
  return `SELECT ${shown.join(', ')}
FROM (
SELECT ${values.join(', ')}
FROM (
${facts}
)
WHERE ${all.join(' AND ')}
)`;
}

function rangesOfMarked(
  plan: FactsPlan,
  { groups, hasPass }: RangesBranch,
  within: FactsPlan['spans'] | undefined,
): string {
  const isWithin = within && ` AND ${viewNumber} IN (${selectWithin(viewNumber, within)})`;
  const ranges = [
    `toInt64(${within ? 'arrayJoin([1, -1])' : 1}) AS sign`,
    `${cutAt('beginMs')} AS rangeFrom`,
    `${cutAt('beginMs + ms')} AS rangeUntil`,
    'beginMs + ms AS rangeEnd',
  ];
  const shown = [...namesOf(groups), 'number', 'videoLength', ...ranges];
  const all = [...ofKnownLength(plan), ...ofPass(hasPass)];
  return `SELECT ${shown.join(', ')}
FROM (
${seenWithLength(plan, {
  rows: `${selectRangesOfMarked}${isWithin ?? ''}`,
  columns: [...groups, number, 'fromMs', 'rangeMs'],
  conditions: all,
})}
)
ARRAY JOIN fromMs AS beginMs, rangeMs AS ms`;
}

/** For views side by side, which add up. */
export function selectSeenTogether(plan: FactsPlan, { columns }: Branch): string {
  const rows = rolledUp(plan, true);
  return `SELECT ${listShown(rows?.isTotal ?? '1', rows?.shown ?? [], columns, valueOfSeen)}
FROM (
${selectTogether(plan)}
)${rows?.groupBy ?? ''}`;
}

/**
 * Rows of views side by side with the `length` of their video, and of each view what it has `seen`.
 * The last range of each ends at the furthest position.
 */
export function selectTogether(plan: FactsPlan): string {
  const rows = rolledUp(plan, true);
  const groups = rows ? ['groups'] : [];
  const ofRow = [
    'videoLength AS length',
    'isFirst',
    `arrayMap((at, ms) -> ${cutAt('at + ms')} - ${cutAt('at')}, fromMs, rangeMs) AS lengths`,
    'arrayMap(own -> arraySum(own), arraySplit((_, first) -> first, lengths, isFirst)) AS seen',
    'arrayPushBack(arrayPopFront(isFirst), 1) AS isLast',
    `arrayFilter((_, last) -> last, arrayMap((at, ms) -> at + ms, fromMs, rangeMs),
  isLast) AS furthest`,
  ];
  const all = ['notEmpty(isFirst)', ...ofKnownLength(plan)];
  const read = seenWithLength(plan, {
    rows: selectSeenBy('together'),
    columns: [...(rows ? [rows.groups] : []), 'isFirst', 'fromMs', 'rangeMs'],
    conditions: all,
  });
  return `SELECT ${[...groups, ...ofRow].join(', ')}
FROM (
${read}
)`;
}

interface SeenRead {
  readonly rows: string;
  readonly columns: readonly string[];
  readonly conditions: readonly string[];
}

function seenWithLength({ lengths }: FactsPlan, { rows, columns, conditions }: SeenRead) {
  return `SELECT ${[`${lengthOfVideo(lengths).sql} AS videoLength`, ...columns].join(', ')}
FROM (
${rows}
)
WHERE ${conditions.join(' AND ')}`;
}

const ofKnownLength = ({ conditions, keys }: FactsPlan) => [
  'videoLength > 0',
  ...conditions.sql,
  ...keys.conditions,
];
const ofPass = (hasPass: boolean) => (hasPass ? [inPass(viewNumber)] : []);

export function lengthOfVideo(lengths: readonly KnownVideo[]): BoundArray {
  const named = { ids: 'lengthVideos', values: 'lengths', type: 'UInt64' } as const;
  return valueOfVideo(lengths, named, ({ durationMs }) => durationMs);
}

/* A number that the catalog has for each video, in SQL over a `videoId`; 0 for all others. */

interface NumberOf {
  /** Begin the parameters. */
  readonly ids: string;
  readonly values: string;
  readonly type: 'UInt32' | 'UInt64';
}

export function valueOfVideo<Video extends { readonly videoId: number }>(
  videos: readonly Video[],
  { ids, values, type }: NumberOf,
  numberOf: (video: Video) => number,
): BoundArray {
  const known = videos.map(({ videoId }) => videoId);
  const [from, to] = [
    boundArray(ids, 'UInt32', known),
    boundArray(values, type, videos.map(numberOf)),
  ];
  return {
    sql: `transform(videoId, ${from.sql}, ${to.sql}, to${type}(0))`,
    parameters: { ...from.parameters, ...to.parameters },
  };
}
