/**
 * How a measure is spread over views: a value for each view (of start-up, for each start), counted
 * in fixed buckets. Source: the quality interface, section 3.
 */
import type { KnownVideo } from '../../catalog/catalog.ts';
import {
  countedMedia,
  countedPart,
  type FactQuery,
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
import { lengthOfVideo } from '../compile/views-sql.ts';
import type { DistributionQuestion } from '../parse/curve-question.ts';
import {
  hasQuality,
  isStall,
  isStart,
  isStarted,
  percentileLevel,
  playback,
  playbackOrEndedWait,
  playbackOrWait,
} from '../plan/counts.ts';
import { playedVideos } from '../plan/played-videos.ts';
import {
  type CurveSources,
  countedOf,
  factsOfQuestion,
  parametersOf,
  type QuestionFacts,
  selectFacts,
} from '../plan/question-facts.ts';
import { comparedRange } from '../present/compared-range.ts';
import { areMany, parametersOfCut } from '../ranges/counted-facts.ts';
import { joined, storedOf } from '../ranges/local-days.ts';
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
  const spans = joined(storedOf(range.spans));
  const earlier = { ...question, firstDay, lastDay };
  const { qualityBasis, ...before } = await spreadOf(earlier, { cut, spans }, sources, nowMs);
  return { measure, unit, ...own, previous: before.views > 0 ? before : null };
}

interface Range {
  readonly cut: readonly Span[];
  /** Of a range compared with, which may end within a day. */
  readonly spans?: readonly Span[];
}

async function spreadOf(
  question: DistributionQuestion,
  { cut, spans }: Range,
  { facts, catalog }: CurveSources,
  nowMs: number,
): Promise<Spread & { readonly qualityBasis?: QualityBasis }> {
  const { measure, accountId, firstDay } = question;
  const asked = await factsOfQuestion(question, { facts, catalog }, isOfWaits(measure));
  const inRange = asked && spans ? { ...asked, spans, comparedFrom: firstDay } : asked;
  if (inRange === undefined || inRange.spans.length === 0) return present(measure, []);
  const counted = await countedOf(inRange, facts);
  const videos = { facts, videos: catalog.videos };
  const lengths =
    measure === 'seen' ? await playedVideos(videos, { accountId, spans: counted.spans }) : [];
  const query = selectSpread(counted, { measure, cut, nowMs, lengths });
  return present(measure, await facts.readMany<SpreadRow>(query));
}

const isOfWaits = (measure: DistributionMeasure) => distributionMeasures[measure].isOfQuality;

interface SpreadRow {
  /** A bucket, all of them, or what quality rests on. */
  readonly kind: 'bucket' | 'all' | 'basis';
  /** Where the bucket begins. */
  readonly bound: string;
  readonly views: string;
  readonly total: string;
  readonly p50: string;
  readonly p75: string;
  readonly p95: string;
  readonly p99: string;
}

interface Spreading {
  readonly measure: DistributionMeasure;
  readonly cut: readonly Span[];
  readonly nowMs: number;
  readonly lengths: readonly KnownVideo[];
}

export function selectSpread(
  source: QuestionFacts,
  { measure, cut, nowMs, lengths }: Spreading,
): FactQuery {
  const facts = selectFacts(source, cut);
  const length = lengthOfVideo(lengths.filter(({ durationMs }) => durationMs > 0));
  const percentiles = [50, 75, 95, 99].map(
    (percent) => `quantileExactWeighted(${percentileLevel(percent)})(value, 1)`,
  );
  const names = ['views', 'total', 'p50', 'p75', 'p95', 'p99'];
  const values = ['count()', 'sum(value)', ...percentiles];
  const columns = values.map((sql, index) => `toString(${sql}) AS ${names[index]}`);
  const spread = `SELECT if(grouping(bucket) = 1, 'all', 'bucket') AS kind,
  toString(bucket) AS bound, ${columns.join(', ')}
FROM (
SELECT value, roundDown(value, {bounds:Array(UInt64)}) AS bucket
FROM (
${valuesOf[measure](facts, length.sql)}
)
)
GROUP BY ROLLUP(bucket)`;
  const basis = `SELECT 'basis' AS kind, '0' AS bound, toString(uniqExact(${viewNumber})) AS views,
  toString(countIf(${hasQuality} AND ${isStart})) AS total, '0', '0', '0', '0'
FROM (
${facts}
)
WHERE ${playbackOrWait}`;
  return {
    name: 'distribution',
    sql: isOfWaits(measure) ? `${spread}\nUNION ALL\n${basis}` : spread,
    parameters: {
      ...parametersOf(source),
      ...parametersOfCut(cut),
      ...(measure === 'seen' ? length.parameters : {}),
      askedAtMs: nowMs,
      bounds: boundsOf(measure),
    },
    isCostly: areMany(source),
  };
}

const byView = `GROUP BY ${viewNumber}`;
const all = (conditions: readonly string[]) => conditions.join(' AND ');
const rounded = (part: string, whole: string) =>
  `toUInt64(intDiv(2 * ${part} + ${whole}, 2 * ${whole}))`;

/** SQL of a `value` for each view, over facts. */
const valuesOf: {
  readonly [name in DistributionMeasure]: (facts: string, length: string) => string;
} = {
  startupMs: (facts) => `SELECT toUInt64(waitMs) AS value FROM (
${facts}
)
WHERE ${all([hasQuality, ...isStarted])}`,
  stallMs: (facts) => `SELECT sum(if(${all(isStall)}, waitMs, 0)) AS value FROM (
${facts}
)
WHERE ${hasQuality} AND ${playbackOrEndedWait} ${byView}`,
  bitrate: (facts) => `SELECT ${rounded('bits', 'ms')} AS value FROM (
SELECT sum(${countedPart('toUInt128(mediaBits)')}) AS bits, sum(${countedMedia}) AS ms
FROM (
SELECT *, ${mediaOfPart.join(', ')} FROM (
${facts}
)
WHERE ${hasQuality} AND mediaBits > 0
)
${byView} HAVING ms > 0
)`,
  playMs: (facts) => `SELECT sum(countedMs) AS value FROM (
${facts}
)
WHERE ${playback} ${byView}`,
  seen: (facts, length) => `SELECT ${rounded(`seen * ${shareUnits}`, 'length')} AS value FROM (
SELECT any(videoLength) AS length, intervalLengthSum(rangeFrom, rangeUntil) AS seen
FROM (
SELECT packageId, videoId, view, ${length} AS videoLength,
  toUInt64(least(position - 1 + mediaFrom, videoLength)) AS rangeFrom,
  toUInt64(least(position - 1 + mediaUntil, videoLength)) AS rangeUntil
FROM (
SELECT *, ${mediaOfPart.join(', ')} FROM (
${facts}
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
  const whole = rows.find(({ kind }) => kind === 'all');
  const basis = rows.find(({ kind }) => kind === 'basis');
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
      qualityBasis: { attempts: Number(basis?.total ?? 0), views: Number(basis?.views ?? 0) },
    }),
    list,
  };
}
