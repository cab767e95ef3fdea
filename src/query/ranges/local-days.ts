/**
 * Which slots make up a zone's days. A slot belongs as a whole to the day and hour that the zone's
 * clock shows at its start. So each slot is in one day and one hour, the hours of a day are
 * its slots, and a day may be in two pieces: see docs/decisions/rules-of-time-zones.md.
 */

import { type ClockOffset, clockOffsets } from '../../lib/time/time-zone.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import { slotMs } from '../../store/facts.ts';
import type { Span } from './range-cover.ts';

/** Facts are stored by seconds of 32 bits: from 1970 to 2106. */
const latestSlotMs = ceilSlot((2 ** 32 - 1) * 1_000) - slotMs;

/** A run of slots with the same offset from UTC. */
export interface LocalSpan extends Span {
  readonly offsetMs: number;
}

/** The slots of a range of days (yyyy-mm-dd) that may have facts. */
export function localSpans(firstDay: string, lastDay: string, timeZone: string): LocalSpan[] {
  return clipToStored(calendarSpans(firstDay, lastDay, timeZone));
}

/** All slots of a range of days (both included), ascending; none of any other day. */
export function calendarSpans(firstDay: string, lastDay: string, timeZone: string): LocalSpan[] {
  // No zone is a day or more from UTC.
  const fromMs = Date.parse(firstDay) - dayMs;
  const untilMs = Date.parse(lastDay) + 2 * dayMs;
  return spansAt(firstDay, lastDay, clockOffsets(timeZone, fromMs, untilMs), untilMs);
}

/** The offsets of the zone's clock over some spans. */
export function findClock(spans: readonly LocalSpan[]): ClockOffset[] {
  return spans.map(({ fromMs, offsetMs }) => ({ sinceMs: fromMs, offsetMs }));
}

/** What of them may have facts. */
export function clipToStored(spans: readonly LocalSpan[]): LocalSpan[] {
  return spans.flatMap(({ offsetMs, ...span }) => {
    const fromMs = Math.max(span.fromMs, 0);
    const untilMs = Math.min(span.untilMs, latestSlotMs);
    return fromMs < untilMs ? [{ fromMs, untilMs, offsetMs }] : [];
  });
}

/** For a zone with these offsets, up to an instant. */
export function spansAt(
  firstDay: string,
  lastDay: string,
  offsets: readonly ClockOffset[],
  endMs: number,
): LocalSpan[] {
  const localFromMs = Date.parse(firstDay);
  const localUntilMs = Date.parse(lastDay) + dayMs;
  return offsets.flatMap(({ sinceMs, offsetMs }, index) => {
    const fromMs = ceilSlot(Math.max(sinceMs, localFromMs - offsetMs));
    const changeMs = offsets[index + 1]?.sinceMs ?? endMs;
    const untilMs = ceilSlot(Math.min(changeMs, localUntilMs - offsetMs));
    return fromMs < untilMs ? [{ fromMs, untilMs, offsetMs }] : [];
  });
}

function ceilSlot(instantMs: number): number {
  return Math.ceil(instantMs / slotMs) * slotMs;
}

/** The same slots in as few pieces as possible. */
export function joined(spans: readonly Span[]): Span[] {
  const pieces: Span[] = [];
  for (const { fromMs, untilMs } of spans) {
    const last = pieces.at(-1);
    if (last?.untilMs === fromMs) pieces[pieces.length - 1] = { fromMs: last.fromMs, untilMs };
    else pieces.push({ fromMs, untilMs });
  }
  return pieces;
}
