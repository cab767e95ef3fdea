/**
 * The short way of the one request that comes by the thousand: beacons without a key. Whatever is
 * unusual about a request leaves it to the route beside it (collect-routes.ts), which answers the
 * same and takes half as long again. See docs/decisions/direct-beacons.md.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Collector } from '../collect/collector.ts';
import { maxBeaconsPerRequest } from '../wire/beacon.ts';
import { problemOf } from '../wire/faults.ts';
import type { AddressLimit } from './address-limit.ts';
import { bodyFault, faultOf, headersOf, type NoteFault } from './answer-faults.ts';
import type { BodyRoom } from './body-room.ts';
import { beaconsPath, bodyLimitBytes, readBeacons } from './collect-routes.ts';
import type { ObserveRequest } from './measure-requests.ts';
import { mostItemsIn } from './most-items.ts';
import { senderOf } from './sender-of.ts';

const contentTypes = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'text/plain;charset=UTF-8',
]);

const jsonType = { 'content-type': 'application/json; charset=utf-8' };

interface DirectParts {
  readonly collector: Collector;
  readonly addressLimit: AddressLimit;
  readonly bodyRoom: BodyRoom;
  readonly observe: ObserveRequest;
  readonly logger: FastifyBaseLogger;
  readonly noteFault: NoteFault;
  readonly trustProxy: boolean;
  /** What every answer to a player carries. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers the request where it is a usual one; else touches nothing and says false. */
export type TakeDirectly = (request: IncomingMessage, response: ServerResponse) => boolean;

export function takeBeaconsDirectly(parts: DirectParts): TakeDirectly {
  return (request, response) => {
    if (!isUsual(request)) return false;
    answer(parts, request, response);
    return true;
  };
}

function isUsual({ method, url, headers }: IncomingMessage): boolean {
  return (
    method === 'POST' &&
    url === beaconsPath &&
    contentTypes.has(headers['content-type'] ?? '') &&
    Number(headers['content-length']) <= bodyLimitBytes &&
    headers['x-api-key'] === undefined &&
    headers.authorization === undefined
  );
}

async function answer(
  parts: DirectParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const startedAt = performance.now();
  // A tracker corrects its clock by this header, also where the request then fails.
  const headers = { ...parts.headers, 'server-time': String(Date.now()) };
  const respond = (status: number, content: unknown, more: Readonly<Record<string, string>>) => {
    const body = JSON.stringify(content);
    const length = { 'content-length': Buffer.byteLength(body) };
    response.writeHead(status, { ...headers, ...more, ...length }).end(body);
    const seconds = (performance.now() - startedAt) / 1_000;
    parts.observe({ method: 'POST', route: beaconsPath, status }, seconds);
  };
  try {
    await parts.addressLimit(addressOf(request, parts.trustProxy), response);
    const leave = await parts.collector.requireRoom(mostItemsIn(request, maxBeaconsPerRequest));
    const body = await bodyOf(request, parts.bodyRoom).finally(leave);
    const beacons = readBeacons(parse(body));
    respond(200, await parts.collector.collect(beacons, senderOf(request)), jsonType);
  } catch (error) {
    // Whoever went away while sending is not answered.
    if (request.destroyed && !request.complete) return;
    const fault = faultOf(error);
    parts.noteFault(parts.logger, fault);
    const problem = problemOf(fault);
    respond(problem.status, problem, headersOf(fault));
  }
}

async function bodyOf(request: IncomingMessage, room: BodyRoom): Promise<string> {
  const holding = room();
  try {
    return await new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const take = (chunk: Buffer): void => {
        try {
          holding.hold(chunk.length);
          chunks.push(chunk);
        } catch (fault) {
          // What still comes is thrown away.
          request.off('data', take).resume();
          reject(fault);
        }
      };
      request.on('data', take);
      request.on('end', () => resolve(Buffer.concat(chunks).toString()));
      request.on('error', reject);
    });
  } finally {
    holding.release();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw bodyFault('is not valid JSON');
  }
}

/** Behind a proxy the first address that the chain of proxies names. */
function addressOf({ headers, socket }: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? String(headers['x-forwarded-for'] ?? '') : '';
  return forwarded.split(',')[0]?.trim() || (socket.remoteAddress ?? '');
}
