/** /report/statistics/video/v2: curves over the media and over time, and who watches now. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type, { type TObject } from 'typebox';
import type { Catalog } from '../../catalog/catalog.ts';
import { nextTurn } from '../../lib/tasks/fair-turns.ts';
import { mapPortions } from '../../lib/tasks/work-portions.ts';
import type { CurveReport, Curves } from '../../query/curve-service.ts';
import {
  type Asker,
  readConcurrency,
  readDistribution,
  readLive,
  readRetention,
} from '../../query/parse/curve-question.ts';
import { declaredLabels } from '../../query/parse/dimension-parser.ts';
import { writeRecords } from '../../query/present/csv-text.ts';
import type { NotesBeside } from '../../query/run/answer-notes.ts';
import {
  type Concurrency,
  ConcurrencyAnswer,
  ConcurrencyRequest,
  concurrencyColumns,
  type Live,
  LiveAnswer,
  LiveRequest,
  liveColumns,
  type Retention,
  RetentionAnswer,
  RetentionRequest,
  retentionColumns,
} from '../../wire/questions/curves.ts';
import {
  type Distribution,
  DistributionAnswer,
  DistributionRequest,
  distributionColumns,
} from '../../wire/questions/distribution.ts';
import type { HeaderName } from '../openapi/headers.ts';
import { documented, type Operation } from '../openapi/operation.ts';
import type { AdmitReader, Audience } from '../shares/readers.ts';
import { acceptsCsv, sendCsv } from './csv-answer.ts';
import { withMoment, withNotes } from './query-routes.ts';

type Query = FastifyRequest<{ Querystring: Record<string, string | string[]> }>;
type AnyQuery = Record<string, string | string[]>;

interface CurveParts {
  readonly curves: Curves;
  readonly catalog: Pick<Catalog, 'labels'>;
  readonly admitReader: AdmitReader;
}

/** A question that was checked. */
interface Curve<Data> {
  ask(): Promise<CurveReport<Data>>;
  rowsOf(data: Data): number;
  csvOf(data: Data): Iterable<string>;
  /** What stands beside CSV. */
  notesOf?(data: Data): Partial<NotesBeside>;
}

const root = '/report/statistics/video/v2';

export function addCurveRoutes(app: FastifyInstance, parts: CurveParts): void {
  const { curves } = parts;
  const add = <Data extends object>(
    path: string,
    operation: Operation,
    audience: Audience,
    /** Checks the question first: what is wrong with it needs no place in the line. */
    read: (query: AnyQuery, asker: Asker) => Curve<Data>,
  ) =>
    app.get(root + path, documented(operation), async (request: Query, reply) => {
      const reader = await parts.admitReader(request, reply, audience);
      const { accountId, timeZone, packageIds } = reader;
      const labels = await declaredLabels(parts.catalog.labels, accountId);
      const asker = { accountId, timeZone, labels, packageIds };
      const curve = read(reader.pin(request.query), asker);
      const report = await reader.answer(curve.ask, ({ data }) => curve.rowsOf(data));
      const { data } = report;
      withMoment(reply.header('vary', 'accept'), report);
      if (acceptsCsv(request.headers.accept)) {
        withNotes(reply, curve.notesOf?.(data) ?? {});
        return sendCsv(reply, curve.csvOf(data), request.query.bom);
      }
      reply.type('application/json; charset=utf-8');
      return `{"isSuccess":true,"message":"","data":${await formatJson(data)}}`;
    });

  add<Retention>('/retention', retention, ['video'], (query, asker) => {
    const question = readRetention(query, asker);
    return {
      ask: () => curves.retention(question),
      rowsOf: ({ list }) => list.length,
      csvOf: ({ list }) => writeRecords(retentionColumns, list),
    };
  });
  add<Concurrency>('/concurrency', concurrency, ['overview', 'video'], (query, asker) => {
    const question = readConcurrency(query, asker);
    return {
      ask: () => curves.concurrency(question),
      rowsOf: ({ list }) => list.length,
      csvOf: ({ list }) => writeRecords(concurrencyColumns, list),
    };
  });
  add<Distribution>('/distribution', distribution, ['overview', 'video'], (query, asker) => {
    const question = readDistribution(query, asker);
    return {
      ask: () => curves.distribution(question),
      rowsOf: ({ list }) => list.length,
      csvOf: ({ list }) => writeRecords(distributionColumns, list),
      notesOf: ({ qualityBasis }) => ({ qualityBasis }),
    };
  });
  // Now is in the days of no share that shows days gone by.
  add<Live>('/live', live, [], (query, asker) => {
    const { list, ...question } = readLive(query, asker);
    return {
      ask: () => curves.live(question),
      rowsOf: ({ videos }) => videos.length,
      csvOf: ({ videos, lastMinutes }) =>
        list === 'videos'
          ? writeRecords(liveColumns.videos, videos)
          : writeRecords(liveColumns.lastMinutes, lastMinutes),
    };
  });
}

