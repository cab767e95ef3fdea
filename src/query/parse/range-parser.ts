import { accept, type Result, refuse } from '../../lib/result.ts';
import { canonicalTimeZone } from '../../lib/time/time-zone.ts';
import type { ParameterFault } from '../../vocabulary/faults.ts';
import { maxRangeYears } from '../../wire/questions/statistics-messages.ts';

/** For dates that exist, as yyyy-mm-dd; without both there is no range that could be wrong. */
export function checkRange(
  firstDay: string | undefined,
  lastDay: string | undefined,
): ParameterFault[] {
  if (firstDay === undefined || lastDay === undefined) return [];
  const errors: ParameterFault[] = [];
  if (firstDay > lastDay) errors.push({ parameter: 'sdate', detail: 'must not be after edate' });
  if (lastDay > yearsLater(firstDay, maxRangeYears)) {
    const detail = `must not be more than ${maxRangeYears} years after sdate`;
    errors.push({ parameter: 'edate', detail });
  }
  return errors;
}

/** As the time zone database writes it. */
export function readZone(name: string): Result<string, string> {
  const timeZone = canonicalTimeZone(name);
  return timeZone === undefined ? refuse('must be the IANA name of a time zone') : accept(timeZone);
}

/**
 * 2026-03-01 and 10 give 2036-03-01; as text, so that 29 February needs no care. Years have four
 * digits: a later year gives the last day that can be written.
 */
function yearsLater(day: string, years: number): string {
  const year = Number(day.slice(0, 4)) + years;
  return year > 9_999 ? '9999-12-31' : String(year).padStart(4, '0') + day.slice(4);
}
