/** What the audience's query and schema are asked with and answer: schemas made of the records. */
import Type, { type Static, type TObject, type TProperties } from 'typebox';
import { audienceDimension, recordedDimensions } from '../../vocabulary/dimensions.ts';
import { audienceMeasure, audienceMeasureNames, isFractional } from '../../vocabulary/measures.ts';
import {
  accessKeyParameter,
  bomParameter,
  filtersParameter,
  firstDayParameter,
  lastDayParameter,
  packageIdParameter,
  timeZoneParameter,
} from './question-parameters.ts';
import { ContinuationRequest } from './statistics-messages.ts';

export const queryPath = '/report/statistics/video/v2/query';
export const schemaPath = '/report/statistics/video/v2/schema';

export const mostMeasures = 10;
export const mostDimensions = 3;
/** Rows of an answer. */
export const mostRows = 100_000;

const defaultPageSize = 100;
const maxPageSize = 1_000;

const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

export const pageSizeParameter = Type.Integer({
  minimum: 1,
  maximum: maxPageSize,
  default: defaultPageSize,
  description: 'Rows per page',
});

/** What all questions of the audience share. */
const audienceParameters = {
  sdate: firstDayParameter,
  edate: lastDayParameter,
  filters: Type.Optional(filtersParameter),
  packageId: Type.Optional(packageIdParameter),
  accessKey: Type.Optional(accessKeyParameter),
  timeZone: Type.Optional(timeZoneParameter),
};

export const compareKinds = ['previous', 'weekdays', 'year'] as const;
export type CompareKind = (typeof compareKinds)[number];

/** The parameters of a first request; lists are checked by query/parse/query-parser.ts. */
export const QueryRequest = Type.Object({
  ...audienceParameters,
  measures: Type.String({
    minLength: 1,
    maxLength: 1_024,
    description: `One to ten of ${listed(audienceMeasureNames)}, separated by commas`,
    examples: ['plays,playMs'],
  }),
  dimensions: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_024,
      description:
        `Up to three, of which one may be a time, separated by commas: one row for each ` +
        `combination of their values. Without it, the answer has one row. They are ` +
        `${listed(recordedDimensions)}, and \`label.NAME\` for each label of the account`,
      examples: ['video,country'],
    }),
  ),
  sort: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_024,
      description:
        'Measures and dimensions asked for, separated by commas, with `-` before one for ' +
        'descending order. Default: time ascending if there is one, otherwise the first measure ' +
        'descending. Ties are sorted by the dimensions, ascending; `null` comes last',
      examples: ['-plays,video'],
    }),
  ),
  compare: Type.Optional(
    Type.Enum(compareKinds, {
      description:
        'Adds `previous` to each row and to the totals: the measures of the range of the same ' +
        'length just before (`previous`), of the same weekdays (`weekdays`: as many whole weeks ' +
        'before as leave the range behind), or of the same days a year before (`year`); null ' +
        'where there is nothing. If the range ends today, the first two end at the same time ' +
        'of day',
    }),
  ),
  fill: Type.Optional(
    Type.Enum(['zero'], {
      description: '`zero` adds rows for the intervals of the range without playback',
    }),
  ),
  pageSize: pageSizeParameter,
  bom: Type.Optional(bomParameter),
});
export type QueryRequest = Static<typeof QueryRequest>;

/** Of the paths whose pages have `pageSizeParameter`. */
export const PageContinuation = Type.Object({
  ...ContinuationRequest.properties,
  pageSize: pageSizeParameter,
});

export const measureSchemas = Object.fromEntries(
  audienceMeasureNames.map((name) => {
    const { unit, nullable, definition, example } = audienceMeasure(name);
    const bounds = { minimum: 0, ...(unit === '0 to 1' && { maximum: 1 }) };
    const number = isFractional(name) ? Type.Number(bounds) : Type.Integer(bounds);
    const about = { description: definition, examples: [example] };
    const schema = nullable ? Type.Union([number, Type.Null()], about) : { ...number, ...about };
    return [name, Type.Optional(schema)];
  }),
) as TProperties;

const dimensionSchemas = Object.fromEntries(
  recordedDimensions.flatMap((name) => {
    const { order, values, caption, definition, example } = audienceDimension(name);
    const about = { description: definition, examples: [example] };
    const text = values ? Type.Enum([...values], about) : Type.String(about);
    const schema = order === 'number' ? Type.Integer({ minimum: 0, ...about }) : text;
    const shown = { description: `Name of the ${name}; empty if it has none` };
    return [
      [name, Type.Optional(schema)],
      ...(caption ? [[caption, Type.Optional(Type.String(shown))]] : []),
    ];
  }),
) as TProperties;

const Measures = Type.Object(measureSchemas, {
  title: 'QueryMeasures',
  description: 'The measures asked for',
  additionalProperties: false,
});
const previous = Type.Optional(
  Type.Union([Measures, Type.Null()], {
    description: 'With `compare`: the measures of the range compared with; null: nothing there',
  }),
);

