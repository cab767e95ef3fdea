/** Times of day in the zone of the account, as the fields of forms have them. */
import { todayIn } from '../calendar.ts';

/** The instant of a local time (yyyy-mm-ddThh:mm) in a zone; where a clock is put forward, the next one. */
export function instantOf(local: string, timeZone: string): string {
  const wanted = Date.parse(`${local}Z`);
  // The offset there is that of an instant nearby, or of one an offset away.
  const first = wanted - offsetMs(wanted, timeZone);
  const second = wanted - offsetMs(first, timeZone);
  return new Date(second).toISOString();
}

/** The local time of an instant (yyyy-mm-ddThh:mm) in a zone. */
export function localTimeOf(instant: string | number, timeZone: string): string {
  const ms = typeof instant === 'number' ? instant : Date.parse(instant);
  const parts = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).format(ms);
  return `${todayIn(timeZone, new Date(ms))}T${parts}`;
}

function offsetMs(ms: number, timeZone: string): number {
  const minute = Math.floor(ms / 60_000) * 60_000;
  return Date.parse(`${localTimeOf(minute, timeZone)}Z`) - minute;
}
