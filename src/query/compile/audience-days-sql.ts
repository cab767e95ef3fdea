/** Compiles what the counts of days answer, and which facts have to be read beside them. */

import { dayMs } from '../../lib/time/utc-day.ts';
import {
  type AudienceGroupingName,
  audienceCounts,
  audienceGrouping,
  type FactQuery,
  tables,
  valueSql,
  viewNumber,
} from '../../store/facts.ts';
import { maxPlayMs } from '../../wire/beacons/beacon.ts';
import { type CountName, distinguishesViews } from '../plan/counts.ts';
import type { AudienceDays, FactsPlan } from '../plan/query-plan.ts';
import {
  againSql,
  type CountedDays,
  hasMarks,
  isOfCounting,
  ofDay,
  parametersOfDays,
  selectUncounted,
  toSpans,
} from '../ranges/counted-days.ts';
import {
  countedFacts,
  type countedOfFew,
  type FactsSource,
  factsWithin,
  namedIn,
  selectBegun,
} from '../ranges/counted-facts.ts';
import type { Span } from '../ranges/range-cover.ts';
import { slotsWithin } from '../ranges/slot-ranges.ts';

const { irregularFact, audienceDay } = tables;

/**
 * Rows of one grouping with the columns that facts have for it, and the counts that some SQL names.
 * A day that was counted again meanwhile has none, so the rows of `total` show how many days there
 * were.
 */
export function selectCounts(grouping: AudienceGroupingName, ...sql: string[]): string {
  const { columns, by } = audienceGrouping(grouping);
  const ofSplit = by === 'split' ? ` AND value = toString(${ofDay('dateFromHour', 'UInt8')})` : '';
  const restored = columns.map(({ name, restored }, index) => {
    return `${restored(index === 0 ? 'value' : 'version')} AS ${name}`;
  });
  return `SELECT ${['slot', ...restored, ...namedIn(audienceCounts, sql)].join(', ')}
FROM ${audienceDay.name} FINAL
WHERE grouping = '${grouping}' AND ${isOfCounting}${ofSplit}`;
}

/**
 * SQL of the facts that are read beside the counts, with `countedMs` and
 * - `isOfDay`: whether a fact's day is counted, so that its plays and time are known;
 * - `isCounted`: whether its view is in the counts, too, and its viewer unless the page named it;
 * - `isAgain`: whether its view has facts beside the days as well.
 */
export function factsBesideDays(plan: FactsRead, audienceDays: AudienceDays): string {
  const { rest } = audienceDays;
  const parts = [
    ...(rest.length > 0 ? [factsOfRest(plan, rest)] : []),
    ...(plan.counts.some(distinguishesViews) ? countedByThemselves(plan, audienceDays) : []),
  ];
  return parts.map((part) => `(${part})`).join('\nUNION ALL\n');
}

type FactsRead = FactsPlan & Required<Pick<FactsSource, 'columns'>>;

function factsOfRest(plan: FactsRead, rest: AudienceDays['rest']): string {
  return `SELECT ${[...plan.columns, 'countedMs', ...flags(0, 0, '1')].join(', ')}
FROM (
${selectBegun(countedFacts({ ...plan, spans: rest }), plan, true)}
)`;
}

function flags(isOfDay: 0 | 1, isCounted: 0 | 1, isAgain: string): string[] {
  return [`${isOfDay} AS isOfDay`, `${isCounted} AS isCounted`, `${isAgain} AS isAgain`];
}

/** Views that are not in the counts of the days, as often as may be. */
export const selectIrregular = (columns: string) => `SELECT ${columns} FROM ${irregularFact.name}
WHERE ${isOfCounting}`;

const kept: readonly string[] = Object.keys(irregularFact.columns);
/**
 * They say nothing about their plays and time, which are in the counts, except whether there is
 * some.
 */
