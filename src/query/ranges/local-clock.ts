/** The local time of a slot, in SQL. */
import type { ClockOffset } from '../../lib/time/time-zone.ts';

/**
 * The local time at the start of a slot. TRICKY: not toDate(slot, zone): the store's time zone
 * rules are from another year than those used for the range, and a play could be lost between the
 * two (Africa/Casablanca and Europe/Chisinau did).
 */
export function localTime(clock: readonly ClockOffset[]): string {
  return `slot + ${clockOffset(clock)}`;
}

/** Seconds from UTC. */
export function clockOffset(clock: readonly ClockOffset[]): string {
  const first = '{clockOffset0:Int32}';
  if (clock.length === 1) return first;
  const since = clock.map((_, at) => `slot >= {clockSince${at}:UInt32}, {clockOffset${at}:Int32}`);
  // The latest offset that applies is used.
  return `multiIf(${since.slice(1).toReversed().join(', ')}, ${first})`;
}

export function clockParameters(clock: readonly ClockOffset[]): Readonly<Record<string, number>> {
  const named = clock.flatMap(({ sinceMs, offsetMs }, index) => [
    [`clockSince${index}`, sinceMs / 1_000],
    [`clockOffset${index}`, offsetMs / 1_000],
  ]);
  return Object.fromEntries(named);
}
