import type { ParsedUrlQuery } from 'node:querystring';
import { accept, type Result, refuse } from '../../lib/result.ts';
import {
  type AudienceDimensionName,
  audienceDimension,
  isTime,
} from '../../vocabulary/dimensions.ts';
import {
  type AudienceMeasureName,
  audienceMeasure,
  audienceMeasureNames,
} from '../../vocabulary/measures.ts';
import { checkParameters } from '../../wire/parameters.ts';
import {
  mostDimensions,
  mostMeasures,
  QueryRequest,
} from '../../wire/questions/audience-messages.ts';
import { type DeclaredLabels, readDimension } from './dimension-parser.ts';
import { contentFilters, pinFilters, readFilters } from './filter-parser.ts';
import type { Query, SortBy } from './query.ts';
import { checkRange, readZone } from './range-parser.ts';

interface Asker {
  readonly accountId: number;
  readonly timeZone: string;
  readonly labels: DeclaredLabels;
  /** To which all is pinned; undefined: nothing. Never from the parameters. */
  readonly packageIds?: readonly number[] | undefined;
}

/** Reads the parameters as they were sent; throws every error at once. */
export function readQuery(parameters: ParsedUrlQuery, asker: Asker): Query {
  const { accountId, labels } = asker;
  const { some, errors, whole } = checkParameters(QueryRequest, parameters);
  const areListed = errors.every(({ parameter }) => !/^(measures|dimensions)$/.test(parameter));
  errors.push(...checkRange(some.sdate, some.edate));
  const take = <Value>(parameter: string, read: Result<Value, string>, otherwise: Value): Value => {
    if (read.ok) return read.value;
    errors.push({ parameter, detail: read.reason });
    return otherwise;
  };
  const readList = <Value>(
    parameter: 'measures' | 'dimensions' | 'filters' | 'sort',
    read: (text: string) => Result<Value[], string>,
  ): Value[] => {
    const text = some[parameter];
    return text === undefined ? [] : take(parameter, read(text), []);
  };
  const measures = readList('measures', readMeasures);
  const dimensions = readList('dimensions', (text) => readDimensions(text, labels));
  const withoutErrors = measures.filter((name) => !audienceMeasure(name).byError);
  if (dimensions.includes('error') && withoutErrors.length > 0) {
    errors.push({ parameter: 'dimensions', detail: errorsAlone(withoutErrors) });
  }
  const zone = readZone(some.timeZone ?? asker.timeZone);
  const ofZone = zone.ok ? zone.value : undefined;
  const filters = readList('filters', (text) => readFilters(text, labels, ofZone));
  if (filters.some(({ dimension }) => dimension === 'error') && withoutErrors.length > 0) {
    errors.push({ parameter: 'filters', detail: errorsAlone(withoutErrors) });
  }
  // As they are written: one that is refused there is not refused here once more.
  const sortable = [some.measures ?? [], some.dimensions ?? []].flat().flatMap(namesIn);
  const sort = areListed ? readList('sort', (text) => readSort(text, sortable)) : [];
  const timeZone = take('timeZone', zone, '');
  const request = whole();
  return {
    accountId,
    firstDay: request.sdate,
    lastDay: request.edate,
    timeZone,
    measures,
    dimensions,
    filters: [...filters, ...contentFilters(request), ...pinFilters(asker.packageIds)],
    labels,
    sort,
    compare: request.compare,
    fillZero: request.fill === 'zero',
    pageSize: request.pageSize,
  };
}

function readMeasures(text: string): Result<AudienceMeasureName[], string> {
  const names = namesIn(text);
  const unknown = names.find((name) => !(audienceMeasureNames as string[]).includes(name));
  if (unknown !== undefined) {
    return refuse(`has no measure "${unknown}"; there are ${audienceMeasureNames.join(', ')}`);
  }
  if (names.length > mostMeasures) return refuse(`may name ${mostMeasures} at most`);
  const twice = repeated(names);
  return twice === undefined
    ? accept(names as AudienceMeasureName[])
    : refuse(`names ${twice} twice`);
}

function readDimensions(
  text: string,
  labels: DeclaredLabels,
): Result<AudienceDimensionName[], string> {
  const read = namesIn(text).map((name) => readDimension(name, labels));
  const refused = read.find((one) => !one.ok);
  if (refused && !refused.ok) return refused;
  const names = read.flatMap((one) => (one.ok ? [one.value] : []));
  if (names.length > mostDimensions) return refuse(`may name ${mostDimensions} at most`);
  const twice = repeated(names);
  if (twice !== undefined) return refuse(`names ${twice} twice`);
  const times = names.filter(isTime);
  if (times.length > 1) return refuse(`may name one time only, not ${times.join(' and ')}`);
  for (const name of names) {
    const { askedWith } = audienceDimension(name);
    if (askedWith && !names.includes(askedWith)) {
      return refuse(`must name ${askedWith} as well as ${name}`);
    }
  }
  return accept(names);
}

/** Playback has no error, so that nothing else is divided among errors. */
function errorsAlone(others: readonly AudienceMeasureName[]): string {
  const fitting = audienceMeasureNames.filter((name) => audienceMeasure(name).byError);
  return `may name error only with ${fitting.join(', ')}, not with ${others.join(', ')}`;
}

function readSort(text: string, sortable: readonly string[]): Result<SortBy[], string> {
  const given = namesIn(text).map((name) => {
    const isDescending = name.startsWith('-');
    return { name: isDescending ? name.slice(1) : name, isDescending };
  });
  const names = given.map(({ name }) => name);
  const unknown = names.find((name) => !sortable.includes(name));
  if (unknown !== undefined) {
    return refuse(`must be among what is asked for: ${sortable.join(', ')}; not "${unknown}"`);
  }
  const twice = repeated(names);
  return twice === undefined ? accept(given as SortBy[]) : refuse(`names ${twice} twice`);
}

function namesIn(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}

function repeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index);
}