const Row = Type.Object(
  { ...dimensionSchemas, ...measureSchemas, previous },
  {
    title: 'QueryRow',
    description:
      'The dimensions and the measures asked for, labels under `label.NAME`; with `seenMs` and ' +
      'those after it also `positionedViews`, the views on which they rest',
    additionalProperties: false,
    patternProperties: { '^label\\.': { type: 'string' } },
  },
);

const Totals = Type.Object(
  { ...measureSchemas, previous },
  {
    title: 'QueryTotals',
    description: 'Of everything that the filters let through, also of what is on other pages',
    additionalProperties: false,
  },
);

const views = (description: string) => Type.Integer({ minimum: 0, description });
const ViewerBasis = Type.Object(
  {
    named: views('Views whose viewer the page named'),
    daily: views('Views with an anonymous viewer of one day'),
    none: views('Views without a viewer: each is one of its own'),
  },
  {
    title: 'ViewerBasis',
    description: 'What measures of viewers rest on: numbers of views',
    additionalProperties: false,
  },
);

export const QualityBasis = Type.Object(
  {
    attempts: views('Attempts to start playback that began in the range and were reported'),
    views: views('All views with playback or a wait in the range, reported or not'),
  },
  {
    title: 'QualityBasis',
    description: 'What measures of quality rest on',
    additionalProperties: false,
  },
);

const envelope = (title: string, data: TProperties) =>
  Type.Object(
    {
      isSuccess: Type.Literal(true),
      message: Type.Literal(''),
      data: Type.Object(data, { additionalProperties: false }),
    },
    { title, additionalProperties: false },
  );

export const QueryAnswer: TObject = envelope('QueryAnswer', {
  list: Type.Array(Row),
  totals: Totals,
  viewerBasis: Type.Optional(ViewerBasis),
  qualityBasis: Type.Optional(QualityBasis),
  rowCount: Type.Integer({ minimum: 0, description: 'Rows of all pages' }),
  requestId: Type.String({
    format: 'uuid',
    description: 'Identifies the snapshot, to request its further pages',
    examples: ['6f9619ff-8b86-4d01-b42d-00cf4fc964ff'],
  }),
  pageSize: Type.Integer({ minimum: 1, maximum: maxPageSize }),
  nextToken: Type.String({
    description: 'Token for the next page, percent-encoded; empty on the last page',
    examples: [''],
  }),
});

export type MeasureValues = Readonly<Record<string, number | null>>;
export type QueryRow = Readonly<Record<string, string | number | null | MeasureValues>>;
export type QueryTotals = Readonly<Record<string, number | null | MeasureValues>>;
export type ViewerBasis = Static<typeof ViewerBasis>;
export type QualityBasis = Static<typeof QualityBasis>;

export interface QueryAnswer {
  readonly isSuccess: true;
  readonly message: '';
  readonly data: {
    readonly list: readonly QueryRow[];
    readonly totals: QueryTotals;
    readonly viewerBasis?: ViewerBasis;
    readonly qualityBasis?: QualityBasis;
    readonly rowCount: number;
    readonly requestId: string;
    readonly pageSize: number;
    readonly nextToken: string;
  };
}

const since = Type.String({
  format: 'date-time',
  description:
    'Since when it is collected for this account; what was collected before is `Unknown`, or in ' +
    'no measure that needs it',
});

const MeasureDescription = Type.Object(
  {
    name: Type.Enum(audienceMeasureNames),
    unit: Type.String({ description: 'Empty for numbers of things' }),
    definition: Type.String(),
    additive: Type.Boolean({ description: 'Whether the total is always the sum of the rows' }),
    since,
  },
  { title: 'MeasureDescription', additionalProperties: false },
);

const DimensionDescription = Type.Object(
  {
    name: Type.String({ description: 'As in `dimensions` and `filters`' }),
    unit: Type.String({ description: 'Empty: dimensions have none' }),
    kind: Type.Enum(['time', 'content', 'audience']),
    definition: Type.String(),
    additive: Type.Literal(false),
    values: Type.Optional(
      Type.Array(Type.String(), { description: 'All values there are; absent: any' }),
    ),
    askedWith: Type.Optional(
      Type.String({ description: 'The dimension that must be asked for as well' }),
    ),
    source: Type.Optional(
      Type.String({ description: 'Where its values come from, as the service is configured' }),
    ),
    attribution: Type.Optional(
      Type.String({ description: 'To be shown wherever its values are shown' }),
    ),
    since,
  },
  { title: 'DimensionDescription', additionalProperties: false },
);

export const QuerySchemaAnswer = envelope('QuerySchemaAnswer', {
  measures: Type.Array(MeasureDescription),
  dimensions: Type.Array(DimensionDescription),
});

export interface QuerySchema {
  readonly measures: readonly Static<typeof MeasureDescription>[];
  readonly dimensions: readonly Static<typeof DimensionDescription>[];
}
