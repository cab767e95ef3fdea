/** IANA time zones, by the rules of the pinned Node, or those of `ICU_TIMEZONE_FILES_DIR`. */
import { Temporal } from 'temporal-polyfill';

/** The release of the time zone database that they are of, such as 2026c. */
export function rulesVersion(): string {
  return process.versions.tz ?? 'unknown';
}

/**
 * The name as the time zone database writes it, or undefined if there is no such zone. Aliases
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

/** The day with this instant in it, by the zone's clock; its end is excluded. */
export function localDay(timeZone: string, instantMs: number): { fromMs: number; untilMs: number } {
  const instant = Temporal.Instant.fromEpochMilliseconds(instantMs);
  const date = instant.toZonedDateTimeISO(timeZone).toPlainDate();
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
  return { fromMs: startOf(date), untilMs: startOf(date.add({ days: 1 })) };
}

/** The date (yyyy-mm-dd) that the zone's calendar shows at this instant. */
export function localDate(timeZone: string, instantMs: number): string {
  const instant = Temporal.Instant.fromEpochMilliseconds(instantMs);
  return instant.toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** A zone's offset from UTC, and since when it holds, over a span of time. */
export interface ClockOffset {
  readonly sinceMs: number;
  readonly offsetMs: number;
}

/** The offset at the start of the span, then one for each clock change within it. */
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

/** The instant (ms) at which an hour of a day begins; one that the clock skips is the next. */
export function hourOfDay(timeZone: string, day: string, hour: number): number {
  const plainTime = Temporal.PlainTime.from({ hour });
  return Temporal.PlainDate.from(day).toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
}
