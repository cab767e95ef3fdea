/**
 * Answers POST /collect/v1/beacons, which comes by the thousand, past the framework: that would
 * take half as long again. See docs/decisions/direct-beacons.md.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Collector } from '../../collect/collector.ts';
import type { ObserveValue } from '../../lib/telemetry.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { readJson } from '../../lib/values/json-text.ts';
import { Fault, toProblem } from '../../vocabulary/faults.ts';
import { BeaconsAnswer, BeaconsRequest, maxBeaconsPerRequest } from '../../wire/beacons/beacon.ts';
import { type Authenticate, findKey } from '../authentication/authentication.ts';
import { type BodyMemory, gatherPieces, type Holding, mostItemsIn } from '../limits/byte-limits.ts';
import type { AddressLimit } from '../limits/rate-limits.ts';
import { documented, type Operation } from '../openapi/operation.ts';
import {
  bodyFault,
  createHeaders,
  type NoteFault,
  requestIdHeader,
  toFault,
} from '../server/fault-answers.ts';
import { framingFault } from '../server/framing.ts';
import { keepAlive } from '../server/idle-timeout.ts';
import { repeatedHeader } from '../server/repeated-headers.ts';
import type { MeterOf } from '../server/request-metrics.ts';
import type { SenderAddress } from '../server/sender-address.ts';
import type { SenderOf } from './sender.ts';

const beaconsPath = '/collect/v1/beacons';
const bodyLimitBytes = 1_048_576;
const usualTypes = ['text/plain', 'text/plain;charset=UTF-8', 'application/json'];
const acceptedTypes = /^ *(?:application\/json|text\/plain)\s*(?:;|$)/i;

const measured = { method: 'POST', route: beaconsPath };
const jsonType = ['content-type', 'application/json; charset=utf-8'];

interface DirectParts {
  readonly clock: Clock;
  readonly collector: Collector;
  readonly authenticate: Authenticate;
  readonly addressLimit: AddressLimit;
  readonly bodyMemory: BodyMemory;
  readonly meterOf: MeterOf;
  readonly logger: FastifyBaseLogger;
  readonly noteFault: NoteFault;
  readonly addressOf: SenderAddress;
  readonly senderOf: SenderOf;
  /** Called for each answer. */
  readonly noteSent: (response: ServerResponse) => void;
  /** So long may a receiver stand still. */
  readonly silenceMs: number;
  /** Headers of every answer to a player. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers the request if it brings beacons; otherwise leaves it alone and returns false. */
export type TakeDirectly = (request: IncomingMessage, response: ServerResponse) => boolean;

export function takeBeaconsDirectly(parts: DirectParts): TakeDirectly {
  const accepted = parts.meterOf({ ...measured, status: 200 });
  const direct = {
    ...parts,
    lastHeaders: flat(parts.headers),
    keptHeaders: [...flat(parts.headers), ...keepAlive],
    answerText: createAnswerTexts(),
    meter: (status: number) => (status === 200 ? accepted : parts.meterOf({ ...measured, status })),
  };
  return (request, response) => {
    if (!bringsBeacons(request)) return false;
    answer(direct, request, response);
    return true;
  };
}

/** What is wrong with the framing or the headers of any request, the framework answers. */
function bringsBeacons(request: IncomingMessage): boolean {
  const { method, url = '' } = request;
  return (
    method === 'POST' &&
    (url === beaconsPath || readPath(url) === beaconsPath) &&
    repeatedHeader(request) === undefined &&
    framingFault(request) === undefined
  );
}

/** As the router of the framework reads a URL: without host and query, and unescaped. */
function readPath(url: string): string | undefined {
  const path = url.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*/, '');
  try {
    return decodeURI(path);
  } catch {
    return undefined;
  }
}

/** Names and values in turn: Node takes an object apart again for each answer. */
type FlatHeaders = readonly string[];

function flat(headers: Readonly<Record<string, string>>): FlatHeaders {
  return Object.entries(headers).flat();
}

interface BodyText {
  readonly body: string;
  /** In bytes. */
  readonly length: string;
}

function readText(content: unknown): BodyText {
  const body = JSON.stringify(content);
  return { body, length: String(Buffer.byteLength(body)) };
}

/** Nearly all answers say of one or a few beacons that all were accepted. */
function createAnswerTexts(): (answer: BeaconsAnswer) => BodyText {
  const ofAccepted: BodyText[] = [];
  return (answer) => {
    if (answer.rejected.length > 0 || answer.bounded || answer.refusedLabels)
      return readText(answer);
    ofAccepted[answer.accepted] ??= readText(answer);
    return ofAccepted[answer.accepted] as BodyText;
  };
}

interface AnswerParts extends DirectParts {
  answerText(answer: BeaconsAnswer): BodyText;
  /** Of every answer: the last one on its connection, or any other. */
  readonly lastHeaders: FlatHeaders;
  readonly keptHeaders: FlatHeaders;
  meter(status: number): ObserveValue;
}

