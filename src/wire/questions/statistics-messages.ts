/** What a statistics query is asked with and answers: schemas made from the records. */
import Type, { type Static, type TObject, type TString } from 'typebox';
import {
  type DimensionName,
  dimensions,
  type GivenDimension,
  givenDimensions,
  type MeasureName,
  measureNames,
  measures,
  rowMeasures,
  type Statistic,
  type StatisticName,
  type StatisticRow,
  statistics,
} from '../../vocabulary/statistics.ts';

const defaultPageSize = 30;
const maxPageSize = 1_000;
export const maxRangeYears = 10;

const PageSize = Type.Integer({
  minimum: 1,
  maximum: maxPageSize,
  default: defaultPageSize,
  description: 'Rows per page',
});

const day = (description: string, example: string) =>
  Type.String({ format: 'date', description, examples: [example] });

const givenParameters: Record<GivenDimension, TString> = {
  date: day('Day, yyyy-mm-dd', '2026-11-20'),
  os: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Operating system, as the query by operating system returns it',
    examples: ['Android'],
  }),
};

/** The parameters of a first request. */
export function firstRequest(name: StatisticName) {
  const statistic: Statistic = statistics[name];
  const given = givenDimensions(name);
  const range = {
    sdate: day('First day, yyyy-mm-dd', '2026-11-01'),
    edate: day(
      `Last day, yyyy-mm-dd, at most ${maxRangeYears} years after \`sdate\``,
      '2026-11-30',
    ),
  };
  return Type.Object({
    ...(given.includes('date') ? {} : range),
    ...Object.fromEntries(given.map((label) => [label, givenParameters[label]])),
    packageId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only playback in this package',
      }),
    ),
    accessKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Only playback of this video, by its original key',
      }),
    ),
    pageSize: PageSize,
    sortData: Type.Enum([statistic.ownLabel, ...measureNames], {
      default: statistic.sortDefault,
      description: 'Sort the rows by this field',
    }),
    sortDirection: Type.Enum(['desc', 'asc'], {
      default: 'desc',
      description: `Order of the rows; ties are sorted by \`${statistic.ownLabel}\`, ascending`,
    }),
    timeZone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: "IANA time zone for dates and hours; default: the account's",
        examples: ['Asia/Seoul'],
      }),
    ),
    fill: Type.Optional(
      Type.Enum(['zero'], { description: '`zero` adds rows for days or hours without playback' }),
    ),
  });
}

/** What `firstRequest` reads, whichever the statistic. */
export interface FirstRequest extends Readonly<Partial<Record<GivenDimension, string>>> {
  readonly sdate?: string;
  readonly edate?: string;
  readonly packageId?: number;
  readonly accessKey?: string;
  readonly pageSize: number;
  readonly sortData: MeasureName | DimensionName;
  readonly sortDirection: 'desc' | 'asc';
  readonly timeZone?: string;
  readonly fill?: 'zero';
}

export const ContinuationRequest = Type.Object({
  requestId: Type.String({
    minLength: 1,
    maxLength: 64,
    description: '`requestId` of the first answer',
  }),
  nextToken: Type.String({
    minLength: 1,
    maxLength: 2_048,
    description: '`nextToken` of the previous answer',
  }),
  pageSize: PageSize,
});

/**
 * Every parameter that the path takes, for the reference. None is required both in a first request
 * and in a continuation, and OpenAPI cannot say "either these or those"; `x-required-in` does.
 */
export function anyRequest(name: StatisticName): TObject {
  return createUnion(firstRequest(name), ContinuationRequest);
}

export function createUnion(first: TObject, continuation: TObject): TObject {
  const listed = (schema: TObject, request: string, words: string) =>
    Object.entries(schema.properties).map(([parameter, property]) => {
      if (!isRequired(schema, parameter)) return [parameter, Type.Optional(property)];
      const { description } = property as { description: string };
      const about = { description: `${description}. ${words}`, 'x-required-in': request };
      return [parameter, Type.Optional({ ...property, ...about })];
    });
  return Type.Object(
    Object.fromEntries([
      ...listed(first, 'first-request', 'Required in a first request.'),
      ...listed(continuation, 'continuation', 'Required in a continuation.'),
    ]),
  );
}

/** The parameters that a first request must have. */
export function requiredParameters(name: StatisticName): string[] {
  const schema = firstRequest(name);
  return Object.keys(schema.properties).filter((parameter) => isRequired(schema, parameter));
}

function isRequired({ required, properties }: TObject, parameter: string): boolean {
  return (
    required?.includes(parameter) === true && !('default' in (properties[parameter] as object))
  );
}

/** The envelope of every answer; all numbers in it are text. */
export function createAnswer(name: StatisticName): TObject {
  const { id, labels } = statistics[name];
  const title = id.charAt(0).toUpperCase() + id.slice(1);
  const textOf = ({ description, example }: { description: string; example: string }) => ({
    description,
    examples: [example],
  });
  const Row = Type.Object(
    Object.fromEntries([
      ...rowMeasures.map((measure) => {
        return [measure, Type.String({ pattern: '^\\d+$', ...textOf(measures[measure]) })];
      }),
      ...labels.map((label) => [label, Type.String(textOf(dimensions[label]))]),
    ]),
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
            description: 'Identifies the snapshot, to request its further pages',
            examples: ['6f9619ff-8b86-4d01-b42d-00cf4fc964ff'],
          }),
          pageSize: Type.String({ pattern: '^\\d+$', examples: [String(defaultPageSize)] }),
          nextToken: Type.String({
            description: 'Token for the next page, percent-encoded; empty on the last page',
            examples: [''],
          }),
        },
        { additionalProperties: false },
      ),
    },
    { title, additionalProperties: false },
  );
}

export interface StatisticAnswer {
  readonly isSuccess: true;
  readonly message: '';
  readonly data: {
    readonly list: readonly StatisticRow[];
    readonly requestId: string;
    readonly pageSize: string;
    readonly nextToken: string;
  };
}

export type ContinuationRequest = Static<typeof ContinuationRequest>;
