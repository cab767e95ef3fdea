/** Where players with CMCD version 2 report by themselves, without a tracker. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Room } from '../../collect/collector.ts';
import type { CmcdCollector } from '../../collect/forms/cmcd/cmcd-collector.ts';
import { isCmcd, longestLine } from '../../collect/forms/cmcd/cmcd-event.ts';
import { readJson } from '../../lib/values/json-text.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { ViewToken } from '../../vocabulary/view-token.ts';
import { BeaconsAnswer } from '../../wire/beacons/beacon.ts';
import { readParameters } from '../../wire/parameters.ts';
import { mostItemsIn } from '../limits/byte-limits.ts';
import type { AddressLimit } from '../limits/rate-limits.ts';
import { documented, type Operation } from '../openapi/operation.ts';
import { bodyFault } from '../server/fault-answers.ts';
import type { SenderAddress } from '../server/sender-address.ts';
import type { SenderOf } from './sender.ts';

const exampleEvent =
  'e=ps,sid="0b8f0b6e-7c2b-4f55-9f63-0a4b8f5d2c11",sn=4,sta=p,ts=1795169732480,v=2';
const bodyLimitBytes = 1_048_576;
const otherTypes = ['text/plain', 'application/octet-stream'] as const;
const maxEventsPerRequest = 1_000;

interface CmcdRequest {
  Params: { videoKey: string };
  Querystring: Record<string, string | string[]>;
  Body: string | undefined;
}

const TokenQuery = Type.Object({ token: Type.Optional(ViewToken) });
const CmcdQuery = Type.Object({
  CMCD: Type.String({
    minLength: 1,
    maxLength: longestLine,
    description: 'One event, as structured fields',
    examples: [exampleEvent],
  }),
  ...TokenQuery.properties,
});

interface CmcdParts {
  readonly cmcd: CmcdCollector;
  readonly addressLimit: AddressLimit;
  readonly addressOf: SenderAddress;
  readonly senderOf: SenderOf;
}

export function addCmcdRoutes(app: FastifyInstance, parts: CmcdParts): void {
  const { cmcd } = parts;
  const rooms = createRooms();
  const senderIn = ({ raw }: FastifyRequest) => parts.senderOf(raw, parts.addressOf(raw));
  // A scope of its own: no other path accepts these content types.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const asText = { parseAs: 'string' } as const;
    scope.addContentTypeParser('application/cmcd', asText, (_request, body, done) =>
      done(null, body),
    );
    // Some senders cannot name the type, and proxies forget it.
    scope.addContentTypeParser([...otherTypes], asText, (_request, body, done) =>
      isCmcd(String(body)) ? done(null, body) : done(notCmcd()),
    );
    const path = '/collect/v1/cmcd/:videoKey';
    const limited = (mostEvents: (request: FastifyRequest) => number) => ({
      async onRequest(request: FastifyRequest, reply: FastifyReply) {
        await parts.addressLimit(parts.addressOf(request.raw), reply.raw);
        rooms.keep(request, reply, await cmcd.requireRoom(mostEvents(request)));
      },
    });
    const ofBody = {
      ...documented(cmcdOperation),
      ...limited(({ raw }) => mostItemsIn(raw, maxEventsPerRequest)),
      bodyLimit: bodyLimitBytes,
    };
    scope.post<CmcdRequest>(path, ofBody, async (request) => {
      const { token } = readParameters(TokenQuery, request.query);
      const room = await rooms.arrived(request);
      const lines = readLines(request.body);
      const sender = { ...senderIn(request), token };
      return cmcd.collect(request.params.videoKey, lines, sender, room);
    });

    const ofQuery = { ...documented(cmcdQueryOperation), ...limited(() => 1) };
    scope.get<CmcdRequest>(path, ofQuery, async (request, reply) => {
      const { CMCD, token } = readParameters(CmcdQuery, request.query);
      reply.header('cache-control', 'no-store');
      // A HEAD reports nothing.
      if (request.method === 'HEAD') return reply.send();
      const room = await rooms.arrived(request);
      const sender = { ...senderIn(request), token };
      return cmcd.collect(request.params.videoKey, [CMCD], sender, room);
    });
  });
}

/** The rooms of requests that the framework reads: taken before their bodies, left at the end. */
interface Rooms {
  /** Call it before the body is read. The room is left when the request is answered or aborted. */
  keep(request: FastifyRequest, reply: FastifyReply, room: Room): void;
  /** Resolves to the room when it is the turn of the request, whose body has been read. */
  arrived(request: FastifyRequest): Promise<Room | undefined>;
}

