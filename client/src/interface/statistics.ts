/** Types of the interface; generated from docs/openapi.json by `npm run generate`. */

export interface StatisticsByDate {
  isSuccess: true;
  message: '';
  data: {
    list: StatisticsByDateRow[];
    /** Names this answer, for its further pages */
    requestId: string;
    pageSize: string;
    /** Of the next page, percent-encoded; empty on the last page */
    nextToken: string;
  };
}

export interface StatisticsByDateRow {
  /** Seconds during which the media was advancing, on the wall clock, rounded down */
  duration: string;
  /** Views whose playback really started, each counted once, when it started */
  videoCount: string;
  /** Day in the account's zone, yyyy-mm-dd */
  date: string;
}

export interface StatisticsByHour {
  isSuccess: true;
  message: '';
  data: {
    list: StatisticsByHourRow[];
    /** Names this answer, for its further pages */
    requestId: string;
    pageSize: string;
    /** Of the next page, percent-encoded; empty on the last page */
    nextToken: string;
  };
}

export interface StatisticsByHourRow {
  /** Seconds during which the media was advancing, on the wall clock, rounded down */
  duration: string;
  /** Views whose playback really started, each counted once, when it started */
  videoCount: string;
  /** Day in the account's zone, yyyy-mm-dd */
  date: string;
  /** Hour of the day, "00" to "23" */
  hour: string;
}

export interface StatisticsByOs {
  isSuccess: true;
  message: '';
  data: {
    list: StatisticsByOsRow[];
    /** Names this answer, for its further pages */
    requestId: string;
    pageSize: string;
    /** Of the next page, percent-encoded; empty on the last page */
    nextToken: string;
  };
}

export interface StatisticsByOsRow {
  /** Seconds during which the media was advancing, on the wall clock, rounded down */
  duration: string;
  /** Views whose playback really started, each counted once, when it started */
  videoCount: string;
  /** Name of the operating system */
  os: string;
}

export interface StatisticsByOsDetail {
  isSuccess: true;
  message: '';
  data: {
    list: StatisticsByOsDetailRow[];
    /** Names this answer, for its further pages */
    requestId: string;
    pageSize: string;
    /** Of the next page, percent-encoded; empty on the last page */
    nextToken: string;
  };
}

export interface StatisticsByOsDetailRow {
  /** Seconds during which the media was advancing, on the wall clock, rounded down */
  duration: string;
  /** Views whose playback really started, each counted once, when it started */
  videoCount: string;
  /** Name of the operating system */
  os: string;
  /** Version of the operating system */
  detail: string;
}

export interface StatisticsByDateParameters {
  /** First day, yyyy-mm-dd. Required in a first request. */
  sdate: string;
  /** Last day, yyyy-mm-dd, at most 10 years on. Required in a first request. */
  edate: string;
  /** Restricts to a package */
  packageId?: number;
  /** Restricts to a video, by its original key */
  accessKey?: string;
  /** Rows per page */
  pageSize?: number;
  /** What the rows are sorted by */
  sortData?: 'date' | 'videoCount' | 'duration';
  /** Ties are broken by the own label of the row, ascending */
  sortDirection?: 'desc' | 'asc';
  /** IANA time zone of dates and hours, in place of the account's */
  timeZone?: string;
  /** Puts in the days or hours without playback */
  fill?: 'zero';
}

export interface StatisticsByHourParameters {
  /** Day to query, yyyy-mm-dd. Required in a first request. */
  date: string;
  /** Restricts to a package */
  packageId?: number;
  /** Restricts to a video, by its original key */
  accessKey?: string;
  /** Rows per page */
  pageSize?: number;
  /** What the rows are sorted by */
  sortData?: 'hour' | 'videoCount' | 'duration';
  /** Ties are broken by the own label of the row, ascending */
  sortDirection?: 'desc' | 'asc';
  /** IANA time zone of dates and hours, in place of the account's */
  timeZone?: string;
  /** Puts in the days or hours without playback */
  fill?: 'zero';
}

export interface StatisticsByOsParameters {
  /** First day, yyyy-mm-dd. Required in a first request. */
  sdate: string;
  /** Last day, yyyy-mm-dd, at most 10 years on. Required in a first request. */
  edate: string;
  /** Restricts to a package */
  packageId?: number;
  /** Restricts to a video, by its original key */
  accessKey?: string;
  /** Rows per page */
  pageSize?: number;
  /** What the rows are sorted by */
  sortData?: 'os' | 'videoCount' | 'duration';
  /** Ties are broken by the own label of the row, ascending */
  sortDirection?: 'desc' | 'asc';
  /** IANA time zone of dates and hours, in place of the account's */
  timeZone?: string;
  /** Puts in the days or hours without playback */
  fill?: 'zero';
}

export interface StatisticsByOsDetailParameters {
  /** First day, yyyy-mm-dd. Required in a first request. */
  sdate: string;
  /** Last day, yyyy-mm-dd, at most 10 years on. Required in a first request. */
  edate: string;
  /** Name of the operating system, as the per-OS query printed it. Required in a first request. */
  os: string;
  /** Restricts to a package */
  packageId?: number;
  /** Restricts to a video, by its original key */
  accessKey?: string;
  /** Rows per page */
  pageSize?: number;
  /** What the rows are sorted by */
  sortData?: 'detail' | 'videoCount' | 'duration';
  /** Ties are broken by the own label of the row, ascending */
  sortDirection?: 'desc' | 'asc';
  /** IANA time zone of dates and hours, in place of the account's */
  timeZone?: string;
  /** Puts in the days or hours without playback */
  fill?: 'zero';
}
