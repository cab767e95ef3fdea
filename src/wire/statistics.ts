/**
 * The statistics queries: one record a query, one a measure. Requests, answers, the planner, the
 * reference and the labels of the dashboard all derive from these.
 * Source: the service's interface, sections 4.1 to 4.4.
 */
import Type, { type Static, type TObject, type TString } from 'typebox';

export const measures = {
  videoCount: {
    unit: 'plays',
    example: '182',
    description: 'Views whose playback really started, each counted once, when it started',
  },
  duration: {
    unit: 'seconds',
    example: '73264',
    description: 'Seconds during which the media was advancing, on the wall clock, rounded down',
  },
} as const;
export type MeasureName = keyof typeof measures;

export const dimensions = {
  date: { description: "Day in the account's zone, yyyy-mm-dd", example: '2026-11-20' },
  hour: { description: 'Hour of the day, "00" to "23"', example: '17' },
  os: { description: 'Name of the operating system', example: 'Android' },
  detail: { description: 'Version of the operating system', example: '15' },
} as const;
export type DimensionName = keyof typeof dimensions;

export interface Statistic {
  /** Name of the operation and, with a capital, of its answer. */
  readonly id: string;
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
    id: 'statisticsByDate',
    path: '/report/statistics/video/v1/info/date',
    summary: 'Plays and playback time by date',
    labels: ['date'],
    ownLabel: 'date',
    sortDefault: 'date',
    oneDay: false,
  },
  hour: {
    id: 'statisticsByHour',
    path: '/report/statistics/video/v1/info/date/hour',
    summary: 'Plays and playback time by hour of one day',
    labels: ['date', 'hour'],
    ownLabel: 'hour',
    sortDefault: 'hour',
    oneDay: true,
  },
  os: {
    id: 'statisticsByOs',
    path: '/report/statistics/video/v1/os',
    summary: 'Plays and playback time by operating system',
    labels: ['os'],
    ownLabel: 'os',
    sortDefault: 'videoCount',
    oneDay: false,
  },
  detail: {
    id: 'statisticsByOsDetail',
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

const day = (description: string, example: string) =>
  Type.String({ format: 'date', description, examples: [example] });

/** The parameters of a first request. */
export function firstRequest(name: StatisticName) {
  const statistic: Statistic = statistics[name];
  const sortTargets = [statistic.ownLabel, ...(Object.keys(measures) as MeasureName[])];
  const range = statistic.oneDay
    ? { date: day('Day to query, yyyy-mm-dd', '2026-11-20') }
    : {
        sdate: day('First day, yyyy-mm-dd', '2026-11-01'),
        edate: day(`Last day, yyyy-mm-dd, at most ${maxRangeYears} years on`, '2026-11-30'),
      };
  const system = {
    os: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Name of the operating system, as the per-OS query printed it',
      examples: ['Android'],
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
        examples: ['Asia/Seoul'],
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

/**
 * All that the address of a statistic reads, to be told: nothing is required of both a first
 * request and a continuation, and OpenAPI has no word for "either these or those": ours says it.
 */
export function anyRequest(name: StatisticName): TObject {
  const told = (schema: TObject, request: string, words: string) =>
    Object.entries(schema.properties).map(([parameter, property]) => {
      const { default: initial, description } = property as {
        default?: unknown;
        description: string;
      };
      const isRequired = schema.required?.includes(parameter) && initial === undefined;
      if (!isRequired) return [parameter, Type.Optional(property)];
      const about = { description: `${description}. ${words}`, 'x-required-in': request };
      return [parameter, Type.Optional({ ...property, ...about })];
    });
  return Type.Object(
    Object.fromEntries([
      ...told(firstRequest(name), 'first-request', 'Required in a first request.'),
      ...told(ContinuationRequest, 'continuation', 'Required in a continuation.'),
    ]),
  );
}

/** The envelope of every answer; all numbers in it are text. */
export function answerOf(name: StatisticName): TObject {
  const { id, labels } = statistics[name];
  const title = id.charAt(0).toUpperCase() + id.slice(1);
  const textOf = ({ description, example }: { description: string; example: string }) => ({
    description,
    examples: [example],
  });
  const count = (measure: MeasureName) =>
    Type.String({ pattern: '^\\d+$', ...textOf(measures[measure]) });
  const shown = labels.map((label) => [label, Type.String(textOf(dimensions[label]))]);
  const row = { duration: count('duration'), videoCount: count('videoCount') };
  const Row = Type.Object(
    { ...row, ...(Object.fromEntries(shown) as Record<DimensionName, TString>) },
    { title: `${title}Row`, additionalProperties: false },
  );
  return Type.Object(
    {
      isSuccess: Type.Literal(true),
      message: Type.Literal(''),
      data: Type.Object(
        {
          list: Type.Array(Row),
          requestId: Type.String({
            format: 'uuid',
            description: 'Names this answer, for its further pages',
            examples: ['6f9619ff-8b86-4d01-b42d-00cf4fc964ff'],
          }),
          pageSize: Type.String({ pattern: '^\\d+$', examples: [String(defaultPageSize)] }),
          nextToken: Type.String({
            description: 'Of the next page, percent-encoded; empty on the last page',
            examples: [''],
          }),
        },
        { additionalProperties: false },
      ),
    },
    { title, additionalProperties: false },
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
