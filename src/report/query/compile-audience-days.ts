/** Compiles what counts of days tell, and which facts have to be read beside them. */
import {
  type AudienceGroupingName,
  audienceCounts,
  audienceGrouping,
  type FactQuery,
  tables,
  viewNumber,
} from '../../facts/facts.ts';
import { dayMs } from '../../lib/utc-day.ts';
import { maxPlayMs } from '../../wire/beacon.ts';
import { beginningsOf, countedFacts, factColumns, factsWithin } from '../counted-facts.ts';
import type { Span } from '../cover-range.ts';
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
    ...(isToldApart(plan.counts) ? [irregularFacts, ...countedAgain(plan, audienceDays)] : []),
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
 * viewers that are on days without counts as well, and viewers whom the page named. What is read
 * more than once counts once: these facts tell nothing of their plays and time.
 */
function countedAgain(plan: FactsPlan, audienceDays: AudienceDays): string[] {
  const { days, uncounted } = audienceDays;
  const isOfUncounted = (value: string) => `${value} IN (${selectUncounted(value, uncounted)})`;
  const isAgain = uncounted.length > 0 ? isOfUncounted(viewNumber) : '0';
  const select = (facts: string, condition: string) => {
    const columns = [...factColumns, 'playMs AS countedMs', ...flags(1, 1, isAgain)];
    return `SELECT ${columns.join(', ')}
FROM (
${facts}
)
WHERE ${condition} AND ${viewNumber} NOT IN (SELECT ${viewNumber} FROM (${selectIrregular}))`;
  };
  const ofDays = { ...plan, spans: spansOf(days) };
  const selects: string[] = [];
  if (uncounted.length > 0) {
    const first = isOfUncounted(beginningOfView);
    selects.push(select(factsWithin(ofDays, { first, name: 'day' }), isAgain));
  }
  if (!plan.counts.includes('viewers')) return selects;
  const near = daysNear(audienceDays);
  if (near.length > 0) {
    const facts = factsWithin({ ...plan, spans: near }, { name: 'near' });
    selects.push(select(facts, `bitShiftRight(viewer, 62) = 1 AND ${isOfUncounted('viewer')}`));
  }
  if (hasNamedViewers(audienceDays, plan.counts)) {
    selects.push(select(factsWithin(ofDays, { name: 'day' }), 'bitShiftRight(viewer, 62) = 2'));
  }
  return selects;
}

/** Half of it, which is compared in half of the time, and tells nearly all views apart. */
const beginningOfView = 'reinterpretAsUInt64(view)';

/**
 * A viewer of a day is of stretches that began on one day of the account's clock: far less than
 * two, however far it was set back meanwhile.
 */
const farthestOfViewerMs = 2 * dayMs + maxPlayMs;

/** Days on which viewers of a day may be who are on days without counts as well. */
function daysNear({ days, uncounted }: AudienceDays): Span[] {
  return spansOf(
    days.filter(({ day }) =>
      uncounted.some(
        ({ fromMs, untilMs }) =>
          day < untilMs + farthestOfViewerMs && day + dayMs > fromMs - farthestOfViewerMs,
      ),
    ),
  );
}

/** Whether any facts have to be read beside them. */
export function hasFactsBeside(audienceDays: AudienceDays, asked: readonly CountName[]): boolean {
  const { days, rest } = audienceDays;
  const isAnyMarked = isToldApart(asked) && days.some(({ marks }) => marks > 0);
  return rest.length > 0 || isAnyMarked || hasNamedViewers(audienceDays, asked);
}

/** Plays and time are all in the counts, whoever is on several days. */
function isToldApart(asked: readonly CountName[]): boolean {
  return asked.includes('views') || asked.includes('viewers');
}

function hasNamedViewers({ days }: AudienceDays, asked: readonly CountName[]): boolean {
  return asked.includes('viewers') && days.some(({ namedViews }) => namedViews > 0);
}

function selectUncounted(column: string, uncounted: AudienceDays['uncounted']): string {
  return `SELECT ${column} FROM ${stretch.name}
  WHERE accountId = {accountId:UInt32} AND ${slotsWithin(uncounted, 'uncounted').sql}`;
}

export function parametersOfDays(audienceDays: AudienceDays): FactQuery['parameters'] {
  const { days, rest, uncounted } = audienceDays;
  const seconds = days.map(({ day }) => day / 1_000);
  const times = days.map(({ countedAtMs }) => countedAtMs);
  return {
    countedDays: seconds,
    countedAt: times,
    dateFromHour: days.map(({ dateFromHour }) => dateFromHour),
    daysFrom: Math.min(...seconds),
    daysUntil: Math.max(...seconds) + 86_400,
    ...slotsWithin(spansOf(days), 'day').parameters,
    ...slotsWithin(daysNear(audienceDays), 'near').parameters,
    ...slotsWithin(rest).parameters,
    ...slotsWithin(uncounted, 'uncounted').parameters,
  };
}
