/** /report/.../v2: any question of the audience. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Catalog } from '../../catalog/catalog.ts';
import { writeCsv } from '../../query/export/answer-table.ts';
import type { Asker } from '../../query/parse/curve-question.ts';
import { declaredLabels } from '../../query/parse/dimension-parser.ts';
import { readQuery } from '../../query/parse/query-parser.ts';
import type { QueryService } from '../../query/query-service.ts';
import { type NotesBeside, notesBeside } from '../../query/run/answer-notes.ts';
import type { PagedAnswers } from '../../query/run/answer-pages.ts';
import type { Moment } from '../../query/run/moment.ts';
import type { Parameters } from '../../query/shares/pin.ts';
import type { CountrySource } from '../../vocabulary/country-source.ts';
import { readParameters } from '../../wire/parameters.ts';
import {
  PageContinuation,
  QueryAnswer,
  QueryRequest,
  QuerySchemaAnswer,
  queryPath,
  schemaPath,
} from '../../wire/questions/audience-messages.ts';
import { basisHeader, qualityBasisHeader } from '../../wire/questions/bases.ts';
import { createUnion } from '../../wire/questions/statistics-messages.ts';
import { documented, type Operation } from '../openapi/operation.ts';
import type { AdmitReader, Audience } from '../shares/readers.ts';
import { acceptsCsv, sendCsv } from './csv-answer.ts';

type ReportRequest = FastifyRequest<{ Querystring: Record<string, string | string[]> }>;

interface AudienceParts {
  readonly queryService: QueryService;
  readonly catalog: Pick<Catalog, 'labels'>;
  readonly countrySource: CountrySource;
  readonly admitReader: AdmitReader;
}

export function addAudienceRoutes(app: FastifyInstance, parts: AudienceParts): void {
  const { admitReader, queryService } = parts;
  addPagedRoute(app, parts, {
    ...{ path: queryPath, operation: query, audience: ['overview', 'video'] },
    ...{ service: queryService, read: readQuery },
    csvOf: (whole, question, reply) => {
      withNotes(reply, notesBeside(whole, question, parts.countrySource));
      return writeCsv(whole.rows, question);
    },
  });

  app.get(schemaPath, documented(schema), async (request, reply) => {
    const { accountId } = await admitReader(request, reply, ['overview', 'video']);
    const declared = await parts.catalog.labels.list(accountId);
    const labels = new Map(declared.map(({ name, declaredAt }) => [name, declaredAt.getTime()]));
    const data = await queryService.describe(accountId, labels);
    return reply.header('cache-control', 'no-store').send({ isSuccess: true, message: '', data });
  });
}

interface PagedRoute<Question, About, Row> {
  readonly path: string;
  readonly operation: Operation;
  readonly audience: Audience;
  readonly service: PagedAnswers<Question, About, Row>;
  readonly read: (parameters: Parameters, asker: Asker) => Question;
  /** Also sets the headers that stand beside it. */
  csvOf(
    whole: About & { readonly rows: readonly Row[] },
    question: Question,
    reply: FastifyReply,
  ): Iterable<string>;
}

/** Answers with a page of a snapshot, or with everything as CSV. */
export function addPagedRoute<Question, About, Row>(
  app: FastifyInstance,
  { catalog, admitReader }: Pick<AudienceParts, 'catalog' | 'admitReader'>,
  { operation, audience, service, read, csvOf, ...route }: PagedRoute<Question, About, Row>,
): void {
  app.get(route.path, documented(operation), async (request: ReportRequest, reply) => {
    const reader = await admitReader(request, reply, audience);
    const { accountId } = reader;
    reply.header('vary', 'accept');
    const given = reader.pin(request.query);
    const path = reader.continuedAt(route.path);
    if (given.requestId || given.nextToken) {
      const continuation = readParameters(PageContinuation, given);
      const report = await service.continue(continuation, { accountId, path });
      reader.holdUnsent(report.answer.data.list.length);
      return withMoment(reply, report).send(report.answer);
    }
    const labels = await declaredLabels(catalog.labels, accountId);
    const question = read(given, { ...reader, labels });
    if (!acceptsCsv(request.headers.accept)) {
      const report = await reader.answer(
        () => service.ask(question, path),
        ({ answer }) => answer.data.list.length,
      );
      return withMoment(reply, report).send(report.answer);
    }
    const whole = await reader.answer(
      () => service.askWhole(question),
      ({ rows }) => rows.length,
    );
    return sendCsv(reply, csvOf(whole, question, withMoment(reply, whole)), given.bom);
  });
}

