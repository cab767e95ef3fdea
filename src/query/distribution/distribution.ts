/**
 * How a measure is spread over views: a value for each view (of start-up, for each start), counted
 * in fixed buckets. Source: the quality interface, section 3.
 */
import type { KnownVideo } from '../../catalog/catalog.ts';
import { assert } from '../../lib/assert.ts';
import {
  countedMedia,
  countedPart,
  type FactQuery,
  hasQuality,
  isStarted,
  mediaOfPart,
  viewNumber,
} from '../../store/facts.ts';
import type { QualityBasis } from '../../wire/questions/audience-messages.ts';
import {
  type Distribution,
  type DistributionMeasure,
  distributionMeasures,
  type Spread,
} from '../../wire/questions/distribution.ts';
import { compileFacts } from '../compile/facts-sql.ts';
import { lengthOfVideo } from '../compile/views-sql.ts';
import type { DistributionQuestion } from '../parse/curve-question.ts';
import { contentFilters } from '../parse/filter-parser.ts';
import { isStall, percentilesSql, playback } from '../plan/counts.ts';
import { playedVideos } from '../plan/played-videos.ts';
import type { FactsPlan } from '../plan/query-plan.ts';
import {
  type CurveSources,
  factsOfQuestion,
  keptOf,
  parametersOf,
  type QuestionFacts,
  selectFacts,
  selectUncounted,
  withCrowded,
} from '../plan/question-facts.ts';
import { planQuery } from '../planner.ts';
import { comparedRange } from '../present/compared-range.ts';
import { whileCounted } from '../ranges/counted-days.ts';
import { areMany, parametersOfCut } from '../ranges/counted-facts.ts';
import { joined, type LocalSpan, storedOf } from '../ranges/local-days.ts';
import type { Span } from '../ranges/range-cover.ts';
import { halfUp } from '../ranges/rounding.ts';

/** Shares are kept as ten-thousandths. */
const shareUnits = 10_000;

export async function readDistribution(
  question: DistributionQuestion,
  sources: CurveSources,
  nowMs: number,
): Promise<Distribution> {
  const own = await spreadOf(question, { cut: [] }, sources, nowMs);
  const { measure } = question;
  const { unit } = distributionMeasures[measure];
  const range = comparedRange({ ...question, dimensions: [] }, nowMs);
  if (range === undefined) return { measure, unit, ...own };
  const { firstDay, lastDay, cut } = range;
  const spans = storedOf(range.spans);
  const earlier = { ...question, firstDay, lastDay };
  const { qualityBasis, ...before } = await spreadOf(earlier, { cut, spans }, sources, nowMs);
  return { measure, unit, ...own, previous: before.views > 0 ? before : null };
}

interface Range {
  readonly cut: readonly Span[];
  /** Of a range compared with, which may end within a day. */
  readonly spans?: readonly LocalSpan[];
}

function spreadOf(
  question: DistributionQuestion,
  { cut, spans }: Range,
  sources: CurveSources,
  nowMs: number,
): Promise<Spread & { readonly qualityBasis?: QualityBasis }> {
  const { measure, accountId, firstDay } = question;
  const { facts, catalog } = sources;
  return whileCounted(async () => {
    const asked = await factsOfQuestion(question, sources, isOfWaits(measure));
    const inRange =
      asked && spans ? { ...asked, spans: joined(spans), comparedFrom: firstDay } : asked;
    if (inRange === undefined || inRange.spans.length === 0) return present(measure, []);
    const kept = { ...inRange, ...(await keptOf(inRange, facts)) };
    const isOfTime = measure === 'bitrate' || measure === 'playMs';
    const counted = isOfTime ? await withCrowded(kept, facts) : { ...kept, crowded: [] };
    const videos = { facts, videos: catalog.videos };
    const lengths =
      measure === 'seen' ? await playedVideos(videos, { accountId, spans: counted.spans }) : [];
    const plan = isOfWaits(measure)
      ? await planCounts(
          question,
          { cut, spans: spans ?? storedOf(inRange.localSpans) },
          sources,
          nowMs,
        )
      : undefined;
    const query = selectSpread(counted, { measure, cut, nowMs, lengths, plan });
    const rows = await facts.readMany<SpreadRow>(query);
    const days = Number(rows.find(isOfAll)?.days ?? 0);
    return days < (plan?.audienceDays?.days.length ?? 0) ? undefined : present(measure, rows);
  });
}

