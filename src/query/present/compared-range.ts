/** The range that a question is compared with. */

import { clockOffsets } from '../../lib/time/time-zone.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import { slotMs } from '../../store/facts.ts';
import type { DayRange, Query } from '../parse/query.ts';
import { type LocalSpan, localSpans } from '../ranges/local-days.ts';
import type { Span } from '../ranges/range-cover.ts';

type Compared = Pick<Query, 'firstDay' | 'lastDay' | 'timeZone' | 'compare' | 'dimensions'>;

export interface ComparedRange extends DayRange {
  readonly spans: readonly LocalSpan[];
  /**
   * How much later its weeks, months and years are made, so that they consist of the days that
   * those of the question have; 0: they are taken as they are.
   */
  readonly shiftDays: number;
  /** The slots in which a range that ends today is cut; empty where it ends with a slot. */
  readonly cut: readonly Span[];
}

/** Undefined if nothing is compared. */
export function comparedRange(query: Compared, nowMs: number): ComparedRange | undefined {
  const { compare, timeZone } = query;
  if (compare === undefined) return undefined;
  const range = rangeBefore(query);
  const spans = localSpans(range.firstDay, range.lastDay, timeZone);
  const local = localNow(timeZone, nowMs);
  const isCut = compare !== 'year' && query.lastDay === local.slice(0, 10);
  return {
    ...range,
    ...(isCut ? cutAt(spans, `${range.lastDay}${local.slice(10)}`) : { spans, cut: [] }),
    shiftDays: isShifted(query) ? daysBetween(range.firstDay, query.firstDay) : 0,
  };
}

/** The months of the same days a year before are the same months. */
function isShifted({ dimensions, compare }: Compared): boolean {
  const isOfDays = dimensions.includes('month') || dimensions.includes('year');
  return dimensions.includes('week') || (isOfDays && compare !== 'year');
}

function daysBetween(first: string, day: string): number {
  return (Date.parse(day) - Date.parse(first)) / dayMs;
}

function rangeBefore(query: Compared): DayRange {
  if (query.compare === 'year') return aYearBefore(query);
  const days = daysBetween(query.firstDay, query.lastDay) + 1;
  // With whole weeks, each day is compared with the same weekday.
  return daysBefore(query, query.compare === 'weekdays' ? Math.ceil(days / 7) * 7 : days);
}

function daysBefore({ firstDay, lastDay }: DayRange, days: number): DayRange {
  const before = (day: string) => dayAt(Date.parse(day) - days * dayMs);
  return { firstDay: before(firstDay), lastDay: before(lastDay) };
}

/** For 29 February, the 28th. */
function aYearBefore({ firstDay, lastDay }: DayRange): DayRange {
  const before = (day: string) => {
    const year = String(Number(day.slice(0, 4)) - 1).padStart(4, '0');
    return `${year}${day.slice(4) === '-02-29' ? '-02-28' : day.slice(4)}`;
  };
  return { firstDay: before(firstDay), lastDay: before(lastDay) };
}

function dayAt(instantMs: number): string {
  return new Date(Math.max(instantMs, 0)).toISOString().slice(0, 10);
}

/** What a clock in the zone shows, as yyyy-mm-ddThh:mm:ss.sssZ. */
function localNow(timeZone: string, nowMs: number): string {
  const [offset] = clockOffsets(timeZone, nowMs, nowMs + 1);
  return new Date(nowMs + (offset?.offsetMs ?? 0)).toISOString();
}

/** What is before a local time: whole slots, and the beginnings of the slots that contain it. */
function cutAt(spans: readonly LocalSpan[], local: string) {
  const cut: Span[] = [];
  const before = spans.flatMap((span) => {
    const cutMs = Math.min(Date.parse(local) - span.offsetMs, span.untilMs);
    if (cutMs <= span.fromMs) return [];
    const fromMs = Math.floor(cutMs / slotMs) * slotMs;
    if (fromMs < cutMs) cut.push({ fromMs, untilMs: cutMs });
    return [{ ...span, untilMs: Math.ceil(cutMs / slotMs) * slotMs }];
  });
  return { spans: before, cut };
}
