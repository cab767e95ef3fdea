/** What a page of statistics shows: period, comparison, measure and filters, out of its URL. */
import { addDays, addMonths, daysBetween, isDate } from './calendar.ts';
import { type Filter, readFilters } from './filters/filters.ts';
import { type ChartMeasure, measures } from './measures.ts';

export const periods = ['today', '7d', '28d', '90d', '12mo', 'custom'] as const;
export type PeriodName = (typeof periods)[number];
export const comparisons = ['weekdays', 'previous', 'year', 'none'] as const;
export type Comparison = (typeof comparisons)[number];
export const intervals = ['hour', 'date', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

export interface Range {
  readonly from: string;
  readonly to: string;
}

export interface View extends Range {
  readonly period: PeriodName;
  readonly compare: Comparison;
  readonly measure: ChartMeasure;
  readonly interval: Interval;
  readonly filters: readonly Filter[];
}

const days: Readonly<Partial<Record<PeriodName, number>>> = { '7d': 7, '28d': 28, '90d': 90 };
const usual = '28d';
/** More points than these no chart shows well. */
const mostPoints: Readonly<Record<Interval, number>> = {
  hour: 31,
  date: 400,
  week: 1_500,
  month: 4_000,
};

/** Of a share: what no URL changes. */
interface Pinned {
  readonly sdate: string;
  readonly edate: string;
  readonly compare: Comparison;
}

/** `charted`: what the page can chart, the usual one first. */
export function readView(
  search: URLSearchParams,
  today: string,
  pinned?: Pinned,
  charted: readonly [ChartMeasure, ...ChartMeasure[]] = measures,
): View {
  const period = pinned ? 'custom' : (oneOf(periods, search.get('period')) ?? usual);
  const range = pinned ? { from: pinned.sdate, to: pinned.edate } : rangeOf(period, search, today);
  return {
    ...range,
    period,
    compare: pinned?.compare ?? oneOf(comparisons, search.get('compare')) ?? 'weekdays',
    measure: oneOf(charted, search.get('measure')) ?? charted[0],
    interval: intervalOf(range, oneOf(intervals, search.get('by'))),
    filters: readFilters(search.get('filters') ?? ''),
  };
}

/** The range that it is compared with, as the interface takes it. */
export function rangeBefore({ from, to }: Range, which: Exclude<Comparison, 'none'>): Range {
  if (which === 'year') return { from: addMonths(from, -12), to: addMonths(to, -12) };
  const length = daysBetween(from, to);
  const days = which === 'weekdays' ? Math.ceil(length / 7) * 7 : length;
  return { from: addDays(from, -days), to: addDays(to, -days) };
}

/** The intervals that a chart of this range can have. */
export function intervalsFor({ from, to }: Range): readonly Interval[] {
  const length = daysBetween(from, to);
  return intervals.filter((interval) => {
    const least = { hour: 0, date: 2, week: 14, month: 60 }[interval];
    return length >= least && length <= mostPoints[interval];
  });
}

function intervalOf(range: Range, asked: Interval | undefined): Interval {
  const possible = intervalsFor(range);
  if (asked !== undefined && possible.includes(asked)) return asked;
  const length = daysBetween(range.from, range.to);
  if (length <= 2) return 'hour';
  if (length <= 92) return 'date';
  return length <= 200 ? 'week' : 'month';
}

function rangeOf(period: PeriodName, search: URLSearchParams, today: string): Range {
  if (period === 'today') return { from: today, to: today };
  if (period === '12mo') return { from: addDays(addMonths(today, -12), 1), to: today };
  const length = days[period];
  if (length !== undefined) return { from: addDays(today, 1 - length), to: today };
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? ''];
  if (isDate(from) && isDate(to) && from <= to) return { from, to };
  return { from: addDays(today, -27), to: today };
}

function oneOf<Name extends string>(names: readonly Name[], text: string | null) {
  return names.find((name) => name === text);
}
