import { parseInstant } from '../../lib/time/instant.ts';
import { WrongUsage } from './arguments.ts';

/**
 * When something expires. A date includes the whole day (UTC): with 2026-12-31 it works all through
 * New Year's Eve.
 */
export function readLastDay(text: string): Date {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const instantMs = parseInstant(isDay ? `${text}T23:59:59.999Z` : text);
  if (instantMs === undefined) {
    throw new WrongUsage('--expires must be a day such as 2026-12-31, or an RFC 3339 instant');
  }
  return new Date(instantMs);
}
