/** Compiles how a measure is spread over views, from facts and from days that were counted. */
import {
  bitrateOf,
  countedMedia,
  countedPart,
  type FactQuery,
  hasQuality,
  isStarted,
  mediaOfPart,
  viewNumber,
} from '../../store/facts.ts';
import type { DistributionMeasure } from '../../wire/questions/distribution.ts';
import { parametersOfAudienceDays } from '../compile/audience-days-sql.ts';
import { compileFacts } from '../compile/facts-sql.ts';
import {
  lengthOfVideo,
  listRanges,
  selectEachView,
  selectTogether,
  unmarkedAgain,
} from '../compile/views-sql.ts';
import { isOfWaits, isStall, percentilesSql, playback } from '../plan/counts.ts';
import type { FactsPlan } from '../plan/query-plan.ts';
import { hasMarks, selectDaysRead, selectSeenBy } from '../ranges/counted-days.ts';
import {
  areMany,
  columnsNamed,
  countedFacts,
  countedOfFew,
  factsWithin,
  parametersOfCounted,
  parametersOfCut,
  selectBegun,
} from '../ranges/counted-facts.ts';
import { clockParameters } from '../ranges/local-clock.ts';

/** Shares are kept as ten-thousandths. */
export const shareUnits = 10_000;

interface Spreading {
  readonly measure: DistributionMeasure;
  /** From which values of views are read. */
  readonly values: FactsPlan;
  /** From which it is read what quality rests on. */
  readonly counts: FactsPlan;
  /** Where buckets begin, ascending. */
  readonly bounds: readonly number[];
}

/** A bucket, or all of them; decimal numbers. */
export interface SpreadRow {
  readonly kind: 'bucket' | 'all';
  /** Where the bucket begins. */
  readonly bound: string;
  readonly views: string;
  readonly total: string;
  readonly p50: string;
  readonly p75: string;
  readonly p95: string;
  readonly p99: string;
  /** What quality rests on, and how many days were read as counts. */
  readonly attempts: string;
  readonly viewsInRange: string;
  readonly days: string;
}

/** One statement, so that all of it is of one moment. */
export function selectSpread({ measure, values, counts, bounds }: Spreading): FactQuery {
  const [p50, p75, p95, p99] = percentilesSql((aggregate) => `${aggregate}(value, n)`);
  const aggregates = {
    ...{ views: 'sum(n)', total: 'sum(value * n)', p50, p75, p95, p99 },
    ...{ attempts: 'sum(attempts)', viewsInRange: 'sum(viewsInRange)', days: 'sum(days)' },
  };
  const columns = Object.entries(aggregates).map(([name, sql]) => `toString(${sql}) AS ${name}`);
  const { audienceDays, conditions, lengths, cut, clock, askedAtMs } = values;
  const ofQuality = counts.counts.some(isOfWaits)
    ? withOwnParameters(compileFacts(counts, 1))
    : undefined;
  const others = [
    ...(ofQuality ? [selectQuality(measure, counts, ofQuality.sql)] : []),
    ...(audienceDays && !ofQuality ? [`SELECT 0, 0, 0, 0, days FROM (${selectDaysRead})`] : []),
  ].map((sql) => `\nUNION ALL\n${sql}`);
  return {
    name: 'distribution',
    sql: `SELECT if(grouping(bucket) = 1, 'all', 'bucket') AS kind,
  toString(bucket) AS bound, ${columns.join(', ')}
FROM (
SELECT *, roundDown(value, {bounds:Array(UInt64)}) AS bucket
FROM (
SELECT value, toUInt64(sum(views)) AS n, 0 AS attempts, 0 AS viewsInRange, 0 AS days
FROM (
${measure === 'startupMs' ? selectStarts(values) : valuesOfViews(measure, values).join('\nUNION ALL\n')}
)
GROUP BY value
HAVING n > 0${others.join('')}
)
)
GROUP BY ROLLUP(bucket)`,
    parameters: {
      ...parametersOfCounted(values),
      ...parametersOfCut(cut),
      ...(audienceDays && parametersOfAudienceDays(audienceDays)),
      ...(measure === 'seen' && lengthOfVideo(lengths).parameters),
      ...conditions.parameters,
      ...clockParameters(clock),
      ...ofQuality?.parameters,
      ...(askedAtMs !== undefined && { askedAtMs }),
      bounds: [...bounds],
    },
    isCostly: areMany({ ...values, spans: audienceDays?.rest ?? values.spans }),
  };
}

/** Views that never stalled are among those that report waits. */
function selectQuality(measure: DistributionMeasure, counts: FactsPlan, sql: string): string {
  const unstalled = 'toUInt64(count_qualityViews - count_stalledViews)';
  return `SELECT 0, ${measure === 'stallMs' ? unstalled : 0},
  count_attempts, count_viewsInRange, ${counts.audienceDays ? 'count_days' : 0}
FROM (
${sql}
)`;
}

