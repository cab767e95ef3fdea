/** The local time of a slot, in SQL. */
import type { ClockOffset } from '../../lib/time/time-zone.ts';
import { brokenHours } from './local-hours.ts';

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

/** The start of a slot's hour: its local time, and the offset then (both in seconds). */
export function hourStart(clock: readonly ClockOffset[]) {
  const broken = brokenHours(clock).map(
    (_, at) => `slot >= {hourSince${at}:UInt32} AND slot < {hourUntil${at}:UInt32}`,
  );
  const either = (name: string, type: string, usual: string) => {
    const values = broken.map((isWithin, at) => `${isWithin}, {${name}${at}:${type}}`);
    return values.length === 0 ? usual : `multiIf(${[...values, usual].join(', ')})`;
  };
  return {
    // West of Greenwich the store's first hour began in 1969.
    local: either('hourLocal', 'Int64', `toUInt32(toStartOfHour(${localTime(clock)}))`),
    offset: either('hourOffset', 'Int32', clockOffset(clock)),
  };
}

export function clockParameters(clock: readonly ClockOffset[]): Readonly<Record<string, number>> {
  const named = clock.flatMap(({ sinceMs, offsetMs }, index) => [
    [`clockSince${index}`, sinceMs / 1_000],
    [`clockOffset${index}`, offsetMs / 1_000],
  ]);
  const hours = brokenHours(clock).flatMap(({ fromMs, untilMs, start }, index) => [
    [`hourSince${index}`, fromMs / 1_000],
    [`hourUntil${index}`, untilMs / 1_000],
    [`hourLocal${index}`, start.localMs / 1_000],
    [`hourOffset${index}`, start.offsetMs / 1_000],
  ]);
  return Object.fromEntries([...named, ...hours]);
}