async function answer(
  parts: AnswerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const startedAt = parts.clock.monotonic();
  // A tracker corrects its clock by this header, also where the request then fails.
  const serverTime = String(parts.clock.now());
  const respond = (status: number, { body, length }: BodyText, more: FlatHeaders) => {
    const own = ['server-time', serverTime, 'content-length', length];
    const ofEvery = response.shouldKeepAlive ? parts.keptHeaders : parts.lastHeaders;
    response.writeHead(status, [...ofEvery, ...own, ...more]).end(body);
    parts.noteSent(response);
    // Nearly all answers leave at once, and a timer for each would cost more than the answer.
    if (request.socket.writableLength > 0) request.socket.setTimeout(parts.silenceMs);
    parts.meter(status)((parts.clock.monotonic() - startedAt) / 1_000);
  };
  try {
    const address = parts.addressOf(request);
    // A key is optional, but if there is one it must be valid: before the body is read.
    const hasKey = findKey(request) !== undefined;
    const accountId = hasKey ? await findAccount(parts, request, response) : undefined;
    const limiting = hasKey ? undefined : parts.addressLimit(address, response);
    if (limiting) await limiting;
    const entering = parts.collector.requireRoom(mostItemsIn(request, maxBeaconsPerRequest));
    const room = entering instanceof Promise ? await entering : entering;
    const holding = parts.bodyMemory();
    try {
      requireType(request);
      const body = await readBody(request, holding);
      const turn = room.arrived();
      if (turn) await turn;
      const sender = parts.senderOf(request, address);
      const collected = await parts.collector.collect(
        readBeacons(body),
        accountId === undefined ? sender : { ...sender, accountId },
        room,
      );
      respond(200, parts.answerText(collected), jsonType);
    } finally {
      room.leave();
      holding.release();
    }
  } catch (error) {
    // A sender that disconnected while sending gets no answer.
    if (request.destroyed && !request.complete) return;
    const fault = toFault(error);
    const problem = toProblem(fault);
    const requestId = randomUUID();
    parts.noteFault(parts.logger.child({ requestId }), fault);
    const named = problem.status < 500 ? {} : requestIdHeader(requestId);
    // The rest of a body that is too large is not read.
    const last = fault.code === 'PAYLOAD_TOO_LARGE' ? { connection: 'close' } : {};
    respond(
      problem.status,
      readText(problem),
      flat({ ...createHeaders(fault), ...named, ...last }),
    );
  }
}

/** Beacons that name a past time are a program's. */
const toCollect = { scope: 'collect:write', role: 'none', isPinned: false } as const;

async function findAccount(
  { authenticate }: DirectParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<number> {
  const { headers } = request;
  const routeOptions = { url: beaconsPath };
  const asked = { headers, protocol: 'http', raw: request, routeOptions } as const;
  return (await authenticate(asked, { raw: response }, toCollect)).accountId;
}

/** Throws UNSUPPORTED_MEDIA_TYPE for a body of another type, or of none. */
function requireType({ headers }: IncomingMessage): void {
  const type = headers['content-type'];
  if (type === undefined) {
    const length = headers['content-length'] ?? '0';
    if (headers['transfer-encoding'] === undefined && length === '0') return;
  } else if (usualTypes.includes(type) || acceptedTypes.test(type)) return;
  const detail = 'This operation does not accept that content type';
  throw new Fault('UNSUPPORTED_MEDIA_TYPE', detail);
}

function readBody(request: IncomingMessage, holding: Holding): Promise<Buffer> {
  requireLength(Number(request.headers['content-length'] ?? 0));
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const gathering = gatherPieces();
    const take = (chunk: Buffer): void => {
      try {
        length += chunk.length;
        requireLength(length);
        holding.hold(chunk.length);
        for (const ready of gathering.add(chunk)) pieces.push(ready);
      } catch (fault) {
        // The rest of the body is discarded.
        request.off('data', take).resume();
        reject(fault);
      }
    };
    request.on('data', take);
    request.on('end', () => {
      const all = [...pieces, ...gathering.rest()];
      // Nearly all bodies come in one, and need no copy.
      resolve(all.length === 1 && all[0] ? all[0] : Buffer.concat(all));
    });
    request.on('error', reject);
  });
}

function requireLength(bytes: number): void {
  if (bytes <= bodyLimitBytes) return;
  throw new Fault('PAYLOAD_TOO_LARGE', 'The body is too large for this operation');
}

/** The beacons in a body, each still to be checked; throws INVALID_PARAMETER. */
function readBeacons(body: Buffer): readonly unknown[] {
  const read = readJson(body);
  if (!read.ok) throw bodyFault(read.reason);
  const message = read.value;
  if (typeof message !== 'object' || message === null || !('beacons' in message)) {
    throw bodyFault('must be an object with the member beacons');
  }
  const { beacons } = message;
  if (!Array.isArray(beacons)) throw beaconsFault('must be a list');
  if (beacons.length > maxBeaconsPerRequest) {
    throw beaconsFault(`must not contain more than ${maxBeaconsPerRequest}`);
  }
  return beacons;
}

function beaconsFault(detail: string): Fault {
  const errors = [{ parameter: 'beacons', detail }];
  return new Fault('INVALID_PARAMETER', `beacons ${detail}`, { errors });
}

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
    'With `wait`, `waitMs`, `cause` and `outcome` in place of `stretch` and `playMs` it reports a ' +
      '*wait*, a run of waiting for playback, in the same way. Waits are numbered apart from ' +
      'stretches; they count no play and no time, and measures of quality are made of them.',
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