export function withMoment(reply: FastifyReply, { asOf, completeThrough }: Moment): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('as-of', asOf.toISOString())
    .header('complete-through', completeThrough.toISOString());
}

/** Rows alone have no room for them; the JSON and the schema do. */
export function withNotes(
  reply: FastifyReply,
  { viewerBasis, qualityBasis, attribution }: Partial<NotesBeside>,
): FastifyReply {
  if (viewerBasis) reply.header('viewer-basis', basisHeader(viewerBasis));
  if (qualityBasis) reply.header('quality-basis', qualityBasisHeader(qualityBasis));
  if (attribution) reply.header('country-attribution', attribution);
  return reply;
}

const csv = {
  type: 'string' as const,
  description:
    'All rows, without pages (RFC 4180): a header, the dimensions, the measures, and with ' +
    '`compare` a column `previous.NAME` for each measure. Text that a spreadsheet would take ' +
    "for a formula begins with `'`.",
};

const schema: Operation = {
  operationId: 'querySchema',
  tag: 'Statistics',
  summary: 'Measures and dimensions',
  isForShares: true,
  description:
    'Every measure and dimension that `query` takes, with its definition, and since when it is ' +
    'collected for this account.',
  scope: 'stats:read',
  answers: {
    200: {
      description: 'The measures and dimensions, in the order of the reference.',
      headers: ['RateLimit-Policy', 'RateLimit'],
      content: { 'application/json': QuerySchemaAnswer },
    },
  },
};

const query: Operation = {
  operationId: 'query',
  tag: 'Statistics',
  summary: 'Any measures by any dimensions',
  isForShares: true,
  description: [
    'The first request must contain `sdate`, `edate` and `measures`. Its answer is a snapshot ' +
      'with one row for each combination of the dimensions that has playback (or, with a measure ' +
      'of quality, a wait), and the totals of ' +
      'everything that the filters let through. Measures are of the playback in the range: plays ' +
      'by when they were counted, time and positions by when they were played.',
    'For additive measures the totals are the sum of the rows; for all others, such as viewers, ' +
      'they are values of their own. Where a measure of viewers is asked for, `viewerBasis` says ' +
      'what it rests on; beside CSV, the header `Viewer-Basis`. Likewise `qualityBasis` and ' +
      '`Quality-Basis`, where a measure of quality is asked for.',
    'Pages work as for all statistics: send `requestId` and `nextToken` of the previous answer. ' +
      'With `Accept: text/csv` the answer is everything at once, as CSV.',
    'An account may have one question running that reads many single facts; others wait for it. ' +
      "Beyond the account's share of the engine's time, or after 20 seconds, the answer is `429`.",
    'More than 100,000 rows are refused with `TOO_MANY_ROWS`; `detail` says how many there are.',
  ].join('\n\n'),
  scope: 'stats:read',
  query: createUnion(QueryRequest, PageContinuation),
  answers: {
    200: {
      description: 'A page of rows, or all rows as CSV.',
      headers: [
        'As-Of',
        'Complete-Through',
        'Viewer-Basis',
        'Quality-Basis',
        'Country-Attribution',
        'RateLimit-Policy',
        'RateLimit',
      ],
      content: { 'application/json': QueryAnswer, 'text/csv': csv },
    },
  },
  faults: [
    'MISSING_PARAMETER',
    'INVALID_PARAMETER',
    'TOO_MANY_ROWS',
    'TOKEN_INVALID',
    'TOKEN_EXPIRED',
  ],
};
