/**
 * The statistics queries: one record a query, one a measure. Requests, answers, the planner, the
 * reference and the labels of the dashboard all derive from these.
 * Source: the service's interface, sections 4.1 to 4.4.
 */
import Type, { type Static, type TObject } from 'typebox';

export const measures = {
  videoCount: {
    unit: 'plays',
    description: 'Views whose playback really started, each counted once, when it started',
  },
  duration: {
    unit: 'seconds',
    description: 'Time during which the media was advancing, on the wall clock, rounded down',
  },
} as const;
export type MeasureName = keyof typeof measures;

export const dimensions = {
  date: { description: "Day in the account's zone, yyyy-mm-dd" },
  hour: { description: 'Hour of the day, "00" to "23"' },
  os: { description: 'Name of the operating system' },
  detail: { description: 'Version of the operating system' },
} as const;
export type DimensionName = keyof typeof dimensions;

export interface Statistic {
  readonly path: string;
  readonly summary: string;
  /** The labels of a row, in the order in which the answer shows them. */
  readonly labels: readonly DimensionName[];
  /** The label that tells the rows of one answer apart. */
  readonly ownLabel: DimensionName;
  readonly sortDefault: MeasureName | DimensionName;
  /** Whether it asks for one day instead of a range. */
  readonly oneDay: boolean;
}

export const statistics = {
  date: {
    path: '/report/statistics/video/v1/info/date',
    summary: 'Plays and playback time by date',
    labels: ['date'],
    ownLabel: 'date',
    sortDefault: 'date',
    oneDay: false,
  },
  hour: {
    path: '/report/statistics/video/v1/info/date/hour',
    summary: 'Plays and playback time by hour of one day',
    labels: ['date', 'hour'],
    ownLabel: 'hour',
    sortDefault: 'hour',
    oneDay: true,
  },
  os: {
    path: '/report/statistics/video/v1/os',
    summary: 'Plays and playback time by operating system',
    labels: ['os'],
    ownLabel: 'os',
    sortDefault: 'videoCount',
    oneDay: false,
  },
  detail: {
    path: '/report/statistics/video/v1/os/detail',
    summary: 'Plays and playback time by version of one operating system',
    labels: ['os', 'detail'],
    ownLabel: 'detail',
    sortDefault: 'detail',
    oneDay: false,
  },
} as const satisfies Record<string, Statistic>;
export type StatisticName = keyof typeof statistics;

export const defaultPageSize = 30;
export const maxPageSize = 1_000;
export const maxRangeYears = 10;

const PageSize = Type.Integer({
  minimum: 1,
  maximum: maxPageSize,
  default: defaultPageSize,
  description: 'Rows per page',
});

const day = (description: string) => Type.String({ format: 'date', description });

/** The parameters of a first request. */
export function firstRequest(name: StatisticName) {
  const statistic: Statistic = statistics[name];
  const sortTargets = [statistic.ownLabel, ...(Object.keys(measures) as MeasureName[])];
  const range = statistic.oneDay
    ? { date: day('Day to query, yyyy-mm-dd') }
    : { sdate: day('First day, yyyy-mm-dd'), edate: day('Last day, yyyy-mm-dd') };
  const system = {
    os: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Name of the operating system, as the per-OS query printed it',
    }),
  };
  return Type.Object({
    ...range,
    ...(name === 'detail' ? system : {}),
    packageId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Restricts to a package',
      }),
    ),
    accessKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Restricts to a video, by its original key',
      }),
    ),
    pageSize: PageSize,
    sortData: Type.Enum(sortTargets, {
      default: statistic.sortDefault,
      description: 'What the rows are sorted by',
    }),
    sortDirection: Type.Enum(['desc', 'asc'], {
      default: 'desc',
      description: 'Ties are broken by the own label of the row, ascending',
    }),
    timeZone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "IANA time zone of dates and hours, in place of the account's",
      }),
    ),
    fill: Type.Optional(
      Type.Enum(['zero'], { description: 'Puts in the days or hours without playback' }),
    ),
  });
}

/** What `firstRequest` reads, whichever the statistic. */
export interface FirstRequest {
  readonly sdate?: string;
  readonly edate?: string;
  readonly date?: string;
  readonly os?: string;
  readonly packageId?: number;
  readonly accessKey?: string;
  readonly pageSize: number;
  readonly sortData: MeasureName | DimensionName;
  readonly sortDirection: 'desc' | 'asc';
  readonly timeZone?: string;
  readonly fill?: 'zero';
}

export const ContinuationRequest = Type.Object({
  requestId: Type.String({ minLength: 1, maxLength: 64, description: 'Of the first answer' }),
  nextToken: Type.String({ minLength: 1, maxLength: 2_048, description: 'Of the answer before' }),
  pageSize: PageSize,
});

/** The envelope of every answer; all numbers in it are text. */
export function answerOf(name: StatisticName): TObject {
  const labels = Object.fromEntries(
    statistics[name].labels.map((label) => [label, Type.String(dimensions[label])]),
  );
  const count = (measure: MeasureName) =>
    Type.String({ pattern: '^\\d+$', description: measures[measure].description });
  return Type.Object(
    {
      isSuccess: Type.Literal(true),
      message: Type.Literal(''),
      data: Type.Object(
        {
          list: Type.Array(
            Type.Object(
              { duration: count('duration'), videoCount: count('videoCount'), ...labels },
              { additionalProperties: false },
            ),
          ),
          requestId: Type.String({ format: 'uuid' }),
          pageSize: Type.String({ pattern: '^\\d+$' }),
          nextToken: Type.String({
            description: 'Of the next page, percent-encoded; empty on the last page',
          }),
        },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false },
  );
}

export type Row = { readonly duration: string; readonly videoCount: string } & {
  readonly [label in DimensionName]?: string;
};

export interface StatisticAnswer {
  readonly isSuccess: true;
  readonly message: '';
  readonly data: {
    readonly list: readonly Row[];
    readonly requestId: string;
    readonly pageSize: string;
    readonly nextToken: string;
  };
}

export type ContinuationRequest = Static<typeof ContinuationRequest>;
