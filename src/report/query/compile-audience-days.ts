/** Compiles what counts of days tell, and which facts have to be read beside them. */
import {
  type AudienceGroupingName,
  audienceCounts,
  audienceGrouping,
  type FactQuery,
  tables,
  viewNumber,
} from '../../facts/facts.ts';
import { beginningsOf, countedFacts, factColumns, factsWithin } from '../counted-facts.ts';
import { slotsWithin } from '../slots-within.ts';
import type { CountName } from './counts.ts';
import type { FactValues } from './fact-values.ts';
import { spansOf } from './plan-audience-days.ts';
import type { AudienceDays, FactsPlan } from './query-plan.ts';

const { stretch, irregularFact, audienceDay } = tables;

/** Over rows of `selectCounts`. */
export const valuesOfDays: FactValues = {
  facts: 'countIf(plays > 0 OR playMs > 0)',
  days: 'count()',
  plays: 'sum(plays)',
  playMs: 'sum(playMs)',
  views: 'sum(views)',
  viewers: 'sum(viewers)',
  mediaMs: 'sum(mediaMs)',
  allViews: 'sum(views)',
  knownViews: 'sum(knownViews)',
  namedViews: 'sum(namedViews)',
};

/**
 * Rows of one grouping with the columns that facts have of it. Of a day that was counted again
 * meanwhile there are none, so that the rows of `total` tell how many days there were.
 */
export function selectCounts(grouping: AudienceGroupingName): string {
  const { columns, by } = audienceGrouping(grouping);
  const ofSplit = by === 'split' ? ` AND value = toString(${ofDay('dateFromHour', 'UInt8')})` : '';
  const restored = columns.map(({ name, restored }, index) => {
    return `${restored(index === 0 ? 'value' : 'version')} AS ${name}`;
  });
  return `SELECT ${['slot', ...restored, ...audienceCounts].join(', ')}
FROM ${audienceDay.name} FINAL
WHERE accountId = {accountId:UInt32} AND grouping = '${grouping}'
  AND slot >= {daysFrom:UInt32} AND slot < {daysUntil:UInt32}
  AND ${isOfCounting('countedAt')}${ofSplit}`;
}

/** Whether a row of a day is of the planned counting. */
function isOfCounting(countedAt: string): string {
  return `toUnixTimestamp64Milli(${countedAt}) = ${ofDay('countedAt', 'Int64')}`;
}

/** What is planned for the day of a row. */
function ofDay(name: string, type: string): string {
  return `transform(toUnixTimestamp(toStartOfDay(slot)),
  {countedDays:Array(UInt32)}, {${name}:Array(${type})}, to${type}(0))`;
}

/**
 * SQL of the facts that are read beside the counts, with `countedMs` and
 * - `isOfDay`: whether a fact's day is counted, so that its plays and time are known;
 * - `isCounted`: whether its view is in the counts, too, and its viewer unless the page named it;
 * - `isAgain`: whether its view has facts beside the days as well.
 */
export function factsBesideDays(plan: FactsPlan, audienceDays: AudienceDays): string {
  const { rest } = audienceDays;
  const parts = [
    ...(rest.length > 0 ? [factsOfRest(plan, rest)] : []),
    irregularFacts,
    ...countedAgain(plan, audienceDays),
  ];
  return parts.map((part) => `(${part})`).join('\nUNION ALL\n');
}

function factsOfRest(plan: FactsPlan, rest: AudienceDays['rest']): string {
  return `SELECT ${[...factColumns, 'countedMs', ...flags(0, 0, '1')].join(', ')}
FROM (
${beginningsOf(countedFacts({ ...plan, spans: rest }), plan.cut, true)}
)`;
}

function flags(isOfDay: 0 | 1, isCounted: 0 | 1, isAgain: string): string[] {
  return [`${isOfDay} AS isOfDay`, `${isCounted} AS isCounted`, `${isAgain} AS isAgain`];
}

/** Views that are not in the counts of the days, as often as may be. */
const selectIrregular = `SELECT * FROM ${irregularFact.name}
WHERE accountId = {accountId:UInt32} AND slot >= {daysFrom:UInt32} AND slot < {daysUntil:UInt32}
  AND ${isOfCounting('countedAt')}`;

const told: readonly string[] = Object.keys(irregularFact.columns);
/** They tell nothing of their plays and time, which are in the counts, but that there is some. */
const irregularFacts = `SELECT ${[
  ...factColumns.map((name) => {
    return told.includes(name) ? name : `${name === 'playMs' ? 1 : 0} AS ${name}`;
  }),
  ...['0 AS countedMs', ...flags(1, 0, '1')],
].join(', ')}
FROM (${selectIrregular})`;

/**
 * Of the days what is in their counts, and must not be counted twice with what is not: views and
 * viewers that are on days without counts as well, and viewers whom the page named.
 */
function countedAgain(plan: FactsPlan, audienceDays: AudienceDays): string[] {
  const { days, uncounted } = audienceDays;
  const isNamed = hasNamedViewers(audienceDays, plan.counts)
    ? ['bitShiftRight(viewer, 62) = 2']
    : [];
  const isViewAgain = `${viewNumber} IN (${selectUncounted(viewNumber, uncounted)})`;
  const isViewerAgain = `bitShiftRight(viewer, 62) = 1
  AND viewer IN (${selectUncounted('viewer', uncounted)})`;
  const isRead = [...isNamed, ...(uncounted.length > 0 ? [isViewAgain, isViewerAgain] : [])];
  if (isRead.length === 0) return [];
  const isAgain = uncounted.length > 0 ? isViewAgain : '0';
  return [
    `SELECT ${[...factColumns, 'playMs AS countedMs', ...flags(1, 1, isAgain)].join(', ')}
FROM (
${factsWithin({ ...plan, spans: spansOf(days) }, '', 'day')}
)
WHERE (${isRead.join(' OR ')})
  AND ${viewNumber} NOT IN (SELECT ${viewNumber} FROM (${selectIrregular}))`,
  ];
}

/** Whether any facts have to be read beside them. */
export function hasFactsBeside(audienceDays: AudienceDays, asked: readonly CountName[]): boolean {
  const { days, rest } = audienceDays;
  const isAnyMarked = days.some(({ marks }) => marks > 0);
  return rest.length > 0 || isAnyMarked || hasNamedViewers(audienceDays, asked);
}

function hasNamedViewers({ days }: AudienceDays, asked: readonly CountName[]): boolean {
  return asked.includes('viewers') && days.some(({ namedViews }) => namedViews > 0);
}

function selectUncounted(column: string, uncounted: AudienceDays['uncounted']): string {
  return `SELECT ${column} FROM ${stretch.name}
  WHERE accountId = {accountId:UInt32} AND ${slotsWithin(uncounted, 'uncounted').sql}`;
}

export function parametersOfDays({ days, rest, uncounted }: AudienceDays): FactQuery['parameters'] {
  const seconds = days.map(({ day }) => day / 1_000);
  const times = days.map(({ countedAtMs }) => countedAtMs);
  return {
    countedDays: seconds,
    countedAt: times,
    dateFromHour: days.map(({ dateFromHour }) => dateFromHour),
    daysFrom: Math.min(...seconds),
    daysUntil: Math.max(...seconds) + 86_400,
    ...slotsWithin(spansOf(days), 'day').parameters,
    ...slotsWithin(rest).parameters,
    ...slotsWithin(uncounted, 'uncounted').parameters,
  };
}
