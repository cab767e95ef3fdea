/** Which UTC days are completely in one row by their time. */

import { dayMs } from '../../lib/time/utc-day.ts';
import { slotMs } from '../../store/facts.ts';
import { type AudienceDimensionName, isTime } from '../../vocabulary/dimensions.ts';
import { dayInterval } from '../labels/dimension-sql.ts';
import { isWholeDay } from '../ranges/counted-days.ts';
import { overlaps, type Span } from '../ranges/range-cover.ts';
import type { FactsPlan } from './query-plan.ts';

/** The range in which days are looked for. */
export type RangeOfDays = Pick<FactsPlan, 'accountId' | 'spans' | 'clock' | 'cut'> & {
  /** So much later are the times of rows: of a range compared with. Those of filters are not. */
  readonly shiftMs: number;
};

/** The slots between the ends of a range. */
export function findSlots({ accountId, spans }: RangeOfDays) {
  const fromMs = spans[0]?.fromMs ?? 0;
  return { accountId, fromMs, untilMs: spans.at(-1)?.untilMs ?? fromMs };
}

/** Whether a UTC day (ms) is completely in the range, nothing of it is cut, and it has one row. */
export function isDayOfOneRow(
  fromMs: number,
  range: RangeOfDays,
  asked: readonly AudienceDimensionName[],
): boolean {
  const day = { fromMs, untilMs: fromMs + dayMs };
  return isUncut(day, range) && isOfOneRow(day, asked, range);
}

/**
 * The hour of a UTC day (ms) at which a date begins by the zone's clock; undefined if that is not a
 * whole hour, the clock is changed, or the day is not completely in the range.
 */
export function findDateFromHour(fromMs: number, range: RangeOfDays): number | undefined {
  const day = { fromMs, untilMs: fromMs + dayMs };
  const offsets = new Set(findLocalTimes(day, range).map(({ offsetMs }) => offsetMs));
  const [offset = 0, ...others] = offsets;
  if (!isUncut(day, range) || others.length > 0 || offset % hourMs !== 0) return undefined;
  return (((-offset / hourMs) % 24) + 24) % 24;
}

const hourMs = 3_600_000;

function isUncut(day: Span, { spans, cut }: RangeOfDays): boolean {
  return isWholeDay(day.fromMs, spans) && overlaps([day], cut).length === 0;
}

/**
 * Whether all slots of a UTC day are in the same row by their time. If they are not, for instance
 * because a month begins there by the zone's clock, the views of that day are counted by sets.
 */
function isOfOneRow(
  day: Span,
  asked: readonly AudienceDimensionName[],
  range: RangeOfDays,
): boolean {
  const localMs = findLocalTimes(day, range).flatMap(({ fromMs, untilMs, offsetMs }) => [
    fromMs + offsetMs,
    untilMs - slotMs + offsetMs,
  ]);
  return asked.every((name) => {
    const intervalOf = isTime(name) ? dayInterval(name) : 'within days';
    if (intervalOf === 'within days') return true;
    const isOne = (laterMs: number) =>
      new Set(localMs.map((ms) => intervalOf(ms + laterMs))).size <= 1;
    return isOne(0) && isOne(range.shiftMs);
  });
}

/**
 * The parts of a day with one offset each. If both ends of a part are in the same interval, so is
 * all of it.
 */
function findLocalTimes({ fromMs, untilMs }: Span, { clock }: RangeOfDays) {
  return clock.flatMap(({ sinceMs, offsetMs }, index) => {
    const first = Math.max(fromMs, index === 0 ? fromMs : sinceMs);
    const until = Math.min(untilMs, clock[index + 1]?.sinceMs ?? untilMs);
    return first < until ? [{ fromMs: first, untilMs: until, offsetMs }] : [];
  });
}
