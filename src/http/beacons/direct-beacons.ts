/**
 * Answers the one request that comes by the thousand, beacons without a key, past the framework. An
 * unusual request is left to the route (beacon-routes.ts), which gives the same answer and takes
 * half as long again. See docs/decisions/direct-beacons.md.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Collector } from '../../collect/collector.ts';
import type { ObserveValue } from '../../lib/telemetry/fast-histogram.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { problemOf } from '../../vocabulary/faults.ts';
import { type BeaconsAnswer, maxBeaconsPerRequest } from '../../wire/beacons/beacon.ts';
import type { AddressLimit } from '../limits/address-limit.ts';
import type { BodyMemory, Holding } from '../limits/body-memory.ts';
import { gatherPieces } from '../limits/body-pieces.ts';
import { mostItemsIn } from '../limits/item-limit.ts';
import { faultOf, headersOf, type NoteFault, requestIdHeader } from '../server/fault-answers.ts';
import { framingFault } from '../server/framing.ts';
import { keepAlive } from '../server/idle-timeout.ts';
import { repeatedHeader } from '../server/repeated-headers.ts';
import type { MeterOf } from '../server/request-metrics.ts';
import type { SenderAddress } from '../server/sender-address.ts';
import { readBeacons } from './beacon-body.ts';
import { beaconsPath, bodyLimitBytes } from './beacon-routes.ts';
import type { SenderOf } from './sender.ts';

const contentTypes = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'text/plain;charset=UTF-8',
]);

const measured = { method: 'POST', route: beaconsPath };
const jsonType = ['content-type', 'application/json; charset=utf-8'];

interface DirectParts {
  readonly clock: Clock;
  readonly collector: Collector;
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

/** Answers the request if it is a usual one; otherwise leaves it alone and returns false. */
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
    if (!isUsual(request)) return false;
    answer(direct, request, response);
    return true;
  };
}

function isUsual(request: IncomingMessage): boolean {
  const { method, url, headers } = request;
  return (
    method === 'POST' &&
    url === beaconsPath &&
    contentTypes.has(headers['content-type'] ?? '') &&
    Number(headers['content-length']) <= bodyLimitBytes &&
    headers['x-api-key'] === undefined &&
    headers.authorization === undefined &&
    repeatedHeader(request) === undefined &&
    framingFault(request) === undefined
  );
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

function textOf(content: unknown): BodyText {
  const body = JSON.stringify(content);
  return { body, length: String(Buffer.byteLength(body)) };
}

/** Nearly all answers say of one or a few beacons that all were accepted. */
function createAnswerTexts(): (answer: BeaconsAnswer) => BodyText {
  const ofAccepted: BodyText[] = [];
  return (answer) => {
    if (answer.rejected.length > 0) return textOf(answer);
    ofAccepted[answer.accepted] ??= textOf(answer);
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
    const limiting = parts.addressLimit(address, response);
    if (limiting) await limiting;
    const entering = parts.collector.requireRoom(mostItemsIn(request, maxBeaconsPerRequest));
    const room = entering instanceof Promise ? await entering : entering;
    const holding = parts.bodyMemory();
    try {
      const body = await bodyOf(request, holding);
      const turn = room.arrived();
      if (turn) await turn;
      const sender = parts.senderOf(request, address);
      const collected = await parts.collector.collect(readBeacons(body), sender, room);
      respond(200, parts.answerText(collected), jsonType);
    } finally {
      room.leave();
      holding.release();
    }
  } catch (error) {
    // A sender that disconnected while sending gets no answer.
    if (request.destroyed && !request.complete) return;
    const fault = faultOf(error);
    const problem = problemOf(fault);
    const requestId = randomUUID();
    parts.noteFault(parts.logger.child({ requestId }), fault);
    const named = problem.status < 500 ? {} : requestIdHeader(requestId);
    respond(problem.status, textOf(problem), flat({ ...headersOf(fault), ...named }));
  }
}

function bodyOf(request: IncomingMessage, holding: Holding): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const gathering = gatherPieces();
    const take = (chunk: Buffer): void => {
      try {
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
