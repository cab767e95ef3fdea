/** Which hour or day of a zone was over last. */
import { localDate } from '../../lib/time/time-zone.ts';
import { dayMs, utcDayOf } from '../../lib/time/utc-day.ts';
import { clockOf, localSpans } from '../../query/ranges/local-days.ts';
import { hourLabel, hourStarts } from '../../query/ranges/local-hours.ts';
import { slotMs } from '../../store/facts.ts';
import type { AlertInterval } from '../../wire/management/alerts.ts';

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

/** As in the dimension `hour`, whose row of that time begins with it. */
function hoursOf(day: string, timeZone: string): Interval[] {
  const spans = localSpans(day, day, timeZone);
  const startOf = hourStarts(clockOf(spans));
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
