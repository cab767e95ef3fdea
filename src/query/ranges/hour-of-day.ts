import { parseInstant } from '../../lib/time/instant.ts';
import { clockOffsets } from '../../lib/time/time-zone.ts';
import { dayMs } from '../../lib/time/utc-day.ts';

const hourMs = 3_600_000;

/**
 * The label, in a zone, of the hour that begins at a time (RFC 3339 with any offset); undefined if
 * none does. TRICKY: with an offset that the zone has about then, it is the label itself: where
 * the clock changes by half an hour, an hour may have begun before its label says so.
 */
export function hourIn(timeZone: string, text: string): string | undefined {
  const instantMs = parseInstant(text);
  if (instantMs === undefined) return undefined;
  const around = clockOffsets(timeZone, instantMs - dayMs, instantMs + dayMs);
  const own = around.findLast(({ sinceMs }) => sinceMs <= instantMs)?.offsetMs ?? 0;
  const written = offsetOf(text);
  const isOwn = around.some((one) => offsetText(one.offsetMs) === offsetText(written));
  const offsetMs = isOwn ? written : own;
  const localMs = instantMs + offsetMs;
  return localMs % hourMs === 0 ? hourLabel(localMs, offsetMs) : undefined;
}

/** For an hour that begins at a local time (ms, as if of UTC). */
function hourLabel(localMs: number, offsetMs: number): string {
  return new Date(localMs).toISOString().slice(0, 19) + offsetText(offsetMs);
}

/** As RFC 3339 writes it; seconds of old zones are left out. */
export function offsetText(offsetMs: number): string {
  const sign = offsetMs < 0 ? '-' : '+';
  const minutes = Math.floor(Math.abs(offsetMs) / 60_000);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** Of an RFC 3339 text; Z is none. */
function offsetOf(text: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  const offsetMs = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === '-' ? -offsetMs : offsetMs;
}
