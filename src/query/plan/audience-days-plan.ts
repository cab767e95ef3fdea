/** Plans which days are read as counts of days instead of facts. */
import { dayMs } from '../../lib/time/utc-day.ts';
import { type AudienceGroupingName, audienceGrouping, type FactReader } from '../../store/facts.ts';
import { type AudienceDimensionName, isTime } from '../../vocabulary/dimensions.ts';
import { dayInterval, fromFacts, groupingOfDays } from '../labels/dimension-sql.ts';
import type { DeclaredLabels } from '../parse/dimension-parser.ts';
import type { Query } from '../parse/query.ts';
import { besideDays, type DaysWithFacts, knownDays } from '../ranges/counted-days.ts';
import type { Span } from '../ranges/range-cover.ts';
import { isOfDays, isOfViews } from './counts.ts';
import { findDateFromHour, isDayOfOneRow, type RangeOfDays } from './day-rows.ts';
import type { AudienceDays, FactsPlan, PlannedDay } from './query-plan.ts';

interface DaySources {
  /** Days that end later (ms) are read from facts. */
  readonly settledUntilMs: number;
  readonly facts: Pick<FactReader, 'audienceDays'>;
  /** How many plays there are in some spans. */
  readonly playsWithin: (spans: readonly Span[]) => Promise<number>;
  readonly daysWithFacts: DaysWithFacts;
  /** Of so many views of other days, all are told apart. */
  readonly mostBeside: number;
}

type RowQuestion = Pick<Query, 'dimensions' | 'filters' | 'labels'>;

/** What rows are made from. */
export type RowSource = Pick<AudienceDays, 'grouping' | 'rowsAre'>;

/**
 * Which counts of days rows are made from; undefined: from none. The viewers of several values of a
 * dimension are not the sum of each value's viewers.
 */
export function askedOfDays(
  { counts, accepted, erased, clock }: Pick<FactsPlan, 'counts' | 'accepted' | 'erased' | 'clock'>,
  { dimensions, filters, labels }: RowQuestion,
): RowSource | undefined {
  if (accepted.length > 0 || erased !== undefined || !counts.every(isOfDays)) return undefined;
  const isNarrowed = filters.length > 0;
  const asked = isNarrowed ? valuesAskedFor(dimensions, filters) : dimensions;
  if (asked === undefined) return undefined;
  // Where days are those of UTC, no date begins within one.
  const hasOffset = clock.some(({ offsetMs }) => offsetMs !== 0);
  const grouping = findGrouping(asked, { labels, hasOffset });
  if (grouping === undefined) return undefined;
  if (counts.some(isOfViews) && !seenBy.includes(grouping)) return undefined;
  if (!isNarrowed) return { grouping, rowsAre: asked.includes('folder') ? 'folders' : 'values' };
  const isOfOne = audienceGrouping(grouping).columns.length === filters.length;
  return isOfOne ? { grouping, rowsAre: 'one value' } : undefined;
}

/** The dimensions of a question about one value of each, if it is no other. */
function valuesAskedFor(
  dimensions: readonly AudienceDimensionName[],
  filters: RowQuestion['filters'],
): AudienceDimensionName[] | undefined {
  const named = new Set(filters.map(({ dimension }) => dimension));
  const isOfOne = filters.every(
    ({ dimension, isOfCaption = false, operator, values }) =>
      operator === '==' && values.length === 1 && !isOfCaption && !hasSeveral(dimension),
  );
  const times = dimensions.filter(isTime);
  const others = dimensions.filter((name) => !isTime(name));
  if (!isOfOne || named.size < filters.length) return undefined;
  return others.every((name) => named.has(name)) ? [...times, ...named] : undefined;
}

/** One of their values has several of the rows of counts, or a part of each. */
const hasSeveral = (name: AudienceDimensionName) => name === 'folder' || isTime(name);

/** The grouping in which it is kept what the views of a day saw. */
export const seenBy: readonly AudienceGroupingName[] = ['total', 'package', 'video'];

export async function planAudienceDays(
  planned: RangeOfDays,
  { grouping, rowsAre, dimensions }: Pick<RowQuestion, 'dimensions'> & RowSource,
  { settledUntilMs, facts, playsWithin, daysWithFacts, mostBeside }: DaySources,
): Promise<AudienceDays | undefined> {
  const known = await knownDays(planned, facts);
  const days = known.flatMap((one): PlannedDay[] => {
    if (one.day + dayMs > settledUntilMs) return [];
    const dateFromHour = findDateFromHour(one.day, planned);
    const isOfOneRow = isDayOfOneRow(one.day, planned, dimensions);
    if (audienceGrouping(grouping).by === undefined) {
      return isOfOneRow ? [{ ...one, dateFromHour: dateFromHour ?? 0 }] : [];
    }
    return dateFromHour === undefined ? [] : [{ ...one, dateFromHour }];
  });
  if (days.length === 0) return undefined;
  const beside = await besideDays(planned.spans, { known, days }, daysWithFacts);
  const playsBeside = await playsWithin(beside.rest);
  if (playsBeside > mostBeside) return undefined;
  return { grouping, rowsAre, ...beside, playsBeside };
}

function findGrouping(
  dimensions: readonly AudienceDimensionName[],
  { labels, hasOffset }: { readonly labels: DeclaredLabels; readonly hasOffset: boolean },
): AudienceGroupingName | undefined {
  const times = dimensions.filter(isTime);
  const others = dimensions.filter((dimension) => !isTime(dimension));
  const isByHour = times.some((time) => dayInterval(time) === 'within days');
  const isByDate = times.some((time) => time === 'date' || time === 'weekday');
  if (others.length === 0 && isByHour) return 'hour';
  if (others.length === 0) return isByDate && hasOffset ? 'split' : 'total';
  const grouping = isByHour ? fromFacts : groupingOfDays(others, labels);
  return grouping === fromFacts ? undefined : grouping;
}
