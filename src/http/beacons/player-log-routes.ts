/** The requests of existing native players: one GET an event, no key. */
import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Refusal } from '../../collect/draft.ts';
import type { PlayerLog } from '../../collect/forms/player-log/player-log.ts';
import { Fault } from '../../vocabulary/faults.ts';
import {
  type ErrorInfo,
  IgnoredRequest,
  noError,
  PlayerLogAnswer,
  PlayerLogRequest,
  StatsInfo,
  StatsInfoRequest,
  VideoDetail,
} from '../../wire/beacons/player-log.ts';
import { readParameters } from '../../wire/parameters.ts';
import { type ContentPlace, findContentUrl } from '../library/content-url.ts';
import type { AddressLimit } from '../limits/rate-limits.ts';
import { documented, type Operation } from '../openapi/operation.ts';
import type { SenderAddress } from '../server/sender-address.ts';
import type { SenderOf } from './sender.ts';

type Query = FastifyRequest<{ Querystring: Record<string, string | string[]> }>;

interface PlayerLogParts extends ContentPlace {
  readonly playerLog: PlayerLog;
  readonly addressLimit: AddressLimit;
  readonly addressOf: SenderAddress;
  readonly senderOf: SenderOf;
}

export function addPlayerLogRoutes(app: FastifyInstance, parts: PlayerLogParts): void {
  const { playerLog } = parts;
  const add = (
    path: string,
    operation: Operation,
    answer: (request: Query) => Promise<unknown>,
  ): void => {
    const options: RouteShorthandOptions = {
      ...documented(operation),
      onRequest: async (request, reply) =>
        parts.addressLimit(parts.addressOf(request.raw), reply.raw),
    };
    app.get(path, options, async (request: Query, reply) => {
      reply.header('cache-control', 'no-store');
      return answer(request);
    });
  };

  add('/v1/new/player/video.json', videoDetailOperation, async (request) => {
    const { k } = readParameters(StatsInfoRequest, request.query);
    const found = await playerLog.videoDetail(k, findContentUrl(parts, request));
    return found ?? refuseKey();
  });

  add('/v1/player/stats/info.json', statsInfoOperation, async (request) => {
    const { k } = readParameters(StatsInfoRequest, request.query);
    return (await playerLog.statsInfo(k)) ?? refuseKey();
  });

  add('/play/api/videoPlays', videoPlaysOperation, async (request) => {
    // A HEAD reports nothing.
    if (request.method === 'HEAD') return { errorInfo: noError };
    const sender = parts.senderOf(request.raw, parts.addressOf(request.raw));
    const result = await playerLog.collect(request.query.data, sender);
    return { errorInfo: result.ok ? noError : toErrorInfo(result.reason) };
  });

  for (const [path, operation] of ignored) {
    add(path, operation, async () => ({ errorInfo: noError }));
  }
}

function refuseKey(): never {
  throw new Fault('NOT_FOUND', 'No video has this key');
}

/** Not an HTTP error: native players stop or crash at anything but 200. */
function toErrorInfo({ code, detail }: Refusal): ErrorInfo {
  return { errorCode: code, errorMessage: detail };
}

const videoDetailOperation: Operation = {
  operationId: 'playerVideoDetail',
  tag: 'Collecting',
  summary: 'Get the video for a native player',
  description: 'Existing native players request this first, to learn where the video is.',
  query: StatsInfoRequest,
  answers: {
    200: {
      description: 'The video with this key.',
      content: { 'application/json': VideoDetail },
    },
  },
  faults: ['MISSING_PARAMETER', 'INVALID_PARAMETER', 'NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE'],
};

const statsInfoOperation: Operation = {
  operationId: 'playerStatsInfo',
  tag: 'Collecting',
  summary: 'Start a player log session',
  description:
    'For existing native players that report a player log. `gid`, `pid`, `vid`, `uid` and `cs` ' +
    'together identify the view; send them back with every event.',
  query: StatsInfoRequest,
  answers: {
    200: {
      description: 'A new session.',
      content: { 'application/json': StatsInfo },
    },
  },
  faults: ['MISSING_PARAMETER', 'INVALID_PARAMETER', 'NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE'],
};

const videoPlaysOperation: Operation = {
  operationId: 'recordPlayerEvent',
  tag: 'Collecting',
  summary: 'Report one event of a player log',
  description: [
    "For existing players. The first `vs`, or event that reports playing, counts the view's one " +
      "play: at `cs`, read as UTC, or when the event arrived if `cs` cannot be this service's " +
      'time. `vi`, `vp` and `vt` count the range from `dst` to `det`; a `vt` without `dst` ' +
      'counts from the end of the last range. `vk` counts only if it is no longer than the ' +
      'reporting interval (5 s in the first minute of the video, then 10 s), because some ' +
      'players put the target of the seek into `det`.',
    'A range is taken to end when its event arrives. If the same range of a view arrives again ' +
      'after at least its own length less a second, it was played again; sooner, it is a copy. ' +
      'All ranges together are never longer than the session.',
    'The answer is sent after the event is safely stored. It is 200 even if the event does not ' +
      'count, or `data` is missing, given twice, too long or no event: `errorCode` says why, and ' +
      'so does the ledger. Only a limit (429) and an outage (503) are answered otherwise.',
  ].join('\n\n'),
  query: PlayerLogRequest,
  answers: {
    200: {
      description: 'The event is safely stored, or `errorCode` says why it does not count.',
      content: { 'application/json': PlayerLogAnswer },
    },
  },
  faults: ['RATE_LIMITED', 'UNAVAILABLE'],
};

function ignoredOperation(operationId: string, what: string): Operation {
  return {
    operationId,
    tag: 'Collecting',
    summary: `Accept ${what} from a native player (not counted)`,
    description: 'Existing native players send these beside the player log. They are ignored.',
    query: IgnoredRequest,
    answers: {
      200: {
        description: 'Received and ignored.',
        content: { 'application/json': PlayerLogAnswer },
      },
    },
    faults: ['RATE_LIMITED'],
  };
}

const ignored = [
  ['/video/api/videoSections', ignoredOperation('ignorePlayerSections', 'sections')],
  ['/video/api/videoCuePoints', ignoredOperation('ignorePlayerCuePoints', 'cue points')],
] as const;
