/** /collect: where players report playback. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Catalog } from '../catalog/catalog.ts';
import type { Collector } from '../collect/collector.ts';
import type { Sender } from '../collect/draft.ts';
import { BeaconsAnswer, BeaconsRequest, maxBeaconsPerRequest } from '../wire/beacon.ts';
import { Fault } from '../wire/faults.ts';
import type { AddressLimit } from './address-limit.ts';
import { bodyFault } from './answer-faults.ts';
import { authenticate, keyOf } from './authenticate.ts';
import { mostItemsIn } from './most-items.ts';
import { documented, type Operation } from './openapi/operation.ts';
import { senderOf } from './sender-of.ts';

export const beaconsPath = '/collect/v1/beacons';
export const bodyLimitBytes = 1_048_576;

interface CollectParts {
  readonly catalog: Catalog;
  readonly collector: Collector;
  readonly addressLimit: AddressLimit;
}

export function addCollectRoutes(app: FastifyInstance, parts: CollectParts): void {
  const { catalog, collector } = parts;
  const options = {
    ...documented(beaconsOperation),
    bodyLimit: bodyLimitBytes,
    async onRequest(request: FastifyRequest, reply: FastifyReply) {
      // A tracker corrects its clock by this header, also where the request then fails.
      reply.header('server-time', String(Date.now()));
      if (keyOf(request) === undefined) await parts.addressLimit(request.ip, reply.raw);
      const leave = await collector.requireRoom(mostItemsIn(request.raw, maxBeaconsPerRequest));
      request.raw.once('close', leave);
    },
  };
  app.post(beaconsPath, options, async (request) => {
    const sender = await identifySender(request, catalog);
    return collector.collect(readBeacons(request.body), sender);
  });
}

/** A key is not needed; one that comes along has to be good. */
async function identifySender(request: FastifyRequest, catalog: Catalog): Promise<Sender> {
  const withKey = keyOf(request) !== undefined;
  const caller = withKey ? await authenticate(request, catalog.keys, 'collect:write') : undefined;
  return { accountId: caller?.accountId, ...senderOf(request) };
}

/** The beacons in a body, each still to be checked; faults where there are none. */
export function readBeacons(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null || !('beacons' in body)) {
    throw bodyFault('must be an object with the member beacons');
  }
  const { beacons } = body;
  if (!Array.isArray(beacons)) throw beaconsFault('must be a list');
  if (beacons.length > maxBeaconsPerRequest) {
    throw beaconsFault(`must not hold more than ${maxBeaconsPerRequest}`);
  }
  return beacons;
}

function beaconsFault(detail: string): Fault {
  const errors = [{ parameter: 'beacons', detail }];
  return new Fault('INVALID_PARAMETER', `beacons ${detail}`, { errors });
}

const beaconsOperation: Operation = {
  operationId: 'sendBeacons',
  tag: 'Collecting',
  summary: 'Take beacons of playback',
  description: [
    'A beacon tells of one stretch: an uninterrupted run of playing inside a view. ' +
      '(view, stretch) holds the largest `playMs` ever sent for it, so a beacon may be sent ' +
      'again, late, twice or out of order, and changes nothing. All beacons of one stretch carry ' +
      'the same `at`.',
    'The answer comes after the beacons are durable. One that is refused does not spoil the ' +
      `others. At most ${maxBeaconsPerRequest} beacons and ${bodyLimitBytes} bytes a request.`,
    'Without a key, `videoKey` names the video and `at` lies within 48 hours before and 5 ' +
      'minutes after now. A key with the scope `collect:write` may say more, and of any past ' +
      'time. Sent as `text/plain`, a browser needs no preflight.',
  ].join('\n\n'),
  scope: 'collect:write',
  keyIsOptional: true,
  body: {
    'application/json': BeaconsRequest,
    'text/plain': Type.String({
      contentMediaType: 'application/json',
      contentSchema: BeaconsRequest,
      description: 'The same JSON',
    }),
  },
  answers: {
    200: {
      description: 'What was accepted is durable.',
      headers: ['Server-Time'],
      content: { 'application/json': BeaconsAnswer },
    },
  },
  faults: ['INVALID_PARAMETER', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'RATE_LIMITED'],
};