function createRooms(): Rooms {
  const rooms = new WeakMap<FastifyRequest, Room>();
  return {
    keep(request, reply, room) {
      rooms.set(request, room);
      reply.raw.once('close', room.leave);
    },
    async arrived(request) {
      const room = rooms.get(request);
      await room?.arrived();
      return room;
    },
  };
}

function notCmcd(): Fault {
  return new Fault('UNSUPPORTED_MEDIA_TYPE', 'The body is not CMCD: a line of it has the key sid');
}

/** Generated clients send the lines as one JSON string. */
function unquote(body: string): string {
  if (!/^\s*"/.test(body)) return body;
  const text = readJson(Buffer.from(body));
  return text.ok && typeof text.value === 'string' ? text.value : body;
}

function readLines(body: string | undefined): readonly string[] {
  const lines = unquote(body ?? '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  if (lines.length === 0) throw bodyFault('must contain one event per line');
  if (lines.length > maxEventsPerRequest) {
    throw bodyFault(`must not contain more than ${maxEventsPerRequest} events`);
  }
  return lines;
}

const path = Type.Object({
  videoKey: Type.String({ description: 'Public key of the video in its package' }),
});
const answers: Operation['answers'] = {
  200: {
    description: 'Accepted events are safely stored.',
    headers: ['Server-Time'],
    content: { 'application/json': BeaconsAnswer },
  },
};

const cmcdQueryOperation: Operation = {
  operationId: 'sendCmcdEvent',
  tag: 'Collecting',
  summary: 'Report one event in CMCD version 2',
  description:
    'For Shaka Player 5.0 and 5.1, which send one event in the query. Otherwise the same as POST.',
  path,
  query: CmcdQuery,
  answers,
  faults: [
    'MISSING_PARAMETER',
    'INVALID_PARAMETER',
    'NOT_FOUND',
    'GONE',
    'RATE_LIMITED',
    'UNAVAILABLE',
  ],
};

const eventLines = Type.String({
  description: 'One event per line, as structured fields',
  examples: [exampleEvent],
});

const cmcdOperation: Operation = {
  operationId: 'sendCmcdEvents',
  tag: 'Collecting',
  summary: 'Report events in CMCD version 2',
  description: [
    'Set this URL as the `url` of an event target in the CMCD settings of hls.js, dash.js or ' +
      'Shaka Player. The target must send the keys `e`, `sid`, `sn`, `ts`, `sta` and `msd`, and ' +
      'the events `ps` and `t`, with an interval of at most 60 seconds.',
    'CMCD version 1, and request mode, are refused: they do not say when a video plays.',
    'Each `sid` is a view. Its events are identified by `sn` and `ts`, and may arrive twice, ' +
      'late, in other batches or out of order.',
    'Playback time runs from an event with `sta=p` to the event with the next `sn`, if they are ' +
      'at most 90 seconds apart; gaps are not estimated. The play is counted at the first event ' +
      'that reports playback. `ts` must lie within 48 hours before and 5 minutes after the ' +
      'current time.',
    'The answer is sent after the events are safely stored. Each refused event is listed in ' +
      `it; the others count. A request holds at most ${maxEventsPerRequest} events and ` +
      `${bodyLimitBytes / 2 ** 20} MiB, and an event at most ${longestLine} characters.`,
  ].join('\n\n'),
  path,
  query: TokenQuery,
  body: {
    'application/cmcd': eventLines,
    ...Object.fromEntries(otherTypes.map((type) => [type, eventLines])),
  },
  answers,
  faults: [
    'INVALID_PARAMETER',
    'NOT_FOUND',
    'GONE',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'RATE_LIMITED',
    'UNAVAILABLE',
  ],
};
