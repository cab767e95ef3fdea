/** Which hour or day of a zone was over last. */
import { localDate } from '../../lib/time/time-zone.ts';
import { dayMs, utcDayOf } from '../../lib/time/utc-day.ts';
import { localSpans } from '../../query/ranges/local-days.ts';
import type { AlertInterval } from '../../wire/management/alerts.ts';

const hourMs = 3_600_000;

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
    per === 'day' ? dayOf(day, timeZone) : hoursOf(day, timeZone),
  );
  const over = found.filter(({ untilMs }) => untilMs <= throughMs);
  return over.reduce((one, other) => (other.untilMs > one.untilMs ? other : one));
}

export function daysBefore(day: string, days: number): string {
  return utcDayOf(Date.parse(day) - days * dayMs);
}

function dayOf(day: string, timeZone: string): Interval[] {
  const spans = localSpans(day, day, timeZone);
  const [first] = spans;
  const last = spans.at(-1);
  if (!first || !last) return [];
  return [{ day, hour: undefined, fromMs: first.fromMs, untilMs: last.untilMs }];
}

/** An hour before and after a change of the clock is two, as in the dimension `hour`. */
function hoursOf(day: string, timeZone: string): Interval[] {
  return localSpans(day, day, timeZone).flatMap(({ fromMs, untilMs, offsetMs }) => {
    const hours: Interval[] = [];
    const firstMs = Math.floor((fromMs + offsetMs) / hourMs) * hourMs;
    for (let localMs = firstMs; localMs < untilMs + offsetMs; localMs += hourMs) {
      hours.push({
        day,
        hour: new Date(localMs).toISOString().slice(11, 13),
        fromMs: Math.max(fromMs, localMs - offsetMs),
        untilMs: Math.min(untilMs, localMs - offsetMs + hourMs),
      });
    }
    return hours;
  });
}
