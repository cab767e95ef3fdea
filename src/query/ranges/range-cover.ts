/** Splits a range into the coarsest sums that cover it exactly. */
import { dayMs } from '../../lib/time/utc-day.ts';

export interface Span {
  /** Milliseconds since the epoch; `untilMs` is not included. */
  readonly fromMs: number;
  readonly untilMs: number;
}

export interface Cover {
  /** Whole UTC days whose sums by day are settled. */
  readonly days: readonly Span[];
  /** The rest, at both edges and around unsettled days: read from sums by slot. */
  readonly slots: readonly Span[];
}

/** Each run of unsettled days may split the range again; beyond this only slots are read. */
const mostRuns = 16;

/** `unsettledDays` are starts of UTC days, ascending. The pieces cover the range exactly once. */
export function coverRange(range: Span, unsettledDays: readonly number[]): Cover {
  const days: Span[] = [];
  const slots: Span[] = [];
  const firstDay = Math.ceil(range.fromMs / dayMs) * dayMs;
  const lastDay = Math.floor(range.untilMs / dayMs) * dayMs;
  const unsettled = unsettledDays.filter((day) => day >= firstDay && day < lastDay);
  const begins = unsettled.filter((day, index) => unsettled[index - 1] !== day - dayMs);
  if (begins.length > mostRuns) return { days, slots: [range] };
  let fromMs = firstDay;
  let slotsFromMs = range.fromMs;
  for (const day of unsettled) {
    if (fromMs < day) {
      put(slots, slotsFromMs, fromMs);
      put(days, fromMs, day);
      slotsFromMs = day;
    }
    fromMs = day + dayMs;
  }
  if (fromMs < lastDay) {
    put(slots, slotsFromMs, fromMs);
    put(days, fromMs, lastDay);
    slotsFromMs = lastDay;
  }
  put(slots, slotsFromMs, range.untilMs);
  return { days, slots };
}

/** The same of several ranges. */
export function coverAll(spans: readonly Span[], unsettledDays: readonly number[]): Cover {
  const covers = spans.map((span) => coverRange(span, unsettledDays));
  return {
    days: covers.flatMap(({ days }) => days),
    slots: covers.flatMap(({ slots }) => slots),
  };
}

function put(spans: Span[], fromMs: number, untilMs: number): void {
  if (fromMs < untilMs) spans.push({ fromMs, untilMs });
}

/** Where both have something; both ascending, and each without overlaps of its own. */
export function overlaps(some: readonly Span[], others: readonly Span[]): Span[] {
  const found: Span[] = [];
  let first = 0;
  for (const one of some) {
    while ((others[first]?.untilMs ?? one.fromMs + 1) <= one.fromMs) first += 1;
    for (const other of others.slice(first)) {
      if (other.fromMs >= one.untilMs) break;
      put(found, Math.max(one.fromMs, other.fromMs), Math.min(one.untilMs, other.untilMs));
    }
  }
  return found;
}
