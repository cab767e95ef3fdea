/** Where players that speak CMCD version 2 report by themselves, without a tracker. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { CmcdCollector } from '../collect/cmcd/cmcd-collector.ts';
import { BeaconsAnswer } from '../wire/beacon.ts';
import type { AddressLimit } from './address-limit.ts';
import { bodyFault } from './answer-faults.ts';
import { mostItemsIn } from './most-items.ts';
import { documented, type Operation } from './openapi/operation.ts';
import { senderOf } from './sender-of.ts';

const bodyLimitBytes = 1_048_576;
const maxEventsPerRequest = 1_000;

interface CmcdRequest {
  Params: { videoKey: string };
  Body: string | undefined;
}

interface CmcdParts {
  readonly cmcd: CmcdCollector;
  readonly addressLimit: AddressLimit;
}

export function addCmcdRoutes(app: FastifyInstance, parts: CmcdParts): void {
  const { cmcd } = parts;
  // A scope of its own: no other address takes this content type.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const asText = { parseAs: 'string' } as const;
    scope.addContentTypeParser('application/cmcd', asText, (_request, body, done) =>
      done(null, body),
    );
    const options = {
      ...documented(cmcdOperation),
      bodyLimit: bodyLimitBytes,
      async onRequest(request: FastifyRequest, reply: FastifyReply) {
        await parts.addressLimit(request.ip, reply.raw);
        const leave = await cmcd.requireRoom(mostItemsIn(request.raw, maxEventsPerRequest));
        request.raw.once('close', leave);
      },
    };
    scope.post<CmcdRequest>('/collect/v1/cmcd/:videoKey', options, async (request) =>
      cmcd.collect(request.params.videoKey, readLines(request.body), senderOf(request)),
    );
  });
}

function readLines(body: string | undefined): readonly string[] {
  const lines = (body ?? '').split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length === 0) throw bodyFault('must hold an event a line');
  if (lines.length > maxEventsPerRequest) {
    throw bodyFault(`must not hold more than ${maxEventsPerRequest} events`);
  }
  return lines;
}

const cmcdOperation: Operation = {
  operationId: 'sendCmcdEvents',
  tag: 'Collecting',
  summary: 'Take events of CMCD version 2',
  description: [
    'The address is the `url` of an event target in the CMCD settings of hls.js, dash.js or ' +
      'Shaka Player. A view is a `sid`; its events are told apart by `sn` and `ts`, and may ' +
      'come again, late, in other batches or out of order. The target needs the keys `e`, ' +
      '`sid`, `sn`, `ts`, `sta` and `msd`, and the events `ps` and `t` with an interval of at ' +
      'most 60 seconds.',
    'Time is that from an event whose `sta` is `p` to the next, where no `sn` between them is ' +
      'missing and no more than 90 seconds lie between; nothing is guessed. The play is ' +
      'counted at the first event that says so. `ts` lies within 48 hours before and 5 minutes ' +
      'after now.',
    'The answer comes after the events are durable; one that is refused does not spoil the ' +
      `others. At most ${maxEventsPerRequest} events and ${bodyLimitBytes} bytes a request.`,
  ].join('\n\n'),
  path: Type.Object({ videoKey: Type.String({ description: 'Names a video in a package' }) }),
  body: {
    'application/cmcd': Type.String({
      description: 'An event a line, as structured fields',
      examples: ['e=ps,sid="0b8f0b6e-7c2b-4f55-9f63-0a4b8f5d2c11",sn=4,sta=p,ts=1795169732480,v=2'],
    }),
  },
  answers: {
    200: {
      description: 'What was accepted is durable.',
      content: { 'application/json': BeaconsAnswer },
    },
  },
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
