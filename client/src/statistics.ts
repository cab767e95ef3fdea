import type { CallOptions, Connection, Query } from './connection.ts';
import type {
  StatisticsByDateParameters,
  StatisticsByDateRow,
  StatisticsByHourParameters,
  StatisticsByHourRow,
  StatisticsByOsDetailParameters,
  StatisticsByOsDetailRow,
  StatisticsByOsParameters,
  StatisticsByOsRow,
} from './interface.ts';
import { type Pages, pagesOf } from './pages.ts';

/** One statistic: awaited, its first page; iterated, all its rows. */
type Statistic<Parameters, Row> = (parameters: Parameters, options?: CallOptions) => Pages<Row>;

export interface Statistics {
  readonly date: Statistic<StatisticsByDateParameters, StatisticsByDateRow>;
  readonly hour: Statistic<StatisticsByHourParameters, StatisticsByHourRow>;
  readonly os: Statistic<StatisticsByOsParameters, StatisticsByOsRow>;
  readonly osDetail: Statistic<StatisticsByOsDetailParameters, StatisticsByOsDetailRow>;
}

const root = '/report/statistics/video/v1';

export function statisticsOf(connection: Connection): Statistics {
  const at =
    <Parameters extends object, Row>(path: string): Statistic<Parameters, Row> =>
    (parameters, options) => {
      const query: Query = Object.fromEntries(Object.entries(parameters));
      return pagesOf<Row>(connection, root + path, query, options);
    };
  return {
    date: at('/info/date'),
    hour: at('/info/date/hour'),
    os: at('/os'),
    osDetail: at('/os/detail'),
  };
}
