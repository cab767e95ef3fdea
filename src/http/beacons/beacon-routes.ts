/** Describes POST /collect/v1/beacons, which is answered in direct-beacons.ts. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { BeaconsAnswer, BeaconsRequest, maxBeaconsPerRequest } from '../../wire/beacons/beacon.ts';
import { documented, type Operation } from '../openapi/operation.ts';
import { beaconsPath, bodyLimitBytes } from './direct-beacons.ts';

/** So that the framework knows the path: for other methods, preflights and nodes of other roles. */
export function addCollectRoutes(app: FastifyInstance): void {
  app.post(beaconsPath, documented(beaconsOperation), () => {
    throw new Error('beacons do not come to the framework');
  });
}

const beaconsOperation: Operation = {
  operationId: 'sendBeacons',
  tag: 'Collecting',
  summary: 'Report playback in beacons',
  description: [
    'A beacon reports how long one *stretch* has lasted so far: an uninterrupted run of playing ' +
      'within a view. For each (`view`, `stretch`) the largest `playMs` ever sent counts, so ' +
      'beacons may arrive late, twice or out of order. All beacons of a stretch carry the same ' +
      '`at`. Pausing, stalling or seeking ends a stretch; playing on begins the next.',
    'The answer is sent after the beacons are safely stored. Each refused beacon is listed in ' +
      `it; the others count. A request may have at most ${maxBeaconsPerRequest} beacons and ` +
      `${bodyLimitBytes / 2 ** 20} MiB.`,
    'Without an API key, `videoKey` identifies the video and `at` must lie within 48 hours ' +
      'before and 5 minutes after the current time. With a key that has the scope ' +
      '`collect:write`, `accessKey` and `packageId` may identify the video instead, `userAgent` ' +
      'may be sent, and `at` may be any time in the past. Beacons of days whose single facts the ' +
      'account has erased (`factsMonths`) are accepted all the same, but count nowhere: the ' +
      'ledger has them as `erased`. Browsers send `text/plain` without a preflight request.',
  ].join('\n\n'),
  scope: 'collect:write',
  keyIsOptional: true,
  body: {
    'application/json': BeaconsRequest,
    'text/plain': Type.String({
      contentMediaType: 'application/json',
      contentSchema: BeaconsRequest,
      description: 'The same JSON as text',
    }),
  },
  answers: {
    200: {
      description: 'Accepted beacons are safely stored.',
      headers: ['Server-Time'],
      content: { 'application/json': BeaconsAnswer },
    },
  },
  faults: ['INVALID_PARAMETER', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
};