function countedByThemselves(plan: FactsRead, audienceDays: AudienceDays): string[] {
  const irregular = hasMarks(audienceDays) ? [irregularFacts(plan)] : [];
  return [...irregular, ...countedAgain(plan, audienceDays)];
}

function irregularFacts({ columns }: FactsRead): string {
  const values = columns.map((name) => {
    if (kept.includes(name)) return name;
    return `${name === 'playMs' ? 'hasPlayback' : 0} AS ${name}`;
  });
  return selectIrregular([...values, '0 AS countedMs', ...flags(1, 0, '1')].join(', '));
}

/**
 * What is in the counts of the days and must not be counted again with other facts: views and
 * viewers that are also on days without counts, and viewers named by the page. Facts that are read
 * more than once count once: these say nothing about their plays and time.
 */
function countedAgain(plan: FactsRead, audienceDays: AudienceDays): string[] {
  const { days, uncounted } = audienceDays;
  const again = uncounted.length > 0 ? factsAgain(plan, audienceDays) : undefined;
  const select = (facts: string, condition: string, isAgain = again?.isAgain ?? '0') => {
    const columns = [...plan.columns, 'playMs AS countedMs', ...flags(1, 1, isAgain)];
    return `SELECT ${columns.join(', ')}
FROM (
${facts}
)
WHERE ${condition} AND ${viewNumber} NOT IN (${selectIrregular(viewNumber)})`;
  };
  const selects = again ? [select(again.facts, again.isAgain, '1')] : [];
  if (!plan.counts.includes('viewers')) return selects;
  const near = daysNear(audienceDays);
  if (near.length > 0) {
    const facts = factsWithin({ ...plan, spans: near }, { name: 'near' });
    const isOfUncounted = `viewer IN (${selectUncounted(valueSql.viewer, uncounted)})`;
    selects.push(select(facts, `bitShiftRight(viewer, 62) = 1 AND ${isOfUncounted}`));
  }
  if (hasNamedViewers(audienceDays, plan.counts)) {
    const facts = factsWithin({ ...plan, spans: toSpans(days) }, { name: 'day' });
    selects.push(select(facts, 'bitShiftRight(viewer, 62) = 2'));
  }
  return selects;
}

/**
 * Facts on the counted days, nearly all of views that have facts on days without counts as well but
 * no mark, and the condition that a fact is of one.
 */
export function factsAgain(
  plan: FactsPlan,
  { days, uncounted }: CountedDays,
  select: typeof countedOfFew = factsWithin,
) {
  const { mayBe, is } = againSql(uncounted);
  const facts = select({ ...plan, spans: toSpans(days) }, { first: mayBe, name: 'day' });
  return { facts, isAgain: is };
}

/**
 * A viewer of a day has stretches that began on one day of the account's clock: far less than two
 * days, however far the clock was set back meanwhile.
 */
const farthestOfViewerMs = 2 * dayMs + maxPlayMs;

/** Days that may have viewers of a day who are also on days without counts. */
function daysNear({ days, uncounted }: AudienceDays): Span[] {
  return toSpans(
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
  const { rest } = audienceDays;
  // Plays and time are all in the counts, whoever is on several days.
  const isAnyMarked = asked.some(distinguishesViews) && hasMarks(audienceDays);
  return rest.length > 0 || isAnyMarked || hasNamedViewers(audienceDays, asked);
}

function hasNamedViewers({ days }: AudienceDays, asked: readonly CountName[]): boolean {
  return asked.includes('viewers') && days.some(({ namedViews }) => namedViews > 0);
}

export function parametersOfAudienceDays(audienceDays: AudienceDays): FactQuery['parameters'] {
  const { days, rest } = audienceDays;
  return {
    ...parametersOfDays(audienceDays),
    dateFromHour: days.map(({ dateFromHour }) => dateFromHour),
    ...slotsWithin(daysNear(audienceDays), 'near').parameters,
    ...slotsWithin(rest).parameters,
  };
}
