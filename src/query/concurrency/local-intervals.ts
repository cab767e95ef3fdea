/** The minutes, hours or days of a range by the clock of a zone, in order. */

import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import type { ClockOffset } from '../../lib/time/time-zone.ts';
import { dayMs, toUtcDay } from '../../lib/time/utc-day.ts';
import { slotMs } from '../../store/facts.ts';
import type { IntervalName } from '../../wire/questions/curves.ts';
import { clockOffset, hourStart, localTime } from '../ranges/local-clock.ts';
import { findClock, type LocalSpan } from '../ranges/local-days.ts';
import { type HourStart, hourLabel, hourStarts, offsetText } from '../ranges/local-hours.ts';

/** Made before others have their turn: ten years have 87,000 hours. */
const intervalsOfPortion = 5_000;

export const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long an interval is by the clock. */
const lengthsMs: Readonly<Record<IntervalName, number>> = {
  minute: minuteMs,
  hour: hourMs,
  day: dayMs,
};

export interface LocalInterval {
  /** Identifies it, as `intervalKey` does in SQL. */
  readonly key: string;
  /** Its name: yyyy-mm-dd, or its start, RFC 3339 with offset. */
  readonly time: string;
  /** What of it is in the range: as long as it lasts, also where the clock is set. */
  readonly lengthMs: number;
}

/**
 * A slot is as a whole in the day and hour that the clock shows at its start, so a day whose clock
 * was set has 23 or 25 hours, and an hour may have two or six slots.
 */
export async function localIntervals(
  name: IntervalName,
  spans: readonly LocalSpan[],
): Promise<readonly LocalInterval[]> {
  const everyMs = lengthsMs[name];
  const hourOf = hourStarts(findClock(spans));
  const found = new Map<string, LocalInterval>();
  let made = 0;
  for (const { fromMs, untilMs, offsetMs } of spans) {
    const [localFromMs, localUntilMs] = [fromMs + offsetMs, untilMs + offsetMs];
    const firstMs = Math.floor(localFromMs / everyMs) * everyMs;
    for (let startMs = firstMs; startMs < localUntilMs; startMs += everyMs) {
      const endMs = Math.min(startMs + everyMs, localUntilMs);
      const ownMs = endMs - Math.max(startMs, localFromMs);
      const shown = { localMs: startMs, offsetMs };
      const start =
        name === 'hour' ? hourOf(Math.max(startMs - offsetMs, fromMs), offsetMs) : shown;
      const key = createKey(name, start);
      const before = found.get(key);
      const time = before?.time ?? formatTime(name, start);
      made += 1;
      if (made % intervalsOfPortion === 0) await nextTurn();
      found.set(key, { key, time, lengthMs: ownMs + (before?.lengthMs ?? 0) });
    }
  }
  return [...found.values()];
}

/** Days in two pieces are one; an hour that comes twice is two. */
function createKey(name: IntervalName, { localMs, offsetMs }: HourStart): string {
  return name === 'day' ? `${localMs / 1_000}` : `${localMs / 1_000} ${offsetMs / 1_000}`;
}

function formatTime(name: IntervalName, start: HourStart): string {
  return name === 'day' ? toUtcDay(start.localMs) : hourLabel(start);
}

/** SQL of the key of the interval of a slot, or of a minute in it (`unit`, since 1970). */
export function intervalKey(name: IntervalName, clock: readonly ClockOffset[]): string {
  if (name === 'day') return `toString(toUnixTimestamp(toStartOfDay(${localTime(clock)})))`;
  const offset = clockOffset(clock);
  const minute = `intDiv(unit * ${minuteMs}, 1000) + ${offset}`;
  const { local, offset: since } =
    name === 'hour' ? hourStart(clock) : { local: `intDiv(${minute}, 60) * 60`, offset };
  return `concat(toString(${local}), ' ', toString(${since}))`;
}

/** An instant within the spans, RFC 3339 with the offset of its slot. */
export function localInstant(instantMs: number, spans: readonly LocalSpan[]): string {
  const slot = Math.floor(instantMs / slotMs) * slotMs;
  const span = spans.find(({ fromMs, untilMs }) => slot >= fromMs && slot < untilMs);
  const offsetMs = span?.offsetMs ?? 0;
  return new Date(instantMs + offsetMs).toISOString().slice(0, 23) + offsetText(offsetMs);
}
