/** Calendar days in IANA time zones, by the rules that the pinned Node carries and no others. */
import { Temporal } from 'temporal-polyfill';

/**
 * The name as the time zone database writes it, or undefined where it knows no such zone. Aliases
 * such as "Asia/Calcutta" count; offsets such as "+09:00" do not: no days of clock change.
 */
export function canonicalTimeZone(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The first instant (ms) of a day: midnight, or later where the clock jumps over it. */
export function startOfDay(day: string, timeZone: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds;
}

/** How far a zone's clock is from UTC, and since when, over a span of time. */
export interface ClockOffset {
  readonly sinceMs: number;
  readonly offsetMs: number;
}

/** The offset at the beginning of the span, then one more at every change of the clock inside. */
export function clockOffsets(timeZone: string, fromMs: number, untilMs: number): ClockOffset[] {
  const offsets: ClockOffset[] = [];
  const start = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(timeZone);
  let moment: Temporal.ZonedDateTime | null = start;
  while (moment && moment.epochMilliseconds < untilMs) {
    offsets.push({
      sinceMs: moment.epochMilliseconds,
      offsetMs: moment.offsetNanoseconds / 1_000_000,
    });
    moment = moment.getTimeZoneTransition('next');
  }
  return offsets;
}

export function nextDay(day: string): string {
  return Temporal.PlainDate.from(day).add({ days: 1 }).toString();
}

/** Every day of a range, both ends included. */
export function daysOf(firstDay: string, lastDay: string): string[] {
  const days: string[] = [];
  const last = Temporal.PlainDate.from(lastDay);
  let day = Temporal.PlainDate.from(firstDay);
  while (Temporal.PlainDate.compare(day, last) <= 0) {
    days.push(day.toString());
    day = day.add({ days: 1 });
  }
  return days;
}

/** The hours, "00" to "23", that a day has: on days of clock change one may be missing. */
export function hoursOf(day: string, timeZone: string): string[] {
  const hours = new Set<number>();
  const end = startOfDay(nextDay(day), timeZone);
  let moment = Temporal.PlainDate.from(day).toZonedDateTime(timeZone);
  while (moment.epochMilliseconds < end) {
    hours.add(moment.hour);
    moment = moment.add({ minutes: 15 });
  }
  return [...hours].map((hour) => String(hour).padStart(2, '0'));
}
