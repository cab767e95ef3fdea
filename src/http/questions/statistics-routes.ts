/** /report: the statistics queries. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { QueryReport, QueryService } from '../../query/query-service.ts';
import { presentStatistic, readStatistic } from '../../query/statistic-preset.ts';
import { toReadStatistics } from '../../vocabulary/member-roles.ts';
import { type StatisticName, statisticNames, statistics } from '../../vocabulary/statistics.ts';
import { readParameters } from '../../wire/parameters.ts';
import {
  anyRequest,
  ContinuationRequest,
  createAnswer,
  requiredParameters,
} from '../../wire/questions/statistics-messages.ts';
import type { Authenticate } from '../authentication/authentication.ts';
import type { ConcurrencyLimit } from '../limits/concurrency-limits.ts';
import type { RateLimit } from '../limits/rate-limits.ts';
import { documented, type Operation } from '../openapi/operation.ts';
import { packagesSeenBy, pathWithin } from '../shares/readers.ts';
import { withMoment } from './query-routes.ts';

type Query = FastifyRequest<{ Querystring: Record<string, string | string[]> }>;

interface ReportParts {
  readonly queryService: QueryService;
  readonly authenticate: Authenticate;
  readonly rateLimit: RateLimit;
  readonly limitQuestions: ConcurrencyLimit;
}

export function addReportRoutes(app: FastifyInstance, parts: ReportParts): void {
  const { authenticate, queryService, rateLimit, limitQuestions } = parts;
  for (const name of statisticNames) {
    const { path } = statistics[name];
    app.get(path, documented(describeOperation(name)), async (request: Query, reply) => {
      const caller = await authenticate(request, reply, toReadStatistics);
      await rateLimit(caller, reply);
      const { accountId, timeZone } = caller;
      const packageIds = packagesSeenBy(caller);
      const continuedAt = pathWithin(path, packageIds);
      const { query } = request;
      const send = (report: QueryReport) =>
        withMoment(reply, report).send(presentStatistic(name, report.answer));
      if (query.requestId || query.nextToken) {
        const continuation = readParameters(ContinuationRequest, query);
        const of = { accountId, path: continuedAt };
        return send(await queryService.continue(continuation, of));
      }
      const question = readStatistic(name, query, { accountId, timeZone, packageIds });
      return send(await limitQuestions(caller, () => queryService.ask(question, continuedAt)));
    });
  }
}

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' });

function describeOperation(name: StatisticName): Operation {
  const { id, summary, ownLabel } = statistics[name];
  const gives = list.format(requiredParameters(name).map((parameter) => `\`${parameter}\``));
  return {
    operationId: id,
    tag: 'Statistics',
    summary,
    description: [
      `The first request must contain ${gives}. Its answer is a snapshot with one row for each ` +
        `\`${ownLabel}\` that has playback.`,
      'If `nextToken` is not empty, there are more rows. To get them, send a *continuation*: the ' +
        'same path with `requestId` and `nextToken` of the previous answer. `pageSize` may ' +
        'change from page to page; all other parameters are ignored.',
      'All pages belong to the same snapshot: together they hold every row once, in order, even ' +
        'while new beacons arrive. The same token always gives the same page, until it ' +
        'expires: after an hour by default, or earlier if the account has stored many newer ' +
        'answers. Then the answer is `410`: send the first request again.',
      'An account may have 8 requests running and 100 waiting; beyond that the answer is `429`. ' +
        'The ledger shows how often that happened.',
    ].join('\n\n'),
    scope: 'stats:read',
    query: anyRequest(name),
    answers: {
      200: {
        description: 'A page of rows.',
        headers: ['As-Of', 'Complete-Through', 'RateLimit-Policy', 'RateLimit'],
        content: { 'application/json': createAnswer(name) },
      },
    },
    faults: ['MISSING_PARAMETER', 'INVALID_PARAMETER', 'TOKEN_INVALID', 'TOKEN_EXPIRED'],
  };
}
