/** v1: its statistics are presets of the questions of the audience, with a form of their own. */
import type { ParsedUrlQuery } from 'node:querystring';
import { isTime } from '../vocabulary/dimensions.ts';
import {
  dimensions,
  isMeasure,
  measureNames,
  measures,
  rowMeasures,
  type StatisticName,
  type StatisticRow,
  statisticNames,
  statistics,
} from '../vocabulary/statistics.ts';
import { type CheckedRequest, checkParameters } from '../wire/parameters.ts';
import type { QueryAnswer, QueryRow } from '../wire/questions/audience-messages.ts';
import {
  type FirstRequest,
  firstRequest,
  type StatisticAnswer,
} from '../wire/questions/statistics-messages.ts';
import { contentFilters, pinFilters } from './parse/filter-parser.ts';
import type { Query, SortBy } from './parse/query.ts';
import { checkRange, readZone } from './parse/range-parser.ts';

/**
 * How many systems or versions an answer lists: those played most. A range may have a million, and
 * everybody shares the process that answers.
 */
const mostListed = 10_000;

interface Asker {
  readonly accountId: number;
  readonly timeZone: string;
  /** To which all is pinned; undefined: nothing. Never from the parameters. */
  readonly packageIds?: readonly number[] | undefined;
}

const schemas = Object.fromEntries(
  statisticNames.map((name) => [name, firstRequest(name)]),
) as Readonly<Record<StatisticName, ReturnType<typeof firstRequest>>>;

/** Reads the parameters as they were sent; throws every error at once. */
export function readStatistic(
  statistic: StatisticName,
  parameters: ParsedUrlQuery,
  asker: Asker,
): Query {
  const checked = checkParameters(schemas[statistic], parameters) as CheckedRequest<FirstRequest>;
  const { some, errors, whole } = checked;
  errors.push(...checkRange(some.sdate, some.edate));
  const timeZone = readZone(some.timeZone ?? asker.timeZone);
  if (!timeZone.ok) errors.push({ parameter: 'timeZone', detail: timeZone.reason });
  const request = whole();
  // The day of hours, the system of versions: the schemas of the others have neither.
  const { date, os } = request;
  const dimension = dimensions[statistics[statistic].ownLabel].source;
  return {
    accountId: asker.accountId,
    firstDay: request.sdate ?? date ?? '',
    lastDay: request.edate ?? date ?? '',
    timeZone: timeZone.ok ? timeZone.value : '',
    measures: measureNames.map((name) => measures[name].sum),
    dimensions: [dimension],
    filters: [
      ...contentFilters(request),
      ...pinFilters(asker.packageIds),
      ...(os === undefined ? [] : [{ dimension: 'os', operator: '==', values: [os] } as const]),
    ],
    labels: new Map(),
    given: { ...(date !== undefined && { date }), ...(os !== undefined && { os }) },
    ...(isTime(dimension) ? {} : { mostListed }),
    sort: [sortBy(request)],
    compare: undefined,
    fillZero: request.fill === 'zero',
    pageSize: request.pageSize,
  };
}

function sortBy({ sortData, sortDirection }: FirstRequest): SortBy {
  const isDescending = sortDirection === 'desc';
  if (!isMeasure(sortData)) return { name: dimensions[sortData].source, isDescending };
  const { sum, perUnit } = measures[sortData];
  return { name: sum, isDescending, perUnit };
}

/** All numbers are text. */
export function presentStatistic(name: StatisticName, { data }: QueryAnswer): StatisticAnswer {
  const { list, requestId, pageSize, nextToken } = data;
  return {
    isSuccess: true,
    message: '',
    data: {
      list: list.map((row) => toRow(name, row)),
      requestId,
      pageSize: String(pageSize),
      nextToken,
    },
  };
}

function toRow(name: StatisticName, row: QueryRow): StatisticRow {
  const counts = rowMeasures.map((measure) => {
    const { sum, perUnit } = measures[measure];
    return [measure, String(Math.floor(Number(row[sum]) / perUnit))];
  });
  const labels = statistics[name].labels.map((label) => [label, row[dimensions[label].source]]);
  return Object.fromEntries([...counts, ...labels]);
}
