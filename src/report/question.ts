import type { DimensionName, MeasureName, StatisticName } from '../wire/statistics.ts';

/** What is asked, checked and with every default filled in. */
export interface Question {
  readonly accountId: number;
  readonly statistic: StatisticName;
  /** First and last day, yyyy-mm-dd in `timeZone`, both included. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly timeZone: string;
  readonly packageId: number | undefined;
  readonly accessKey: string | undefined;
  readonly os: string | undefined;
  readonly sortData: MeasureName | DimensionName;
  readonly sortDirection: 'desc' | 'asc';
  readonly fillZero: boolean;
  readonly pageSize: number;
}
