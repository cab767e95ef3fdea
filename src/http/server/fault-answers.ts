import type { ServerResponse } from 'node:http';
import type {
  FastifyBaseLogger,
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
} from 'fastify';
import { Counter, type Registry } from 'prom-client';
import type { Clock } from '../../lib/time/clock.ts';
import { createThrottle } from '../../lib/time/throttled-notice.ts';
import { Fault, toProblem, unavailableReasons } from '../../vocabulary/faults.ts';

const logEveryMs = 1_000;
export const limitedMetric = 'playmeter_requests_limited_total';

/** Turns every error into a problem of the catalogue; a 5xx never shows internals. */
export function answerFaults(app: FastifyInstance, noteFault: NoteFault): void {
  app.setErrorHandler((error: FastifyError | Fault, request, reply) => {
    const fault = toFault(error);
    noteFault(request.log, fault);
    return sendFault(reply, fault);
  });
}

/** Logs and counts what the operator must know. */
export type NoteFault = (log: FastifyBaseLogger, fault: Fault) => void;

/** During an outage of the store, thousands of requests are refused: one a second is logged. */
export function createFaultNotes(clock: Clock, metrics: Registry): NoteFault {
  const seldom = createThrottle(clock, logEveryMs);
  const limited = new Counter({
    name: limitedMetric,
    help: 'Requests answered with 429, by the limit that they were beyond',
    labelNames: ['limit'],
    registers: [metrics],
  });
  const unavailable = new Counter({
    name: 'playmeter_requests_unavailable_total',
    help: 'Requests answered with 503, by what was missing; of beacons also before they were read',
    labelNames: ['reason'],
    registers: [metrics],
  });
  for (const reason of unavailableReasons) unavailable.inc({ reason }, 0);
  return (log, fault) => {
    if (fault.limit !== undefined) limited.inc({ limit: fault.limit });
    if (fault.code === 'INTERNAL') log.error({ err: fault.cause ?? fault }, 'request failed');
    if (fault.code !== 'UNAVAILABLE') return;
    unavailable.inc({ reason: fault.reason });
    seldom((requests) => log.warn({ err: fault, requests }, 'not available'));
  };
}

/** Also handles errors that come before there is a request, such as a malformed URL. */
export function sendFault(reply: FastifyReply, fault: Fault) {
  const problem = toProblem(fault);
  return reply
    .status(problem.status)
    .headers(createHeaders(fault))
    .headers(problem.status < 500 ? {} : requestIdHeader(reply.request.id))
    .serializer(JSON.stringify)
    .send(problem);
}

export function createHeaders({
  code,
  retryAfterSeconds,
  personPerMinute,
}: Fault): Record<string, string> {
  return {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...(retryAfterSeconds === undefined ? {} : retryAfter(retryAfterSeconds)),
    ...(personPerMinute === undefined
      ? {}
      : {
          'ratelimit-policy': `"person";q=${personPerMinute};w=60`,
          ratelimit: `"person";r=0;t=${retryAfterSeconds ?? 0}`,
        }),
    ...(code === 'UNAUTHENTICATED' ? { 'www-authenticate': 'Bearer' } : {}),
  };
}

/** While the service stops, without the framework, which would answer 503 and say no more. */
export function answerStopping(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): Fault {
  const fault = new Fault('UNAVAILABLE', 'The service is stopping', {
    retryAfterSeconds: 2,
    reason: 'stopping',
  });
  const problem = toProblem(fault);
  const all = { ...headers, ...createHeaders(fault), connection: 'close' };
  response.writeHead(problem.status, all).end(JSON.stringify(problem));
  return fault;
}

/** Maps the framework's own errors by their codes; anything unforeseen is INTERNAL. */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  const error = thrown as Partial<FastifyError>;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Fault('PAYLOAD_TOO_LARGE', 'The body is too large for this operation');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Fault(
        'UNSUPPORTED_MEDIA_TYPE',
        'This operation does not accept that content type',
      );
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return bodyFault('is not valid JSON');
    default:
      break;
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Fault('INVALID_PARAMETER', 'The request is invalid');
  }
  return new Fault('INTERNAL', 'An internal error occurred; it has been logged', { cause: thrown });
}

export function bodyFault(detail: string): Fault {
  const errors = [{ parameter: 'body', detail }];
  return new Fault('INVALID_PARAMETER', `The body ${detail}`, { errors });
}

/** By this the log names the request: for whoever asks the operator why it failed. */
export function requestIdHeader(requestId: string): Record<string, string> {
  return { 'x-request-id': requestId };
}

/** The one place that writes this header. */
export function retryAfter(seconds: number): Record<string, string> {
  return { 'retry-after': String(seconds) };
}

const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Answers requests that match no route: unknown paths, other methods, OPTIONS. Runs before the
 * answer to browsers' preflights, which are OPTIONS as well.
 */
export function answerOptions(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { method, headers } = request;
    if (method !== 'OPTIONS' || headers['access-control-request-method']) return;
    const allowed = listMethods(app, request);
    if (allowed.length === 0) throw nothingHere();
    return reply.status(204).header('allow', formatAllow(allowed)).send();
  });
}

/** In a hook, because the handler for unknown paths runs only after the body was read. */
export function answerUnknown(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) throw createNotFound(app, request, reply);
  });
  // A file that is not there.
  app.setNotFoundHandler((_request, reply) => sendFault(reply, nothingHere()));
}

function createNotFound(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Fault {
  const allowed = listMethods(app, request);
  if (allowed.length === 0) return nothingHere();
  reply.header('allow', formatAllow(allowed));
  return new Fault('METHOD_NOT_ALLOWED', `This path takes ${allowed.join(', ')}`);
}

function nothingHere(): Fault {
  return new Fault('NOT_FOUND', 'Nothing exists at this path');
}

function listMethods(app: FastifyInstance, { url }: FastifyRequest): readonly HTTPMethods[] {
  const path = url.split(/[?#]/)[0] ?? '/';
  return methods.filter((method) => app.findRoute({ method, url: path }));
}

/** HEAD is allowed wherever GET is, and OPTIONS everywhere. */
function formatAllow(allowed: readonly HTTPMethods[]): string {
  const withHead = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...withHead, 'OPTIONS'].join(', ');
}
