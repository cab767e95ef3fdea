/**
 * The hours of a zone's clock, as rows of an answer. An hour begins where the clock shows it in
 * full, so one that comes twice is two; see docs/decisions/rules-of-time-zones.md.
 */
import type { ClockOffset } from '../../lib/time/time-zone.ts';
import { slotMs } from '../../store/facts.ts';

const hourMs = 3_600_000;

/** By the zone's clock (ms, as if of UTC), and the offset then. */
export interface HourStart {
  readonly localMs: number;
  readonly offsetMs: number;
}

/** The slots of a change of the clock, up to the next full hour. */
interface BrokenHour {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly start: HourStart;
}

/**
 * Where the clock is set by less than an hour, as in Australia/Lord_Howe, or a minute after
 * midnight: what is shown again belongs to the hour in which it was shown before, and an hour
 * of which only the end is shown begins there. So the label of each hour is an instant within it.
 */
export function brokenHours(clock: readonly ClockOffset[]): BrokenHour[] {
  const found: BrokenHour[] = [];
  for (const [index, { sinceMs, offsetMs }] of clock.entries()) {
    const localMs = sinceMs + offsetMs;
    const hour = startOfHour(localMs);
    // The offsets of old zones have seconds.
    if (localMs - hour < slotMs) continue;
    const before = clock.slice(0, index).findLast((one, at) => {
      const nextMs = clock[at + 1]?.sinceMs ?? sinceMs;
      return one.sinceMs + one.offsetMs < hour + hourMs && nextMs + one.offsetMs > hour;
    });
    const start = before
      ? { localMs: Math.max(hour, before.sinceMs + before.offsetMs), offsetMs: before.offsetMs }
      : { localMs, offsetMs };
    found.push({ fromMs: sinceMs, untilMs: hour + hourMs - offsetMs, start });
  }
  return found;
}

/** Finds the start of the hour of a slot, at which the clock has an offset. */
export function hourStarts(
  clock: readonly ClockOffset[],
): (slotMs: number, offsetMs: number) => HourStart {
  const broken = brokenHours(clock);
  return (slot, offsetMs) =>
    broken.find(({ fromMs, untilMs }) => slot >= fromMs && slot < untilMs)?.start ?? {
      localMs: startOfHour(slot + offsetMs),
      offsetMs,
    };
}

function startOfHour(localMs: number): number {
  return Math.floor(localMs / hourMs) * hourMs;
}

/** Of an hour, RFC 3339. */
export function hourLabel({ localMs, offsetMs }: HourStart): string {
  return new Date(localMs).toISOString().slice(0, 19) + offsetText(offsetMs);
}

/** As RFC 3339 writes it; seconds of old zones are left out. */
export function offsetText(offsetMs: number): string {
  const sign = offsetMs < 0 ? '-' : '+';
  const minutes = Math.floor(Math.abs(offsetMs) / 60_000);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