const pace = { size: 1_000, takeTurn: nextTurn };

/** Ten years have 87,000 hours: players' beacons have their turn between them. */
async function formatJson(data: object): Promise<string> {
  const members = Object.entries(data).map(async ([name, value]) => {
    const isList = Array.isArray(value);
    const json = isList
      ? `[${(await mapPortions(value, pace, (item) => JSON.stringify(item))).join(',')}]`
      : JSON.stringify(value);
    return `${JSON.stringify(name)}:${json}`;
  });
  return `{${(await Promise.all(members)).join(',')}}`;
}

const whatCounts =
  'What counts is what counts in plays and playback time: playback that was set apart as unusual ' +
  'only once it was accepted.';

const csvForm =
  'A header with the names of the members, then a line a row (RFC 4180). Text that a spreadsheet ' +
  "would take for a formula begins with `'`.";

function describeOperation(
  described: Pick<Operation, 'operationId' | 'summary' | 'isForShares'> & {
    readonly paragraphs: readonly string[];
    readonly query: TObject;
    readonly answer: TObject;
    readonly content: string;
    /** The list that CSV has. */
    readonly csv: string;
    /** What stands beside that, as it has no room for it. */
    readonly beside?: readonly HeaderName[];
  },
): Operation {
  const { paragraphs, answer, content, csv, beside = [], ...others } = described;
  return {
    ...{ ...others, tag: 'Statistics', scope: 'stats:read' },
    description: [...paragraphs, whatCounts, csv].join('\n\n'),
    answers: {
      200: {
        description: content,
        headers: ['As-Of', 'Complete-Through', ...beside, 'RateLimit-Policy', 'RateLimit'],
        content: { 'application/json': answer, 'text/csv': Type.String({ description: csvForm }) },
      },
    },
    faults: ['MISSING_PARAMETER', 'INVALID_PARAMETER'],
  };
}

const retention = describeOperation({
  operationId: 'retention',
  summary: 'How far people watch a video',
  isForShares: true,
  paragraphs: [
    'The length of the video is cut into equal parts; the border before part *n* is at ' +
      'floor(*n* × length / parts) milliseconds. Only what was played in the range counts.',
    'Views that reported no positions are in `views` and in nothing else. Players that speak ' +
      'CMCD report none.',
    'A video that the account does not have gives an empty list; one without a length in the ' +
      'catalog is an error: set its `duration` first, or name a length in `lengthMs`.',
  ],
  query: RetentionRequest,
  answer: RetentionAnswer,
  content: 'The parts of the video, in order.',
  csv: 'With `Accept: text/csv` the answer is `list` as CSV.',
});

const concurrency = describeOperation({
  operationId: 'concurrency',
  summary: 'How many people watch at once',
  isForShares: true,
  paragraphs: [
    'A stretch plays from its start to its end; of one that ends and one that begins at the same ' +
      'instant only one is playing. `peak` is the largest number of stretches that played at one ' +
      'instant of the interval, for exactly these filters; `average` is the playback time in the ' +
      'interval / its length.',
    'Intervals are those of the zone: a day has 23 or 25 hours where its clock is set, and an ' +
      'hour that comes twice has two rows.',
    'Playback whose start is not known is in `average` and in no peak.',
  ],
  query: ConcurrencyRequest,
  answer: ConcurrencyAnswer,
  content: 'A row for every interval of the range.',
  csv: 'With `Accept: text/csv` the answer is `list` as CSV.',
});

const distribution = describeOperation({
  operationId: 'distribution',
  summary: 'How a measure is spread over views',
  isForShares: true,
  paragraphs: [
    'Each view with a value is in one bucket, and in the mean and the percentiles, which are ' +
      'exact; of start-up, each start. Values are whole milliseconds or kilobits a second, and ' +
      'shares of four decimals.',
    'Only views that report waits are in `startupMs`, `stallMs` and `bitrate`; `qualityBasis` ' +
      'says on how many attempts they rest, and of how many views in the range; beside CSV, the ' +
      'header `Quality-Basis`.',
  ],
  query: DistributionRequest,
  answer: DistributionAnswer,
  content: 'The buckets, from the smallest values.',
  beside: ['Quality-Basis'],
  csv: 'With `Accept: text/csv` the answer is `list` as CSV.',
});

const live = describeOperation({
  operationId: 'live',
  summary: 'Who watches now',
  paragraphs: [
    'How many stretches are playing, of which videos, and how many in the last minutes.',
  ],
  query: LiveRequest,
  answer: LiveAnswer,
  content: 'What is playing.',
  csv: 'With `Accept: text/csv` the answer is one list as CSV: the one that `list` names.',
});