/** With other names of its parameters, so that it may stand within another statement. */
function withOwnParameters({ sql, parameters }: FactQuery): Pick<FactQuery, 'sql' | 'parameters'> {
  return {
    sql: sql.replace(/\{(\w+):/g, '{within_$1:'),
    parameters: Object.fromEntries(
      Object.entries(parameters).map(([name, value]) => [`within_${name}`, value]),
    ),
  };
}

function selectStarts(plan: FactsPlan): string {
  const all = [hasQuality, isStarted, ...plan.conditions.sql];
  const source = { ...plan, columns: columnsNamed('waitMs', ...all) };
  return `SELECT toUInt64(waitMs) AS value, 1 AS views FROM (
${selectBegun(factsWithin(source), source, false)}
)
WHERE ${all.join(' AND ')}`;
}

/** SQL of tables of a `value` and how many `views` have it, which may be less than none. */
function valuesOfViews(measure: Exclude<DistributionMeasure, 'startupMs'>, plan: FactsPlan) {
  const { audienceDays } = plan;
  if (measure === 'seen') {
    const value = (seen: string) => roundedShare(seen, 'length');
    const ranges = listRanges(plan);
    const each = `SELECT ${value('seen')} AS value, sign AS views FROM (
${selectEachView(plan, false, ranges)}
)`;
    const together = `SELECT ${value('one')} AS value, 1 AS views FROM (
${selectTogether(plan)}
)
ARRAY JOIN seen AS one`;
    return [...(ranges.length > 0 ? [each] : []), ...(audienceDays ? [together] : [])];
  }
  const of = sumsOf[measure];
  const parts = partsOfViews(of, plan);
  const each = `SELECT ${of.value} AS value, sign AS views
FROM (
SELECT sign, sum(some) AS part, sum(others) AS whole
FROM (
${parts.join('\nUNION ALL\n')}
)
GROUP BY number, sign
HAVING whole > 0
)`;
  const conditions = [`notEmpty(${of.together})`, ...plan.conditions.sql];
  const together = `SELECT arrayJoin(${of.together}) AS value, 1 AS views
FROM (
${selectSeenBy('together')}
)
WHERE ${conditions.join(' AND ')}`;
  return [...(parts.length > 0 ? [each] : []), ...(audienceDays ? [together] : [])];
}

const roundedShare = (part: string, whole: string) =>
  `toUInt64(intDiv(2 * ${part} * ${shareUnits} + ${whole}, 2 * ${whole}))`;

/** A view's value is made of two sums, of which the second is 0 for views without one. */
interface SumsOfView {
  /** Over a fact, of those of which a condition holds. */
  readonly ofFact: readonly [part: string, whole: string];
  readonly condition: string;
  /** Over a marked view's row of a counted day. */
  readonly ofMarked: readonly [part: string, whole: string];
  /** The values of views side by side. */
  readonly together: string;
  readonly value: string;
}

const sumsOf: Readonly<Record<'playMs' | 'stallMs' | 'bitrate', SumsOfView>> = {
  playMs: {
    ofFact: ['countedMs', '1'],
    condition: playback,
    ofMarked: ['arraySum(playMs)', 'length(playMs)'],
    together: 'playMs',
    value: 'part',
  },
  // Of those that stalled.
  stallMs: {
    ofFact: ['waitMs', '1'],
    condition: `${hasQuality} AND ${isStall}`,
    ofMarked: ['arraySum(stallMs)', 'length(stallMs)'],
    together: 'stallMs',
    value: 'part',
  },
  bitrate: {
    ofFact: [countedPart('toUInt128(mediaBits)'), countedMedia],
    condition: `${hasQuality} AND mediaBits > 0`,
    ofMarked: ['mediaBits', 'bitsMediaMs'],
    together: 'bitrate',
    value: bitrateOf('part', 'whole'),
  },
};

/** What of views is put together, because it may be in several places. */
function partsOfViews(
  { ofFact: sums, condition, ofMarked }: SumsOfView,
  plan: FactsPlan,
): string[] {
  const { audienceDays, conditions } = plan;
  const named = [...sums, condition, ...conditions.sql, ...mediaOfPart];
  const source = { ...plan, columns: columnsNamed(...named) };
  const ofFact = (facts: string, sign: string) => `SELECT ${viewNumber} AS number,
  toUInt64(${sums[0]}) AS some, toUInt64(${sums[1]}) AS others, ${sign} AS sign
FROM (
SELECT *, ${mediaOfPart.join(', ')} FROM (
${facts}
)
WHERE ${[condition, ...conditions.sql].join(' AND ')}
)`;
  const once = 'toInt8(1)';
  const counted = (spans: FactsPlan['spans']) =>
    ofFact(selectBegun(countedFacts({ ...source, spans }), source, true), once);
  if (audienceDays === undefined) return [counted(plan.spans)];
  const { rest, uncounted } = audienceDays;
  return [
    ...(rest.length > 0 ? [counted(rest)] : []),
    ...(uncounted.length > 0
      ? [ofFact(unmarkedAgain(source, audienceDays, countedOfFew), 'toInt8(arrayJoin([1, -1]))')]
      : []),
    ...(hasMarks(audienceDays)
      ? [
          `SELECT ${viewNumber} AS number, toUInt64(${ofMarked[0]}) AS some,
  toUInt64(${ofMarked[1]}) AS others, ${once} AS sign
FROM (
${selectSeenBy('marked')}
)${conditions.sql.length > 0 ? `\nWHERE ${conditions.sql.join(' AND ')}` : ''}`,
        ]
      : []),
  ];
}
