import type { CallOptions, Connection, Query } from './connection.ts';
import type {
  Concurrency,
  ConcurrencyParameters,
  Distribution,
  DistributionParameters,
  Live,
  LiveParameters,
  QuerySchemaAnswer,
  Retention,
  RetentionParameters,
  StatisticsByDateParameters,
  StatisticsByDateRow,
  StatisticsByHourParameters,
  StatisticsByHourRow,
  StatisticsByOsDetailParameters,
  StatisticsByOsDetailRow,
  StatisticsByOsParameters,
  StatisticsByOsRow,
  ViewerCompletion,
  ViewersParameters,
  ViewersTotals,
} from './interface.ts';
import { type Page, type Pages, pagesOf } from './pages.ts';
import { type AskQuery, type AskQueryCsv, queryCsvOf, queryOf } from './query.ts';

/** One statistic: awaited, its first page; iterated, all its rows. */
type Statistic<Parameters, Row> = (parameters: Parameters, options?: CallOptions) => Pages<Row>;

/** Whole, in one answer. */
type Curve<Parameters, Data> = (parameters: Parameters, options?: CallOptions) => Promise<Data>;

type CurveCsv<Parameters> = (parameters: Parameters, options?: CallOptions) => Promise<string>;

/** The same answers as CSV, each whole: a header with the names of the members, then the rows. */
interface StatisticsCsv {
  readonly query: AskQueryCsv;
  readonly retention: CurveCsv<RetentionParameters>;
  readonly concurrency: CurveCsv<ConcurrencyParameters>;
  readonly distribution: CurveCsv<DistributionParameters>;
  readonly viewers: CurveCsv<ViewersParameters>;
  /** One of its lists: what is playing by video, or the last minutes. */
  readonly live: (parameters?: LiveParameters, options?: CallOptions) => Promise<string>;
}

type ViewersPages = Pages<
  ViewerCompletion,
  Page<ViewerCompletion> & { readonly totals: ViewersTotals; readonly rowCount: number }
>;

export interface Statistics {
  readonly date: Statistic<StatisticsByDateParameters, StatisticsByDateRow>;
  readonly hour: Statistic<StatisticsByHourParameters, StatisticsByHourRow>;
  readonly os: Statistic<StatisticsByOsParameters, StatisticsByOsRow>;
  readonly osDetail: Statistic<StatisticsByOsDetailParameters, StatisticsByOsDetailRow>;
  /** How far people watch a video. */
  readonly retention: Curve<RetentionParameters, Retention>;
  /** How many people watch at once, in every interval of a range. */
  readonly concurrency: Curve<ConcurrencyParameters, Concurrency>;
  /** How a measure is spread over views. */
  readonly distribution: Curve<DistributionParameters, Distribution>;
  /** Who completed a video, or the videos in a package; each page has the totals. */
  readonly viewers: (parameters: ViewersParameters, options?: CallOptions) => ViewersPages;
  /** Who watches now. */
  readonly live: (parameters?: LiveParameters, options?: CallOptions) => Promise<Live>;
  /** What there is to ask: every measure and dimension, with its definition. */
  readonly schema: (options?: CallOptions) => Promise<QuerySchemaAnswer['data']>;
  /** Any measures by any dimensions. */
  readonly query: AskQuery;
  readonly csv: StatisticsCsv;
}

const root = '/report/statistics/video/v1';
const audienceRoot = '/report/statistics/video/v2';

export function statisticsOf(connection: Connection): Statistics {
  const at =
    <Parameters extends object, Row>(path: string): Statistic<Parameters, Row> =>
    (parameters, options) => {
      const query: Query = Object.fromEntries(Object.entries(parameters));
      return pagesOf<Row>(connection, root + path, query, options);
    };
  const curve =
    <Parameters extends object, Data>(path: string) =>
    async (parameters: Parameters, options: CallOptions = {}): Promise<Data> => {
      const query: Query = Object.fromEntries(Object.entries(parameters));
      const { body } = await connection.get<{ data: Data }>(audienceRoot + path, query, options);
      return body.data;
    };
  const live = curve<LiveParameters, Live>('/live');
  const schema = curve<object, QuerySchemaAnswer['data']>('/schema');
  return {
    date: at('/info/date'),
    hour: at('/info/date/hour'),
    os: at('/os'),
    osDetail: at('/os/detail'),
    retention: curve('/retention'),
    concurrency: curve('/concurrency'),
    distribution: curve('/distribution'),
    viewers: (parameters, options) =>
      pagesOf(connection, `${audienceRoot}/viewers`, { ...parameters }, options) as ViewersPages,
    live: (parameters = {}, options) => live(parameters, options),
    schema: (options) => schema({}, options),
    query: queryOf(connection, `${audienceRoot}/query`),
    csv: csvOf(connection),
  };
}

function csvOf(connection: Connection): StatisticsCsv {
  const curve =
    <Parameters extends object>(path: string): CurveCsv<Parameters> =>
    (parameters, options = {}) => {
      const query: Query = Object.fromEntries(Object.entries(parameters));
      return connection.getCsv(audienceRoot + path, query, options);
    };
  const live = curve<LiveParameters>('/live');
  return {
    query: queryCsvOf(connection, `${audienceRoot}/query`),
    retention: curve('/retention'),
    concurrency: curve('/concurrency'),
    distribution: curve('/distribution'),
    viewers: curve('/viewers'),
    live: (parameters = {}, options) => live(parameters, options),
  };
}