const isOfWaits = (measure: DistributionMeasure) => distributionMeasures[measure].isOfQuality;

/** Of what quality rests on, and of views that never stalled. */
async function planCounts(
  question: DistributionQuestion,
  { cut, spans = [] }: Range,
  sources: CurveSources,
  askedAtMs: number,
): Promise<FactsPlan> {
  const { filters, ...range } = question;
  const asked = {
    ...{ ...range, compare: undefined, dimensions: [], sort: [], fillZero: false, pageSize: 1 },
    ...{ measures: ['stalledShare'] as const, cut, askedAtMs },
    filters: [...contentFilters(question), ...filters],
  };
  const plan = await planQuery(asked, spans, sources);
  assert(plan.source === 'facts', 'sums have no quality');
  return plan;
}

interface SpreadRow {
  /** A bucket, or all of them. */
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

const isOfAll = ({ kind }: SpreadRow) => kind === 'all';

interface Spreading {
  readonly measure: DistributionMeasure;
  readonly cut: readonly Span[];
  readonly nowMs: number;
  readonly lengths: readonly KnownVideo[];
  /** Of counts besides, where it is of quality. */
  readonly plan?: FactsPlan | undefined;
}

/** One statement, so that all of it is of one moment. */
export function selectSpread(
  source: QuestionFacts,
  { measure, cut, nowMs, lengths, plan }: Spreading,
): FactQuery {
  const length = lengthOfVideo(lengths.filter(({ durationMs }) => durationMs > 0));
  const names = ['views', 'total', 'p50', 'p75', 'p95', 'p99', 'attempts', 'viewsInRange', 'days'];
  const values = [
    ...['sum(n)', 'sum(value * n)'],
    ...percentilesSql((aggregate) => `${aggregate}(value, n)`),
    ...names.slice(6).map((name) => `sum(${name})`),
  ];
  const columns = values.map((sql, index) => `toString(${sql}) AS ${names[index]}`);
  const counts = plan && withOwnParameters(compileFacts(plan, 1));
  const others = counts
    ? `
UNION ALL
SELECT 0, ${measure === 'stallMs' ? 'toUInt64(count_qualityViews - count_stalledViews)' : 0},
  count_attempts, count_viewsInRange, ${plan.audienceDays ? 'count_days' : 0}
FROM (
${counts.sql}
)`
    : '';
  return {
    name: 'distribution',
    sql: `SELECT if(grouping(bucket) = 1, 'all', 'bucket') AS kind,
  toString(bucket) AS bound, ${columns.join(', ')}
FROM (
SELECT *, roundDown(value, {bounds:Array(UInt64)}) AS bucket
FROM (
SELECT value, count() AS n, 0 AS attempts, 0 AS viewsInRange, 0 AS days
FROM (
${valuesOf[measure](source, cut, length.sql)}
)
GROUP BY value${others}
)
)
GROUP BY ROLLUP(bucket)`,
    parameters: {
      ...parametersOf(source),
      ...parametersOfCut(cut),
      ...(measure === 'seen' ? length.parameters : {}),
      ...counts?.parameters,
      askedAtMs: nowMs,
      bounds: boundsOf(measure),
    },
    isCostly: areMany(source),
  };
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

const byView = `GROUP BY ${viewNumber}`;
const rounded = (part: string, whole: string) =>
  `toUInt64(intDiv(2 * ${part} + ${whole}, 2 * ${whole}))`;

/** SQL of a `value` for each view, over facts. */
const valuesOf: {
  readonly [name in DistributionMeasure]: (
    source: QuestionFacts,
    cut: readonly Span[],
    length: string,
  ) => string;
} = {
  startupMs: (source, cut) => `SELECT toUInt64(waitMs) AS value FROM (
${selectUncounted(source, cut)}
)
WHERE ${hasQuality} AND ${isStarted}`,
  // Of those that stalled.
  stallMs: (source, cut) => `SELECT sum(waitMs) AS value FROM (
${selectUncounted(source, cut)}
)
WHERE ${hasQuality} AND ${isStall} ${byView}`,
  bitrate: (source, cut) => `SELECT ${rounded('bits', 'ms')} AS value FROM (
SELECT sum(${countedPart('toUInt128(mediaBits)')}) AS bits, sum(${countedMedia}) AS ms
FROM (
SELECT *, ${mediaOfPart.join(', ')} FROM (
${selectFacts(source, cut)}
)
WHERE ${hasQuality} AND mediaBits > 0
)
${byView} HAVING ms > 0
)`,
  playMs: (source, cut) => `SELECT sum(countedMs) AS value FROM (
${selectFacts(source, cut)}
)
WHERE ${playback} ${byView}`,
  seen: (
    source,
    cut,
    length,
  ) => `SELECT ${rounded(`seen * ${shareUnits}`, 'length')} AS value FROM (
SELECT any(videoLength) AS length, intervalLengthSum(rangeFrom, rangeUntil) AS seen
FROM (
SELECT packageId, videoId, view, ${length} AS videoLength,
  toUInt64(least(position - 1 + mediaFrom, videoLength)) AS rangeFrom,
  toUInt64(least(position - 1 + mediaUntil, videoLength)) AS rangeUntil
FROM (
SELECT *, ${mediaOfPart.join(', ')} FROM (
${selectFacts(source, cut)}
)
WHERE ${playback} AND position > 0
)
WHERE videoLength > 0
)
${byView}
)`,
};

/** Where buckets begin, in whole units. */
function boundsOf(measure: DistributionMeasure): number[] {
  const { decades } = distributionMeasures[measure];
  if (decades === undefined) {
    return Array.from({ length: shareBuckets }, (_, index) => index * (shareUnits / shareBuckets));
  }
  const steps = (decades - 1) * stepsOfDecade + 1;
  return [
    0,
    ...Array.from({ length: steps }, (_, step) => Math.round(10 ** (1 + step / stepsOfDecade))),
  ];
}

const shareBuckets = 20;
const stepsOfDecade = 10;

function present(measure: DistributionMeasure, rows: readonly SpreadRow[]) {
  const { decades, isOfQuality } = distributionMeasures[measure];
  const isShare = decades === undefined;
  const of = new Map(
    rows.flatMap((row) => (row.kind === 'bucket' ? [[Number(row.bound), row]] : [])),
  );
  const whole = rows.find(isOfAll);
  const views = Number(whole?.views ?? 0);
  const shown = (value: string | undefined) => {
    if (views === 0 || value === undefined) return null;
    return isShare ? Number(value) / shareUnits : Number(value);
  };
  const mean = (total: string) =>
    halfUp(BigInt(total), BigInt(views) * (isShare ? BigInt(shareUnits) : 1n), isShare ? 4 : 0);
  const bounds = boundsOf(measure);
  const scaled = (bound: number) => (isShare ? bound / shareUnits : bound);
  const list = bounds.map((from, index) => {
    const to = bounds[index + 1];
    const last = isShare ? 1 : null;
    return {
      from: scaled(from),
      to: to === undefined ? last : scaled(to),
      views: Number(of.get(from)?.views ?? 0),
    };
  });
  return {
    views,
    mean: whole === undefined || views === 0 ? null : mean(whole.total),
    ...{ p50: shown(whole?.p50), p75: shown(whole?.p75) },
    ...{ p95: shown(whole?.p95), p99: shown(whole?.p99) },
    ...(isOfQuality && {
      qualityBasis: {
        attempts: Number(whole?.attempts ?? 0),
        views: Number(whole?.viewsInRange ?? 0),
      },
    }),
    list,
  };
}
