/**
 * How a measure is spread over views: a value for each view (of start-up, for each start), counted
 * in fixed buckets. Source: the quality interface, section 3.
 */
import { assert } from '../../lib/assert.ts';
import type { AudienceMeasureName } from '../../vocabulary/measures.ts';
import type { QualityBasis } from '../../wire/questions/audience-messages.ts';
import {
  type Distribution,
  type DistributionMeasure,
  distributionMeasures,
  type Spread,
} from '../../wire/questions/distribution.ts';
import type { DistributionQuestion } from '../parse/curve-question.ts';
import { contentFilters } from '../parse/filter-parser.ts';
import { seenBy } from '../plan/audience-days-plan.ts';
import { isBounded } from '../plan/counts.ts';
import type { FactsPlan } from '../plan/query-plan.ts';
import type { CurveSources } from '../plan/question-facts.ts';
import { type PlanSources, planQuery } from '../planner.ts';
import { comparedRange } from '../present/compared-range.ts';
import { whileCounted } from '../ranges/counted-days.ts';
import { calendarSpans, clipToStored, type LocalSpan } from '../ranges/local-days.ts';
import { readOverclaimedSlots } from '../ranges/overclaimed-slots.ts';
import type { Span } from '../ranges/range-cover.ts';
import { halfUp } from '../ranges/rounding.ts';
import { type SpreadRow, selectSpread, shareUnits } from './distribution-sql.ts';

type SpreadSources = CurveSources & Pick<PlanSources, 'leastPlaysOfRegular'>;

export async function readDistribution(
  question: DistributionQuestion,
  sources: SpreadSources,
  nowMs: number,
): Promise<Distribution> {
  const { measure, firstDay, lastDay, timeZone } = question;
  const whole = { spans: calendarSpans(firstDay, lastDay, timeZone), cut: [], isCompared: false };
  const own = await measureSpread(question, whole, sources, nowMs);
  const { unit } = distributionMeasures[measure];
  const range = comparedRange({ ...question, dimensions: [] }, nowMs);
  if (range === undefined) return { measure, unit, ...own };
  const earlier = { ...question, firstDay: range.firstDay, lastDay: range.lastDay };
  const { spans, cut } = range;
  const compared = { spans, cut, isCompared: true };
  const { qualityBasis, ...before } = await measureSpread(earlier, compared, sources, nowMs);
  return { measure, unit, ...own, previous: before.views > 0 ? before : null };
}

interface Range {
  readonly spans: readonly LocalSpan[];
  readonly cut: readonly Span[];
  readonly isCompared: boolean;
}

function measureSpread(
  question: DistributionQuestion,
  range: Range,
  sources: SpreadSources,
  nowMs: number,
): Promise<Spread & { readonly qualityBasis?: QualityBasis }> {
  const { measure } = question;
  const spans = clipToStored(range.spans);
  return whileCounted(async () => {
    if (spans.length === 0) return present(measure, []);
    const counts = await planCounts(question, { ...range, spans }, sources, nowMs);
    const values = await planValues(measure, counts, sources);
    const query = selectSpread({ measure, values, counts, bounds: findBounds(measure) });
    const rows = await sources.facts.readMany<SpreadRow>(query);
    const { audienceDays } = distributionMeasures[measure].isOfQuality ? counts : values;
    const days = Number(rows.find(isOfAll)?.days ?? 0);
    return days < (audienceDays?.days.length ?? 0) ? undefined : present(measure, rows);
  });
}

/** Measures of the same views, from the same facts. */
const measuresLike: Readonly<Record<DistributionMeasure, readonly AudienceMeasureName[]>> = {
  startupMs: ['startupMs'],
  stallMs: ['stalledShare'],
  bitrate: ['bitrate'],
  playMs: ['playMs', 'views'],
  seen: ['positionedViews'],
};

async function planCounts(
  question: DistributionQuestion,
  { spans, cut, isCompared }: Range,
  sources: SpreadSources,
  askedAtMs: number,
): Promise<FactsPlan> {
  const { filters, measure, ...range } = question;
  const asked = {
    ...{ ...range, compare: undefined, dimensions: [], sort: [], fillZero: false, pageSize: 1 },
    ...{ measures: measuresLike[measure], cut, askedAtMs, isCompared },
    filters: [...contentFilters(question), ...filters],
  };
  const plan = await planQuery(asked, spans, sources);
  assert(plan.source === 'facts', 'sums have no views');
  return plan;
}

/** Counts of days by other groupings do not have the values of each view. */
async function planValues(
  measure: DistributionMeasure,
  counts: FactsPlan,
  { facts }: SpreadSources,
): Promise<FactsPlan> {
  const { audienceDays } = counts;
  if (audienceDays === undefined) return counts;
  if (measure !== 'startupMs' && seenBy.includes(audienceDays.grouping)) return counts;
  const overclaimed = counts.counts.some(isBounded)
    ? await readOverclaimedSlots(facts, counts)
    : [];
  return { ...counts, audienceDays: undefined, overclaimed };
}

const isOfAll = ({ kind }: SpreadRow) => kind === 'all';

/** Where buckets begin, in whole units. */
function findBounds(measure: DistributionMeasure): number[] {
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
  const bounds = findBounds(measure);
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
