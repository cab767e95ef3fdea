/** Which hour or day of a zone was over last. */
import { assert } from '../../lib/assert.ts';
import { hourOfDay, localDate } from '../../lib/time/time-zone.ts';
import { dayMs, toUtcDay } from '../../lib/time/utc-day.ts';
import { findClock, localSpans } from '../../query/ranges/local-days.ts';
import { hourLabel, hourStarts } from '../../query/ranges/local-hours.ts';
import { slotMs } from '../../store/facts.ts';
import type { AlertInterval } from '../../wire/management/alerts.ts';
import type { ReportTerms } from '../../wire/management/reports.ts';

/** An hour or a day by the clock of a zone, of whole slots. */
export interface Interval {
  /** The day (yyyy-mm-dd) that it is, or lies in. */
  readonly day: string;
  /** "00" to "23"; undefined for a day. */
  readonly hour: string | undefined;
  /** Its first instant (ms), and the first after it. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The last that was over at an instant (ms). */
export function lastOver(per: AlertInterval, timeZone: string, throughMs: number): Interval {
  const today = localDate(timeZone, throughMs);
  // A zone may have skipped a whole day.
  const days = [0, 1, 2, 3].map((back) => daysBefore(today, back));
  const found = days.flatMap((day) =>
    per === 'day' ? listDay(day, timeZone) : listHours(day, timeZone),
  );
  const over = found.filter(({ untilMs }) => untilMs <= throughMs);
  return over.reduce((one, other) => (other.untilMs > one.untilMs ? other : one));
}

export function daysBefore(day: string, days: number): string {
  return toUtcDay(Date.parse(day) - days * dayMs);
}

function listDay(day: string, timeZone: string): Interval[] {
  const spans = localSpans(day, day, timeZone);
  const [first] = spans;
  const last = spans.at(-1);
  if (!first || !last) return [];
  return [{ day, hour: undefined, fromMs: first.fromMs, untilMs: last.untilMs }];
}

/** As in the dimension `hour`, whose row of that time begins with it. */
function listHours(day: string, timeZone: string): Interval[] {
  const spans = localSpans(day, day, timeZone);
  const startOf = hourStarts(findClock(spans));
  const hours = new Map<string, Interval>();
  for (const { fromMs, untilMs, offsetMs } of spans) {
    for (let slot = fromMs; slot < untilMs; slot += slotMs) {
      const label = hourLabel(startOf(slot, offsetMs));
      const begun = hours.get(label) ?? { day, hour: label.slice(11, 13), fromMs: slot };
      hours.set(label, { ...begun, untilMs: slot + slotMs });
    }
  }
  return [...hours.values()];
}

const daysOfWeek = 7;

export interface ReportedDays {
  /** yyyy-mm-dd, both included. */
  readonly sdate: string;
  readonly edate: string;
}

export interface DuePeriod extends ReportedDays {
  /** The period before it. */
  readonly previous: ReportedDays;
  /** The first instant (ms) after it. */
  readonly untilMs: number;
}

type Schedule = Pick<ReportTerms, 'every' | 'weekday' | 'hour'>;

/**
 * Which week or month is to be reported. The last period whose report may be sent at an instant
 * (ms), by the clock of the zone.
 */
export function duePeriod(schedule: Schedule, timeZone: string, nowMs: number): DuePeriod {
  const begin = lastBegin(schedule, localDate(timeZone, nowMs));
  const isLater = nowMs < hourOfDay(timeZone, begin, schedule.hour);
  const next = isLater ? beginBefore(schedule, begin) : begin;
  const first = beginBefore(schedule, next);
  const edate = daysBefore(next, 1);
  // A zone that skips the day of the change begins the next at once.
  const last = localSpans(first, edate, timeZone).at(-1);
  assert(last, 'a week or a month has days');
  const previous = { sdate: beginBefore(schedule, first), edate: daysBefore(first, 1) };
  return { sdate: first, edate, previous, untilMs: last.untilMs };
}

/** The last day, this one included, on which a period begins. */
function lastBegin({ every, weekday }: Schedule, day: string): string {
  if (every === 'month') return `${day.slice(0, 8)}01`;
  return daysBefore(day, (findWeekday(day) - weekday + daysOfWeek) % daysOfWeek);
}

function beginBefore(schedule: Schedule, begin: string): string {
  return lastBegin(schedule, daysBefore(begin, 1));
}

/** 1 (Monday) to 7 (Sunday). */
function findWeekday(day: string): number {
  return new Date(day).getUTCDay() || daysOfWeek;
}
