/** Plans which days are read as counts of days, and not as facts. */
import {
  type AudienceDay,
  type AudienceGroupingName,
  audienceGrouping,
  type DetailColumn,
  type FactReader,
} from '../../facts/facts.ts';
import { dayMs } from '../../lib/utc-day.ts';
import { type AudienceDimensionName, isLabel, labelPrefix } from '../../wire/audience.ts';
import { overlaps, type Span } from '../cover-range.ts';
import type { DeclaredLabels } from '../filters/read-dimension.ts';
import { joined } from '../local-days.ts';
import {
  dateFromHourOf,
  intervalsOfDays,
  isDayOfOneRow,
  type RangeOfDays,
  slotsOf,
  withoutDays,
} from './days-of-rows.ts';
import { isOfViews } from './fact-values.ts';
import type { Query } from './query.ts';
import type { AudienceDays, FactsPlan, PlannedDay } from './query-plan.ts';
import { isTime } from './time-labels.ts';

interface DaySources {
  readonly facts: Pick<FactReader, 'audienceDays'>;
  /** How many plays there are in some spans. */
  readonly playsWithin: (spans: readonly Span[]) => Promise<number>;
  /** Which UTC days (ms) have any facts in some spans. */
  readonly daysWithFacts: (spans: readonly Span[]) => Promise<number[]>;
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
  const isCounted = accepted.length === 0 && erased === undefined && !counts.some(isOfViews);
  if (!isCounted || filters.length > 0) return undefined;
  // Where days are those of UTC, no date begins within one.
  const hasOffset = clock.some(({ offsetMs }) => offsetMs !== 0);
  return groupingOf(dimensions, { labels, hasOffset });
}

export async function planAudienceDays(
  planned: RangeOfDays,
  { grouping, dimensions }: Pick<Asked, 'dimensions'> & Pick<AudienceDays, 'grouping'>,
  { facts, playsWithin, daysWithFacts, mostBeside }: DaySources,
): Promise<AudienceDays | undefined> {
  const { spans } = planned;
  // With those at its ends, of which the range has a part.
  const { accountId, fromMs, untilMs } = slotsOf(planned);
  const known = await facts.audienceDays({
    accountId,
    fromMs: Math.floor(fromMs / dayMs) * dayMs,
    untilMs: Math.ceil(untilMs / dayMs) * dayMs,
  });
  const days = known.flatMap((one): PlannedDay[] => {
    const dateFromHour = dateFromHourOf(one.day, planned);
    const isOfOneRow = isDayOfOneRow(one.day, planned, dimensions);
    if (audienceGrouping(grouping).by === undefined) {
      return isOfOneRow ? [{ ...one, dateFromHour: dateFromHour ?? 0 }] : [];
    }
    return dateFromHour === undefined ? [] : [{ ...one, dateFromHour }];
  });
  if (days.length === 0) return undefined;
  const others = withoutDays(spans, spansOf(days));
  // Days without facts have no counts either, and nothing that may be elsewhere as well.
  const unknown = withoutDays(others, spansOf(known));
  const uncounted = await partsWithFacts(unknown, daysWithFacts);
  const rest = withoutDays(others, withoutDays(unknown, uncounted));
  const playsBeside = await playsWithin(rest);
  if (playsBeside > mostBeside) return undefined;
  return { grouping, days, rest, uncounted, playsBeside };
}

async function partsWithFacts(
  spans: readonly Span[],
  daysWithFacts: DaySources['daysWithFacts'],
): Promise<Span[]> {
  if (spans.length === 0) return [];
  const days = (await daysWithFacts(spans)).map((day) => ({ fromMs: day, untilMs: day + dayMs }));
  return overlaps(spans, joined(days));
}

/** The days, each run of them as one. */
export function spansOf(days: readonly Pick<AudienceDay, 'day'>[]): Span[] {
  return joined(days.map(({ day }) => ({ fromMs: day, untilMs: day + dayMs })));
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
  // Versions are asked for with what they are of, and a video may have moved since.
  return name === 'folder' ? undefined : (name as AudienceGroupingName & typeof name);
}

const pairs: Readonly<Record<string, AudienceGroupingName>> = {
  'os,osVersion': 'osVersion',
  'browser,browserVersion': 'browserVersion',
};

function labelColumn(number: number | undefined): DetailColumn | undefined {
  return number === undefined ? undefined : (`label${number}` as DetailColumn);
}
