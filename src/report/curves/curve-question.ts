import { canonicalTimeZone } from '../../lib/time-zone.ts';
import { dayMs } from '../../lib/utc-day.ts';
import {
  type ConcurrencyRequest,
  type IntervalName,
  type LiveRequest,
  maxDaysOfMinutes,
  type RetentionRequest,
} from '../../wire/curves.ts';
import type { ParameterFault } from '../../wire/faults.ts';
import { parameterFault } from '../../wire/parameters.ts';
import type { DeclaredLabels } from '../filters/read-dimension.ts';
import { type Filter, readFilters } from '../filters/read-filters.ts';
import { checkRange } from '../read-question.ts';

/** Which playback a curve is made of. */
export interface CurveQuestion {
  readonly accountId: number;
  /** First and last day, yyyy-mm-dd in `timeZone`, both included. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly timeZone: string;
  readonly packageId: number | undefined;
  readonly accessKey: string | undefined;
  readonly filters: readonly Filter[];
  readonly labels: DeclaredLabels;
}

export interface RetentionQuestion extends CurveQuestion {
  readonly accessKey: string;
  readonly parts: number;
}

export interface ConcurrencyQuestion extends CurveQuestion {
  readonly interval: IntervalName;
}

export interface LiveQuestion {
  readonly accountId: number;
  readonly timeZone: string;
}

export interface Asker {
  readonly accountId: number;
  readonly timeZone: string;
  readonly labels: DeclaredLabels;
}

export function readRetention(request: RetentionRequest, asker: Asker): RetentionQuestion {
  const { accessKey, parts } = request;
  return { ...readCurve(request, asker), accessKey, parts };
}

export function readConcurrency(request: ConcurrencyRequest, asker: Asker): ConcurrencyQuestion {
  const { interval, sdate, edate } = request;
  const days = (Date.parse(edate) - Date.parse(sdate)) / dayMs + 1;
  const errors: ParameterFault[] = [];
  if (interval === 'minute' && days > maxDaysOfMinutes) {
    const detail = `must be at most ${maxDaysOfMinutes} days with sdate for minutes`;
    errors.push({ parameter: 'edate', detail });
  }
  return { ...readCurve(request, asker, errors), interval };
}

export function readLive({ timeZone }: LiveRequest, asker: Asker): LiveQuestion {
  const errors: ParameterFault[] = [];
  const zone = readZone(timeZone ?? asker.timeZone, errors);
  if (errors.length > 0) throw parameterFault(errors);
  return { accountId: asker.accountId, timeZone: zone };
}

/** Checks how the parameters depend on each other; the schema has checked each by itself. */
function readCurve(
  request: RetentionRequest | ConcurrencyRequest,
  { accountId, timeZone, labels }: Asker,
  others: readonly ParameterFault[] = [],
): CurveQuestion {
  const { sdate: firstDay, edate: lastDay, packageId, accessKey } = request;
  const errors = [...checkRange(firstDay, lastDay), ...others];
  const zone = readZone(request.timeZone ?? timeZone, errors);
  const read = readFilters(request.filters ?? '', labels);
  const filters = request.filters !== undefined && read.ok ? read.value : [];
  if (request.filters !== undefined && !read.ok) {
    errors.push({ parameter: 'filters', detail: read.reason });
  }
  if (errors.length > 0) throw parameterFault(errors);
  return { accountId, firstDay, lastDay, timeZone: zone, packageId, accessKey, filters, labels };
}

function readZone(name: string, errors: ParameterFault[]): string {
  const zone = canonicalTimeZone(name);
  if (zone !== undefined) return zone;
  errors.push({ parameter: 'timeZone', detail: 'must be the IANA name of a time zone' });
  return name;
}
