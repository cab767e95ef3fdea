/** /collect: where players report playback. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Collector } from '../../collect/collector.ts';
import type { Sender } from '../../collect/draft.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { BeaconsAnswer, BeaconsRequest, maxBeaconsPerRequest } from '../../wire/beacons/beacon.ts';
import { type Authenticate, keyOf } from '../authentication/authentication.ts';
import type { AddressLimit } from '../limits/address-limit.ts';
import { mostItemsIn } from '../limits/item-limit.ts';
import { createRooms } from '../limits/request-places.ts';
import { documented, type Operation } from '../openapi/operation.ts';
import type { SenderAddress } from '../server/sender-address.ts';
import { readBeacons } from './beacon-body.ts';
import type { SenderOf } from './sender.ts';

export const beaconsPath = '/collect/v1/beacons';
export const bodyLimitBytes = 1_048_576;

interface CollectParts {
  readonly clock: Clock;
  readonly authenticate: Authenticate;
  readonly collector: Collector;
  readonly addressLimit: AddressLimit;
  readonly addressOf: SenderAddress;
  readonly senderOf: SenderOf;
}

export function addCollectRoutes(app: FastifyInstance, parts: CollectParts): void {
  const { authenticate, collector } = parts;
  const rooms = createRooms();
  const options = {
    ...documented(beaconsOperation),
    bodyLimit: bodyLimitBytes,
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      // A tracker corrects its clock by this header, also where the request then fails.
      reply.header('server-time', String(parts.clock.now()));
      // A key is optional, but if there is one it must be valid: before the body is read.
      if (keyOf(request) !== undefined) {
        request.caller = await authenticate(request, reply, 'collect:write');
      } else {
        await parts.addressLimit(parts.addressOf(request.raw), reply.raw);
      }
      const most = mostItemsIn(request.raw, maxBeaconsPerRequest);
      rooms.keep(request, reply, await collector.requireRoom(most));
    },
  };
  // A scope of its own: here the body comes as bytes, and text/plain is accepted.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    for (const type of ['application/json', 'text/plain']) {
      scope.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) =>
        done(null, body),
      );
    }
    scope.post<{ Body: Buffer | undefined }>(beaconsPath, options, async (request) => {
      const address = parts.addressOf(request.raw);
      const sender: Sender = {
        accountId: request.caller?.accountId,
        ...parts.senderOf(request.raw, address),
      };
      const room = await rooms.arrived(request);
      return collector.collect(readBeacons(request.body ?? Buffer.alloc(0)), sender, room);
    });
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
