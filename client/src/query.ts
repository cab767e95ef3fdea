/** Any question of the audience; its rows are typed by the measures and dimensions asked for. */
import type { CallOptions, Connection, Query } from './connection.ts';
import type { QualityBasis, QueryMeasures, QueryRow, ViewerBasis } from './interface.ts';
import { type Page, type Pages, pagesOf } from './pages.ts';

export type QueryMeasure = keyof QueryMeasures;
export type QueryDimension =
  | Exclude<KnownNames<QueryRow>, QueryMeasure | CaptionName | 'previous'>
  | `label.${string}`;

/** The names that a type lists, without those that it only gives a pattern for. */
type KnownNames<Type> = keyof {
  [Name in keyof Type as string extends Name ? never : Name]: Type[Name];
} &
  string;
type CaptionName = Captions[keyof Captions];
interface Captions {
  video: 'videoTitle';
  package: 'packageName';
  folder: 'folderName';
}

type ValueOf<Name extends string> = Name extends 'package' | 'folder' ? number : string;
type MeasuresOf<Measure extends QueryMeasure> = Required<Pick<QueryMeasures, Measure>> &
  ([Extract<Measure, PositionMeasure>] extends [never] ? unknown : PositionBasis);
/** What is made of the positions that views reported; the views that did are beside it. */
type PositionMeasure = 'seenMs' | 'averageSeen' | 'completions' | `reached${25 | 50 | 75 | 100}`;
type PositionBasis = Required<Pick<QueryMeasures, 'positionedViews'>>;
type LabelsOf<Dimension extends string> = { readonly [name in Dimension]: ValueOf<name> } & {
  readonly [name in Dimension & keyof Captions as Captions[name]]: string;
};
type PreviousOf<Measure extends QueryMeasure, Compare> = Compare extends string
  ? { readonly previous: MeasuresOf<Measure> | null }
  : unknown;

type Comparison = 'previous' | 'weekdays' | 'year';
type SortedBy<Name extends string> = Name | `-${Name}`;

export interface QueryParameters<
  Measure extends QueryMeasure,
  Dimension extends QueryDimension,
  Compare extends Comparison | undefined,
> {
  /** First and last day, yyyy-mm-dd. */
  readonly sdate: string;
  readonly edate: string;
  readonly measures: readonly Measure[];
  readonly dimensions?: readonly Dimension[];
  /** Conditions joined by `;`: `NAME==a,b`, `NAME!=a,b`, `NAME=@text`, `NAME!@text`. */
  readonly filters?: string;
  readonly sort?: readonly SortedBy<NoInfer<Measure | Dimension>>[];
  readonly compare?: Compare;
  readonly fill?: 'zero';
  readonly packageId?: number;
  readonly accessKey?: string;
  readonly timeZone?: string;
  readonly pageSize?: number;
}

export type QueryRowOf<
  Measure extends QueryMeasure,
  Dimension extends QueryDimension = never,
  Compare = undefined,
> = LabelsOf<Dimension> & MeasuresOf<Measure> & PreviousOf<Measure, Compare>;

/** What every page of an answer says besides its rows. */
interface QueryTotals<Measure extends QueryMeasure, Compare> {
  readonly totals: MeasuresOf<Measure> & PreviousOf<Measure, Compare>;
  /** Rows of all pages. */
  readonly rowCount: number;
  /** Where a measure of viewers is asked for. */
  readonly viewerBasis?: ViewerBasis;
  /** Where a measure of quality is asked for. */
  readonly qualityBasis?: QualityBasis;
}

export type QueryPages<
  Measure extends QueryMeasure,
  Dimension extends QueryDimension = never,
  Compare = undefined,
> = Pages<
  QueryRowOf<Measure, Dimension, Compare>,
  Page<QueryRowOf<Measure, Dimension, Compare>> & QueryTotals<Measure, Compare>
>;

export type AskQuery = <
  const Measure extends QueryMeasure,
  const Dimension extends QueryDimension = never,
  const Compare extends Comparison | undefined = undefined,
>(
  parameters: QueryParameters<Measure, Dimension, Compare>,
  options?: CallOptions,
) => QueryPages<Measure, Dimension, Compare>;

type AnyParameters = QueryParameters<QueryMeasure, QueryDimension, Comparison | undefined>;

/** All rows of the answer, without pages. */
export type AskQueryCsv = (
  parameters: Omit<AnyParameters, 'pageSize'>,
  options?: CallOptions,
) => Promise<string>;

export function queryOf(connection: Connection, path: string): AskQuery {
  const ask = (parameters: AnyParameters, options?: CallOptions) =>
    pagesOf(connection, path, asQuery(parameters), options);
  return ask as unknown as AskQuery;
}

export function queryCsvOf(connection: Connection, path: string): AskQueryCsv {
  return (parameters, options = {}) => connection.getCsv(path, asQuery(parameters), options);
}

/** Lists as a URL has them. */
function asQuery({ measures, dimensions = [], sort = [], ...parameters }: AnyParameters): Query {
  const listed = { measures, dimensions, sort };
  const given = Object.entries(listed).filter(([, names]) => names.length > 0);
  return {
    ...parameters,
    ...Object.fromEntries(given.map(([name, names]) => [name, names.join(',')])),
  };
}
