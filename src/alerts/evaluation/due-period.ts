/** Which week or month is to be reported. */
import { hourOfDay, localDate } from '../../lib/time/time-zone.ts';
import { localSpans } from '../../query/ranges/local-days.ts';
import type { ReportTerms } from '../../wire/management/reports.ts';
import { daysBefore } from './intervals.ts';

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

/** The last period whose report may be sent at an instant (ms), by the clock of the zone. */
export function duePeriod(schedule: Schedule, timeZone: string, nowMs: number): DuePeriod {
  const begin = lastBegin(schedule, localDate(timeZone, nowMs));
  const isLater = nowMs < hourOfDay(timeZone, begin, schedule.hour);
  const next = isLater ? beginBefore(schedule, begin) : begin;
  const first = beginBefore(schedule, next);
  const edate = daysBefore(next, 1);
  // A zone that skips the day of the change begins the next at once.
  const untilMs = localSpans(first, edate, timeZone).at(-1)?.untilMs ?? 0;
  const previous = { sdate: beginBefore(schedule, first), edate: daysBefore(first, 1) };
  return { sdate: first, edate, previous, untilMs };
}

/** The last day, this one included, on which a period begins. */
function lastBegin({ every, weekday }: Schedule, day: string): string {
  if (every === 'month') return `${day.slice(0, 8)}01`;
  return daysBefore(day, (weekdayOf(day) - weekday + daysOfWeek) % daysOfWeek);
}

function beginBefore(schedule: Schedule, begin: string): string {
  return lastBegin(schedule, daysBefore(begin, 1));
}

/** 1 (Monday) to 7 (Sunday). */
function weekdayOf(day: string): number {
  return new Date(day).getUTCDay() || daysOfWeek;
}
