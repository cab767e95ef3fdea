/** /report/statistics/video/v2/viewers: who saw how much, by named viewers. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Catalog } from '../../catalog/catalog.ts';
import { readViewers } from '../../query/parse/curve-question.ts';
import { writeRecords } from '../../query/present/csv-text.ts';
import type { ViewersService } from '../../query/viewers/viewers.ts';
import { PageContinuation } from '../../wire/questions/audience-messages.ts';
import { createUnion } from '../../wire/questions/statistics-messages.ts';
import {
  ViewersAnswer,
  ViewersRequest,
  viewerColumns,
  viewersPath,
} from '../../wire/questions/viewers.ts';
import type { Operation } from '../openapi/operation.ts';
import type { AdmitReader } from '../shares/readers.ts';
import { addPagedRoute } from './query-routes.ts';

interface ViewersParts {
  readonly viewersService: ViewersService;
  readonly catalog: Pick<Catalog, 'labels'>;
  readonly admitReader: AdmitReader;
}

export function addViewersRoute(app: FastifyInstance, parts: ViewersParts): void {
  addPagedRoute(app, parts, {
    ...{ path: viewersPath, operation: viewers, service: parts.viewersService, read: readViewers },
    // Of no share: strangers are told of no single viewer.
    audience: [],
    csvOf: ({ rows }) => writeRecords(viewerColumns, rows),
  });
}

const viewers: Operation = {
  operationId: 'viewers',
  tag: 'Statistics',
  summary: 'Who completed a video, or the videos in a package',
  description: [
    'The first request must contain `sdate`, `edate` and `accessKey` or `packageId`. Its answer is ' +
      'a snapshot with one row for each viewer whom pages or tokens name, by what they saw in the ' +
      'range: of each video the union of all their views.',
    'Only where the account tells viewers apart by name alone (`viewers` is `named`); otherwise ' +
      'the answer is `403`. No name is kept: `viewer` is a hash, and whoever knows names asks for ' +
      'them in `names`. They stand in the URL then, and in the logs of proxies that write URLs.',
    'In a package those videos count that are in it now and have a length.',
    'Pages work as for all statistics: send `requestId` and `nextToken` of the previous answer. ' +
      'With `Accept: text/csv` the answer is everything at once, as CSV.',
    'More than 100,000 rows are refused with `TOO_MANY_ROWS`; shared links have no such list.',
  ].join('\n\n'),
  scope: 'stats:read',
  query: createUnion(ViewersRequest, PageContinuation),
  answers: {
    200: {
      description: 'A page of viewers, or all of them as CSV.',
      headers: ['As-Of', 'Complete-Through', 'RateLimit-Policy', 'RateLimit'],
      content: {
        'application/json': ViewersAnswer,
        'text/csv': Type.String({
          description:
            'A header with the names of the members, then a line a viewer (RFC 4180). Text that ' +
            "a spreadsheet would take for a formula begins with `'`.",
        }),
      },
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
