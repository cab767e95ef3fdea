/** Plans which days are read as counts of days, and not as facts. */
import {
  type AudienceGroupingName,
  audienceGrouping,
  type DetailColumn,
  type FactReader,
} from '../../facts/facts.ts';
import { type AudienceDimensionName, isLabel, labelPrefix } from '../../wire/audience.ts';
import { besideDays, type DaysWithFacts, knownDays } from '../counted-days.ts';
import type { Span } from '../cover-range.ts';
import type { DeclaredLabels } from '../filters/read-dimension.ts';
import {
  dateFromHourOf,
  intervalsOfDays,
  isDayOfOneRow,
  type RangeOfDays,
} from './days-of-rows.ts';
import { isOfViews } from './fact-values.ts';
import type { Query } from './query.ts';
import type { AudienceDays, FactsPlan, PlannedDay } from './query-plan.ts';
import { isTime } from './time-labels.ts';

interface DaySources {
  readonly facts: Pick<FactReader, 'audienceDays'>;
  /** How many plays there are in some spans. */
  readonly playsWithin: (spans: readonly Span[]) => Promise<number>;
  readonly daysWithFacts: DaysWithFacts;
  /** Of so many views of other days, all are told apart. */
  readonly mostBeside: number;
}

type Asked = Pick<Query, 'dimensions' | 'filters' | 'labels'>;

/**
 * Which counts of days rows are made of; undefined: of none. Not of some values of a dimension: the
 * viewers of several are not the sum of each one's.
 */
export function groupingOfDays(
  { counts, accepted, erased, clock }: Pick<FactsPlan, 'counts' | 'accepted' | 'erased' | 'clock'>,
  { dimensions, filters, labels }: Asked,
): AudienceGroupingName | undefined {
  const isCounted = accepted.length === 0 && erased === undefined;
  if (!isCounted || filters.length > 0) return undefined;
  // Where days are those of UTC, no date begins within one.
  const hasOffset = clock.some(({ offsetMs }) => offsetMs !== 0);
  const grouping = groupingOf(dimensions, { labels, hasOffset });
  const isKnown = grouping === undefined || !counts.some(isOfViews) || seenBy.includes(grouping);
  return isKnown ? grouping : undefined;
}

/** By what it is kept what the views of a day saw. */
const seenBy: readonly AudienceGroupingName[] = ['total', 'package', 'video'];

export async function planAudienceDays(
  planned: RangeOfDays,
  { grouping, dimensions }: Pick<Asked, 'dimensions'> & Pick<AudienceDays, 'grouping'>,
  { facts, playsWithin, daysWithFacts, mostBeside }: DaySources,
): Promise<AudienceDays | undefined> {
  const known = await knownDays(planned, facts);
  const days = known.flatMap((one): PlannedDay[] => {
    const dateFromHour = dateFromHourOf(one.day, planned);
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
  return { grouping, isByFolder: dimensions.includes('folder'), ...beside, playsBeside };
}

function groupingOf(
  dimensions: readonly AudienceDimensionName[],
  { labels, hasOffset }: { readonly labels: DeclaredLabels; readonly hasOffset: boolean },
): AudienceGroupingName | undefined {
  const times = dimensions.filter(isTime);
  const [name, other] = dimensions.filter((dimension) => !isTime(dimension));
  const isByHour = times.some((time) => !(time in intervalsOfDays));
  const isByDate = times.some((time) => time === 'date' || time === 'weekday');
  if (name === undefined && isByHour) return 'hour';
  if (name === undefined) return isByDate && hasOffset ? 'split' : 'total';
  if (isByHour) return undefined;
  if (other !== undefined) return pairs[[name, other].sort().join()];
  if (isLabel(name)) return labelColumn(labels.get(name.slice(labelPrefix.length)));
  if (name === 'folder') return 'video';
  // Versions are asked for with what they are of.
  return name as AudienceGroupingName & typeof name;
}

const pairs: Readonly<Record<string, AudienceGroupingName>> = {
  'os,osVersion': 'osVersion',
  'browser,browserVersion': 'browserVersion',
};

function labelColumn(number: number | undefined): DetailColumn | undefined {
  return number === undefined ? undefined : (`label${number}` as DetailColumn);
}
