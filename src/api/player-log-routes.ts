/** What existing native players ask and send: a GET an event, no key. */
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Refusal } from '../collect/draft.ts';
import type { PlayerLog } from '../collect/player-log/player-log.ts';
import { Fault } from '../wire/faults.ts';
import { readParameters } from '../wire/parameters.ts';
import {
  noError,
  PlayerLogAnswer,
  PlayerLogRequest,
  StatsInfo,
  StatsInfoRequest,
} from '../wire/player-log.ts';
import type { AddressLimit } from './address-limit.ts';
import { documented, type Operation } from './openapi/operation.ts';
import { senderOf } from './sender-of.ts';

type Query = FastifyRequest<{ Querystring: Record<string, string | string[]> }>;

interface PlayerLogParts {
  readonly playerLog: PlayerLog;
  readonly addressLimit: AddressLimit;
}

export function addPlayerLogRoutes(app: FastifyInstance, parts: PlayerLogParts): void {
  const { playerLog } = parts;
  const limited = (operation: Operation): RouteShorthandOptions => ({
    ...documented(operation),
    onRequest: async (request, reply) => parts.addressLimit(request.ip, reply.raw),
  });
  const statsInfo = limited(statsInfoOperation);
  app.get('/v1/player/stats/info.json', statsInfo, async (request: Query, reply) => {
    const { k } = readParameters(StatsInfoRequest, request.query);
    const answer = await playerLog.statsInfo(k);
    if (!answer) throw new Fault('NOT_FOUND', 'There is no video of this key');
    reply.header('cache-control', 'no-store');
    return answer;
  });

  const videoPlays = limited(videoPlaysOperation);
  app.get('/play/api/videoPlays', videoPlays, async (request: Query, reply) => {
    const { data } = readParameters(PlayerLogRequest, request.query);
    const result = await playerLog.collect(data, senderOf(request));
    reply.header('cache-control', 'no-store');
    if (result.ok) return { errorInfo: noError };
    return { errorInfo: tellRefusal(result.reason) };
  });
}

/** A player that works is told what became of its event; else it is an error of the sender. */
function tellRefusal({ code, detail }: Refusal) {
  if (code === 'BOT' || code === 'ORIGIN') return { errorCode: code, errorMessage: detail };
  if (code === 'UNKNOWN_VIDEO') throw new Fault('NOT_FOUND', detail);
  throw new Fault('INVALID_PARAMETER', detail, { errors: [{ parameter: 'data', detail }] });
}

const statsInfoOperation: Operation = {
  operationId: 'playerStatsInfo',
  tag: 'Collecting',
  summary: 'What a native player has to send with its events',
  description:
    'For existing players that report by the player log. A session begins with this answer: a ' +
    'view is what `gid`, `pid`, `vid`, `uid` and `cs` name together.',
  query: StatsInfoRequest,
  answers: {
    200: {
      description: 'A session that begins now.',
      content: { 'application/json': StatsInfo },
    },
  },
  faults: ['MISSING_PARAMETER', 'INVALID_PARAMETER', 'NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE'],
};

const videoPlaysOperation: Operation = {
  operationId: 'recordPlayerEvent',
  tag: 'Collecting',
  summary: 'Take one event of a player log',
  description: [
    "For existing players. `vs`, or an event that tells of playing, counts the view's one play " +
      'at `cs`, read as UTC; where that cannot be the clock of this service, when the first ' +
      'such event arrived. `vi`, `vp` and `vt` count the range from `dst` to `det`; `vk` only ' +
      'where it is no longer than the reporting interval (5 s in the first minute of the ' +
      'video, then 10 s), because some players put the target of the seek into `det`.',
    'A range was played until it first arrived. The same range of the same view again, by ' +
      'whatever event, changes nothing. The answer comes after the event is durable.',
  ].join('\n\n'),
  query: PlayerLogRequest,
  answers: {
    200: {
      description: 'The event is counted, and durable; or it is set apart as that of a bot.',
      content: { 'application/json': PlayerLogAnswer },
    },
  },
  faults: ['MISSING_PARAMETER', 'INVALID_PARAMETER', 'NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE'],
};
