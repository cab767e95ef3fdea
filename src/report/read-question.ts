import { canonicalTimeZone } from '../lib/time-zone.ts';
import type { ParameterFault } from '../wire/faults.ts';
import { parameterFault } from '../wire/parameters.ts';
import { givenDimensions, type StatisticName } from '../wire/statistics.ts';
import { type FirstRequest, maxRangeYears } from '../wire/statistics-messages.ts';
import type { Question } from './question.ts';

interface Asker {
  readonly accountId: number;
  readonly timeZone: string;
}

/** Checks how the parameters depend on each other; the schema has checked each by itself. */
export function readQuestion(
  statistic: StatisticName,
  request: FirstRequest,
  asker: Asker,
): Question {
  const firstDay = request.sdate ?? request.date ?? '';
  const lastDay = request.edate ?? request.date ?? '';
  const errors = checkRange(firstDay, lastDay);
  const timeZone = canonicalTimeZone(request.timeZone ?? asker.timeZone);
  if (timeZone === undefined) {
    errors.push({ parameter: 'timeZone', detail: 'must be the IANA name of a time zone' });
  }
  if (errors.length > 0 || timeZone === undefined) throw parameterFault(errors);
  return {
    accountId: asker.accountId,
    statistic,
    firstDay,
    lastDay,
    timeZone,
    packageId: request.packageId,
    accessKey: request.accessKey,
    given: Object.fromEntries(givenDimensions(statistic).map((name) => [name, request[name]])),
    sortData: request.sortData,
    sortDirection: request.sortDirection,
    fillZero: request.fill === 'zero',
    pageSize: request.pageSize,
  };
}

/** For two dates that exist, as yyyy-mm-dd. */
export function checkRange(firstDay: string, lastDay: string): ParameterFault[] {
  const errors: ParameterFault[] = [];
  if (firstDay > lastDay) errors.push({ parameter: 'sdate', detail: 'must not be after edate' });
  if (lastDay > yearsLater(firstDay, maxRangeYears)) {
    const detail = `must not be more than ${maxRangeYears} years after sdate`;
    errors.push({ parameter: 'edate', detail });
  }
  return errors;
}

/** 2026-03-01 and 10 give 2036-03-01; as text, so that 29 February needs no care. */
function yearsLater(day: string, years: number): string {
  return String(Number(day.slice(0, 4)) + years).padStart(4, '0') + day.slice(4);
}
