/** /report: the statistics queries. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Catalog } from '../catalog/catalog.ts';
import { readQuestion } from '../report/read-question.ts';
import type { Report, Reporter } from '../report/reporter.ts';
import { readParameters } from '../wire/parameters.ts';
import {
  answerOf,
  anyRequest,
  ContinuationRequest,
  type FirstRequest,
  firstRequest,
  type StatisticName,
  statistics,
} from '../wire/statistics.ts';
import { authenticate } from './authenticate.ts';
import { documented, type Operation } from './openapi/operation.ts';
import type { RateLimit } from './rate-limit.ts';

type Query = FastifyRequest<{ Querystring: Record<string, string | string[]> }>;

interface ReportParts {
  readonly catalog: Catalog;
  readonly reporter: Reporter;
  readonly rateLimit: RateLimit;
}

export function addReportRoutes(app: FastifyInstance, parts: ReportParts): void {
  const { catalog, reporter, rateLimit } = parts;
  for (const name of Object.keys(statistics) as StatisticName[]) {
    const { path: address } = statistics[name];
    const schema = firstRequest(name);
    app.get(address, documented(operationOf(name)), async (request: Query, reply) => {
      const caller = await authenticate(request, catalog.keys, 'stats:read');
      await rateLimit(caller, reply);
      const { query } = request;
      if (query.requestId !== undefined || query.nextToken !== undefined) {
        const continuation = readParameters(ContinuationRequest, query);
        const of = { accountId: caller.accountId, address };
        return send(reply, await reporter.continue(continuation, of));
      }
      const first = readParameters(schema, query) as FirstRequest;
      return send(reply, await reporter.ask(readQuestion(name, first, caller)));
    });
  }
}

function send(reply: FastifyReply, { answer, asOf, completeThrough }: Report) {
  reply.header('cache-control', 'no-store');
  reply.header('as-of', asOf.toISOString());
  reply.header('complete-through', completeThrough.toISOString());
  return answer;
}

function operationOf(name: StatisticName): Operation {
  const { id, summary, ownLabel, oneDay } = statistics[name];
  const range = name === 'detail' ? '`sdate`, `edate` and `os`' : '`sdate` and `edate`';
  const asks = oneDay ? '`date`' : range;
  return {
    operationId: id,
    tag: 'Statistics',
    summary,
    description: [
      `A first request gives ${asks}. Its answer is one snapshot, a row for each \`${ownLabel}\` ` +
        'with playback. Where `nextToken` is not empty, further rows are had by a continuation: ' +
        'the same path with `requestId` and `nextToken` of the answer before, and `pageSize`, ' +
        'which may change from page to page. All other parameters are then ignored.',
      'All pages together hold every row once, in order, while beacons keep arriving. A token ' +
        'may be used again, and gives the same page.',
    ].join('\n\n'),
    scope: 'stats:read',
    query: anyRequest(name),
    answers: {
      200: {
        description: 'A page of the answer.',
        headers: ['As-Of', 'Complete-Through', 'RateLimit-Policy', 'RateLimit'],
        content: { 'application/json': answerOf(name) },
      },
    },
    faults: [
      'MISSING_PARAMETER',
      'INVALID_PARAMETER',
      'TOKEN_INVALID',
      'TOKEN_EXPIRED',
      'RATE_LIMITED',
    ],
  };
}
