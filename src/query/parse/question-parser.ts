import type { ParsedUrlQuery } from 'node:querystring';
import { accept, type Result, refuse } from '../../lib/result.ts';
import { canonicalTimeZone } from '../../lib/time/time-zone.ts';
import type { ParameterFault } from '../../vocabulary/faults.ts';
import {
  givenDimensions,
  type StatisticName,
  statisticNames,
} from '../../vocabulary/statistics.ts';
import { type CheckedRequest, checkParameters } from '../../wire/parameters.ts';
import {
  type FirstRequest,
  firstRequest,
  maxRangeYears,
} from '../../wire/questions/statistics-messages.ts';
import type { Question } from './question.ts';

interface Asker {
  readonly accountId: number;
  readonly timeZone: string;
}

const schemas = Object.fromEntries(
  statisticNames.map((name) => [name, firstRequest(name)]),
) as Readonly<Record<StatisticName, ReturnType<typeof firstRequest>>>;

/** Reads the parameters as they were sent; throws every error at once. */
export function readQuestion(
  statistic: StatisticName,
  parameters: ParsedUrlQuery,
  asker: Asker,
): Question {
  const checked = checkParameters(schemas[statistic], parameters) as CheckedRequest<FirstRequest>;
  const { some, errors, whole } = checked;
  errors.push(...checkRange(some.sdate, some.edate));
  const timeZone = readZone(some.timeZone ?? asker.timeZone);
  if (!timeZone.ok) errors.push({ parameter: 'timeZone', detail: timeZone.reason });
  const request = whole();
  return {
    accountId: asker.accountId,
    statistic,
    firstDay: request.sdate ?? request.date ?? '',
    lastDay: request.edate ?? request.date ?? '',
    timeZone: timeZone.ok ? timeZone.value : '',
    packageId: request.packageId,
    accessKey: request.accessKey,
    given: Object.fromEntries(givenDimensions(statistic).map((name) => [name, request[name]])),
    sortData: request.sortData,
    sortDirection: request.sortDirection,
    fillZero: request.fill === 'zero',
    pageSize: request.pageSize,
  };
}

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
