import type {
  DimensionName,
  Labels,
  MeasureName,
  StatisticName,
} from '../../vocabulary/statistics.ts';

/** A statistics request, checked and with every default filled in. */
export interface Question {
  readonly accountId: number;
  readonly statistic: StatisticName;
  /** First and last day, yyyy-mm-dd in `timeZone`, both included. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly timeZone: string;
  readonly packageId: number | undefined;
  readonly accessKey: string | undefined;
  /** The labels that all rows share: the day for hours, the system for versions. */
  readonly given: Labels;
  readonly sortData: MeasureName | DimensionName;
  readonly sortDirection: 'desc' | 'asc';
  readonly fillZero: boolean;
  readonly pageSize: number;
}
