/** Answers a question of the audience: plan -> SQL -> labels -> comparison -> order -> rows. */
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { forPortions, mapPortions } from '../../lib/tasks/work-portions.ts';
import { audienceDimension } from '../../vocabulary/dimensions.ts';
import { isOfQuality, measuresOfRows } from '../../vocabulary/measures.ts';
import type {
  MeasureValues,
  QualityBasis,
  QueryRow,
  QueryTotals,
  ViewerBasis,
} from '../../wire/questions/audience-messages.ts';
import type { Calendar } from '../labels/time-labels.ts';
import type { Query } from '../parse/query.ts';
import { type Counts, measured } from '../plan/counts.ts';
import type { QueryPlan } from '../plan/query-plan.ts';
import { type PlanSources, planQuery } from '../planner.ts';
import { type ComparedRange, comparedRange } from '../present/compared-range.ts';
import { type LabelledCounts, labelRows } from '../present/row-labels.ts';
import { orderRows } from '../present/row-order.ts';
import { fillZero } from '../present/zero-rows.ts';
import { whileCounted } from '../ranges/counted-days.ts';
import { calendarSpans, clipToStored } from '../ranges/local-days.ts';
import { type Counted, countRows, nothingCounted } from './row-counts.ts';

/** In each of two ranges: together a fifth of the views that a pass may distinguish. */
const mostDistinguishedBeside = 250_000;

const pace = { size: 2_000, takeTurn: nextTurn };

export interface WholeAnswer {
  readonly rows: readonly QueryRow[];
  readonly totals: QueryTotals;
  /** Only where a measure of viewers is asked for. */
  readonly viewerBasis?: ViewerBasis;
  /** Only where a measure of quality is asked for. */
  readonly qualityBasis?: QualityBasis;
}

export async function answerQuery(
  asked: Query,
  nowMs: number,
  sources: PlanSources,
): Promise<WholeAnswer> {
  const query = { ...asked, askedAtMs: nowMs };
  const { firstDay, lastDay, timeZone } = query;
  const calendar = { firstDay, spans: calendarSpans(firstDay, lastDay, timeZone) };
  const range = comparedRange(query, nowMs);
  const { counted, countedBefore } = await countRanges(query, { calendar, range }, sources);
  const rows = await fillRows(counted, query, calendar);
  const labelled = await labelCounted(rows, query, calendar, sources);
  const before = range && (await placesBefore(countedBefore, query, range, sources));
  const ordered = await orderRows(labelled, query);
  const addLabels = labelAdder(query);
  const measures = measuresOfRows(query.measures);
  const addValues = (row: Shown, counts: Counts, previous: Counts | undefined) => {
    addMeasures(row, counts, measures);
    if (!before) return;
    const values: Record<string, number | null> = {};
    if (previous) addMeasures(values, previous, measures);
    row.previous = previous ? values : null;
  };
  const totals: Record<string, number | null | MeasureValues> = {};
  addValues(totals, counted.total, before?.total);
  return {
    rows: await mapPortions(ordered, pace, (labelled) => {
      const row: Shown = { ...query.given };
      addLabels(row, labelled);
      addValues(row, labelled.counts, before?.rows.get(findPlace(labelled)));
      return row;
    }),
    totals,
    ...(query.measures.includes('viewers') && { viewerBasis: counted.basis }),
    ...(query.measures.some(isOfQuality) && { qualityBasis: counted.qualityBasis }),
  };
}

/** Undefined for a day that the zone skipped, or that has no facts. */
async function planWithin(
  query: Query,
  calendar: Pick<Calendar, 'spans'>,
  sources: PlanSources,
): Promise<QueryPlan | undefined> {
  const spans = clipToStored(calendar.spans);
  return spans.length === 0 ? undefined : planQuery(query, spans, sources);
}

interface Ranges {
  readonly calendar: Calendar;
  /** The one compared with. */
  readonly range: ComparedRange | undefined;
}

function countRanges(query: Query, { calendar, range }: Ranges, sources: PlanSources) {
  return whileCounted(async () => {
    const planning = planWithin(query, calendar, sources);
    const before = range && planWithin({ ...query, ...range, isCompared: true }, range, sources);
    // What is wrong with its own range is said first.
    const afterOwn = before?.catch(async (error: unknown) => {
      await planning;
      throw error;
    });
    const [plan, planBefore] = await Promise.all([planning, afterOwn]);
    const [counted, countedBefore] = await countBoth(plan, planBefore, sources.facts);
    return counted && countedBefore ? { counted, countedBefore } : undefined;
  });
}

/** At once only if that takes little of the store's memory. */
async function countBoth(
  plan: QueryPlan | undefined,
  planBefore: QueryPlan | undefined,
  facts: PlanSources['facts'],
): Promise<[Counted | undefined, Counted | undefined]> {
  const count = (one: QueryPlan | undefined) => (one ? countRows(one, facts) : nothingCounted);
  if (isSmall(plan) && isSmall(planBefore)) return Promise.all([count(plan), count(planBefore)]);
  return [await count(plan), await count(planBefore)];
}

function isSmall(plan: QueryPlan | undefined): boolean {
  return plan?.source !== 'facts' || plan.distinguished <= mostDistinguishedBeside;
}

/** Without dimensions there is one row, whatever is counted. */
async function fillRows({ rows, total }: Counted, query: Query, calendar: Calendar) {
  if (query.dimensions.length === 0) return [{ keys: [], counts: total }];
  return query.fillZero ? fillZero(rows, query, calendar) : rows;
}

function labelCounted(
  rows: Counted['rows'],
  { accountId, dimensions, labels }: Query,
  calendar: Calendar,
  { catalog }: PlanSources,
): Promise<LabelledCounts[]> {
  return labelRows(rows, { accountId, dimensions, labels, calendar, catalog });
}

interface Before {
  readonly rows: ReadonlyMap<string, Counts>;
  /** Undefined if there is nothing. */
  readonly total: Counts | undefined;
}

/** Of the range compared with. */
async function placesBefore(
  counted: Counted,
  query: Query,
  range: ComparedRange,
  sources: PlanSources,
): Promise<Before> {
  // What was made later is of the question's own intervals.
  const { firstDay } = range.shiftDays === 0 ? range : query;
  const calendar = { firstDay, spans: range.spans };
  const labelled = await labelCounted(counted.rows, query, calendar, sources);
  const places = new Map<string, Counts>();
  await forPortions(labelled, pace, (portion) => {
    for (const row of portion) places.set(findPlace(row), row.counts);
  });
  return { rows: places, total: counted.rows.length > 0 ? counted.total : undefined };
}

/** Rows of two ranges correspond if their places are the same. */
function findPlace({ labels }: LabelledCounts): string {
  return JSON.stringify(labels.map(({ place }) => place));
}

/** A row as it is filled in; an answer may have 100,000, so that none is copied. */
type Shown = Record<string, QueryRow[string]>;

function labelAdder({ dimensions }: Query): (row: Shown, of: LabelledCounts) => void {
  const columns = dimensions.map((name) => {
    const { caption: captionName } = audienceDimension(name);
    return { name, captionName };
  });
  return (row, { labels }) => {
    columns.forEach(({ name, captionName }, index) => {
      const { value = '', caption = '' } = labels[index] ?? {};
      row[name] = value;
      if (captionName) row[captionName] = caption;
    });
  };
}

function addMeasures(row: Shown, counts: Counts, measures: Query['measures']): void {
  for (const name of measures) row[name] = measured(name, counts);
}
