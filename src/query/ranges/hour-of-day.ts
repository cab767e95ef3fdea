import { parseInstant } from '../../lib/time/instant.ts';
import { dayExists, dayMs, utcDayOf } from '../../lib/time/utc-day.ts';
import { slotMs } from '../../store/facts.ts';
import { calendarSpans, clockOf } from './local-days.ts';
import { hourLabel, hourStarts } from './local-hours.ts';

/**
 * The label, in a zone, of the hour that begins at a time (RFC 3339 with any offset); undefined if
 * none does.
 */
export function hourIn(timeZone: string, text: string): string | undefined {
  const instantMs = parseInstant(text);
  if (instantMs === undefined) return undefined;
  const [before, after] = [utcDayOf(instantMs - dayMs), utcDayOf(instantMs + dayMs)];
  if (!dayExists(before) || !dayExists(after)) return undefined;
  const spans = calendarSpans(before, after, timeZone);
  // With an offset of seconds, an hour is that of the slot after its start.
  const slot = Math.ceil(instantMs / slotMs) * slotMs;
  const span = spans.find(({ fromMs, untilMs }) => slot >= fromMs && slot < untilMs);
  if (span === undefined) return undefined;
  const label = hourLabel(hourStarts(clockOf(spans))(slot, span.offsetMs));
  return parseInstant(label) === instantMs ? label : undefined;
}
