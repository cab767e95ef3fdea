/** The minutes, hours or days of a range by the clock of a zone, in order. */

import { nextTurn } from '../../lib/tasks/event-loop-turn.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import { slotMs } from '../../store/facts.ts';
import type { IntervalName } from '../../wire/questions/curves.ts';
import { offsetText } from '../ranges/hour-of-day.ts';
import type { LocalSpan } from '../ranges/local-days.ts';

/** Made before others have their turn: ten years have 87,000 hours. */
const intervalsOfPortion = 5_000;

export const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long an interval is by the clock. An hour in which the clock is set back has two rows. */
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
 * was set has 23 or 25 hours, and an hour may have two or three slots.
 */
export async function localIntervals(
  name: IntervalName,
  spans: readonly LocalSpan[],
): Promise<readonly LocalInterval[]> {
  const everyMs = lengthsMs[name];
  const found = new Map<string, LocalInterval>();
  let made = 0;
  for (const { fromMs, untilMs, offsetMs } of spans) {
    const [localFromMs, localUntilMs] = [fromMs + offsetMs, untilMs + offsetMs];
    const firstMs = Math.floor(localFromMs / everyMs) * everyMs;
    for (let startMs = firstMs; startMs < localUntilMs; startMs += everyMs) {
      const endMs = Math.min(startMs + everyMs, localUntilMs);
      const ownMs = endMs - Math.max(startMs, localFromMs);
      const key = keyOf(name, startMs, offsetMs);
      const before = found.get(key);
      const time = before?.time ?? timeOf(name, startMs, offsetMs);
      made += 1;
      if (made % intervalsOfPortion === 0) await nextTurn();
      found.set(key, { key, time, lengthMs: ownMs + (before?.lengthMs ?? 0) });
    }
  }
  return [...found.values()];
}

/** Days in two pieces are one; an hour before and after a change of the clock are two. */
function keyOf(name: IntervalName, localMs: number, offsetMs: number): string {
  return name === 'day' ? `${localMs / 1_000}` : `${localMs / 1_000} ${offsetMs / 1_000}`;
}

function timeOf(name: IntervalName, localMs: number, offsetMs: number): string {
  const text = new Date(localMs).toISOString();
  return name === 'day' ? text.slice(0, 10) : text.slice(0, 19) + offsetText(offsetMs);
}

/** SQL of the key of the interval in which something lies, from its local time (seconds). */
export function intervalKey(name: IntervalName, localSeconds: string, offset: string): string {
  const seconds = lengthsMs[name] / 1_000;
  const start = `toString(intDiv(${localSeconds}, ${seconds}) * ${seconds})`;
  return name === 'day' ? start : `concat(${start}, ' ', toString(${offset}))`;
}

/** An instant within the spans, RFC 3339 with the offset of its slot. */
export function localInstant(instantMs: number, spans: readonly LocalSpan[]): string {
  const slot = Math.floor(instantMs / slotMs) * slotMs;
  const span = spans.find(({ fromMs, untilMs }) => slot >= fromMs && slot < untilMs);
  const offsetMs = span?.offsetMs ?? 0;
  return new Date(instantMs + offsetMs).toISOString().slice(0, 23) + offsetText(offsetMs);
}
