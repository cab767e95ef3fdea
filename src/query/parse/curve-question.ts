import type { ParsedUrlQuery } from 'node:querystring';
import { accept } from '../../lib/result.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import { isLongerThan } from '../../lib/values/text-length.ts';
import type { ParameterFault } from '../../vocabulary/faults.ts';
import { maxSubCharacters } from '../../vocabulary/view-token.ts';
import { type CheckedRequest, checkParameters } from '../../wire/parameters.ts';
import type { CompareKind } from '../../wire/questions/audience-messages.ts';
import {
  ConcurrencyRequest,
  type IntervalName,
  LiveRequest,
  maxDaysOfMinutes,
  RetentionRequest,
} from '../../wire/questions/curves.ts';
import {
  type DistributionMeasure,
  DistributionRequest,
} from '../../wire/questions/distribution.ts';
import { mostAskedNames, type ViewersOrder, ViewersRequest } from '../../wire/questions/viewers.ts';
import type { DeclaredLabels } from './dimension-parser.ts';
import { checkPlaybackFilters, type Filter, pinFilters, readFilters } from './filter-parser.ts';
import { checkRange, readZone } from './range-parser.ts';

/** Which playback a curve is made from. */
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
  /** Those of `Asker`, which stand in the filters as well. */
  readonly packageIds?: readonly number[] | undefined;
}

export interface RetentionQuestion extends CurveQuestion {
  readonly accessKey: string;
  readonly parts: number;
  /** In place of the video's own. */
  readonly lengthMs?: number | undefined;
}

export interface DistributionQuestion extends CurveQuestion {
  readonly measure: DistributionMeasure;
  readonly compare: CompareKind | undefined;
}

export interface ConcurrencyQuestion extends CurveQuestion {
  readonly interval: IntervalName;
}

export interface ViewersQuestion extends CurveQuestion {
  /** Undefined: all. */
  readonly names: readonly string[] | undefined;
  readonly order: ViewersOrder;
  readonly isDescending: boolean;
  readonly pageSize: number;
}

export interface LiveQuestion {
  readonly accountId: number;
  readonly timeZone: string;
  readonly packageIds?: readonly number[] | undefined;
}

export interface Asker {
  readonly accountId: number;
  readonly timeZone: string;
  readonly labels: DeclaredLabels;
  /** To which all is pinned; undefined: nothing. Never from the parameters. */
  readonly packageIds?: readonly number[] | undefined;
}

/** Reads the parameters as they were sent; throws every error at once. Likewise the others. */
export function readRetention(parameters: ParsedUrlQuery, asker: Asker): RetentionQuestion {
  const checked = checkParameters(RetentionRequest, parameters);
  const { sdate, edate } = checked.some;
  const curve = readCurve(checked, checkRange(sdate, edate), asker);
  const { accessKey, parts, lengthMs } = checked.whole();
  return { ...curve, accessKey, parts, lengthMs };
}

export function readDistribution(parameters: ParsedUrlQuery, asker: Asker): DistributionQuestion {
  const checked = checkParameters(DistributionRequest, parameters);
  const { sdate, edate } = checked.some;
  const curve = readCurve(checked, checkRange(sdate, edate), asker);
  const { measure, compare } = checked.whole();
  return { ...curve, measure, compare };
}

export function readViewers(parameters: ParsedUrlQuery, asker: Asker): ViewersQuestion {
  const checked = checkParameters(ViewersRequest, parameters);
  const { sdate, edate, names: text, accessKey, packageId } = checked.some;
  const names = text?.split(/\r?\n/).filter((name) => name !== '');
  if (names && names.length > mostAskedNames) {
    checked.errors.push({ parameter: 'names', detail: `must be at most ${mostAskedNames} names` });
  }
  if (names?.some((name) => isLongerThan(name, maxSubCharacters))) {
    const detail = `must be names of at most ${maxSubCharacters} characters, one on a line`;
    checked.errors.push({ parameter: 'names', detail });
  }
  const isAboutOne = accessKey !== undefined || packageId !== undefined;
  const isNamed = checked.errors.some(({ parameter }) => /^(accessKey|packageId)$/.test(parameter));
  if (!isAboutOne && !isNamed) {
    checked.errors.push({ parameter: 'accessKey', detail: 'or `packageId` must be given' });
  }
  const curve = readCurve(checked, checkRange(sdate, edate), asker);
  const { sort, pageSize } = checked.whole();
  const isDescending = sort.startsWith('-');
  const order = (isDescending ? sort.slice(1) : sort) as ViewersOrder;
  return { ...curve, names, order, isDescending, pageSize };
}

export function readConcurrency(parameters: ParsedUrlQuery, asker: Asker): ConcurrencyQuestion {
  const checked = checkParameters(ConcurrencyRequest, parameters);
  const { interval, sdate, edate } = checked.some;
  const ofRange = interval === 'minute' ? checkDaysOfMinutes(sdate, edate) : [];
  const curve = readCurve(checked, ofRange.length > 0 ? ofRange : checkRange(sdate, edate), asker);
  return { ...curve, interval: checked.whole().interval };
}

export function readLive(
  parameters: ParsedUrlQuery,
  asker: Asker,
): LiveQuestion & Pick<LiveRequest, 'list'> {
  const { some, errors, whole } = checkParameters(LiveRequest, parameters);
  const zone = readZone(some.timeZone ?? asker.timeZone);
  if (!zone.ok) errors.push({ parameter: 'timeZone', detail: zone.reason });
  const { list } = whole();
  const { accountId, packageIds } = asker;
  return { accountId, packageIds, timeZone: zone.ok ? zone.value : '', list };
}

/** Adds its errors to those of the request, and then throws them. */
function readCurve(
  {
    some,
    errors,
    whole,
  }: CheckedRequest<RetentionRequest | ConcurrencyRequest | DistributionRequest | ViewersRequest>,
  errorsOfRange: readonly ParameterFault[],
  { accountId, timeZone, labels, packageIds }: Asker,
): CurveQuestion {
  errors.push(...errorsOfRange);
  const zone = readZone(some.timeZone ?? timeZone);
  if (!zone.ok) errors.push({ parameter: 'timeZone', detail: zone.reason });
  const ofZone = zone.ok ? zone.value : undefined;
  const read = some.filters === undefined ? accept([]) : readFilters(some.filters, labels, ofZone);
  if (!read.ok) errors.push({ parameter: 'filters', detail: read.reason });
  if (read.ok) errors.push(...checkPlaybackFilters(read.value));
  const { sdate: firstDay, edate: lastDay, packageId, accessKey } = whole();
  return {
    ...{ accountId, firstDay, lastDay, packageId, accessKey, labels, packageIds },
    timeZone: zone.ok ? zone.value : '',
    filters: [...(read.ok ? read.value : []), ...pinFilters(packageIds)],
  };
}

function checkDaysOfMinutes(sdate: string | undefined, edate: string | undefined) {
  if (sdate === undefined || edate === undefined) return [];
  const days = (Date.parse(edate) - Date.parse(sdate)) / dayMs + 1;
  if (days <= maxDaysOfMinutes) return [];
  const detail = `must be at most ${maxDaysOfMinutes} days with sdate for minutes`;
  return [{ parameter: 'edate', detail }];
}
