import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { Fault, problemOf } from '../wire/faults.ts';

const tellEveryMs = 1_000;

/** Turns whatever went wrong into a problem of the catalogue; a 5xx never shows internals. */
export function answerFaults(app: FastifyInstance, noteFault: NoteFault): void {
  app.setErrorHandler((error: FastifyError | Fault, request, reply) => {
    const fault = faultOf(error);
    noteFault(request.log, fault);
    return sendFault(reply, fault);
  });
}

/** Tells the log what whoever runs the service has to know of. */
export type NoteFault = (log: FastifyBaseLogger, fault: Fault) => void;

/** Requests are refused by the thousand where the store is away: one a second is told of. */
export function createFaultNotes(): NoteFault {
  let untold = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return (log, fault) => {
    if (fault.code === 'INTERNAL') log.error({ err: fault.cause ?? fault }, 'request failed');
    if (fault.code !== 'UNAVAILABLE') return;
    untold += 1;
    if (performance.now() - toldAt < tellEveryMs) return;
    log.warn({ err: fault, requests: untold }, 'not available');
    untold = 0;
    toldAt = performance.now();
  };
}

/** Also what the framework finds before there is a request: an address that cannot be read. */
export function sendFault(reply: FastifyReply, fault: Fault) {
  const problem = problemOf(fault);
  return reply
    .status(problem.status)
    .headers(headersOf(fault))
    .serializer(JSON.stringify)
    .send(problem);
}

export function headersOf({ code, retryAfterSeconds }: Fault): Record<string, string> {
  return {
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(code === 'UNAUTHENTICATED' ? { 'www-authenticate': 'Bearer' } : {}),
  };
}

/** Of the server framework's own errors by their codes; of whatever is unforeseen INTERNAL. */
export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  const error = thrown as Partial<FastifyError>;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Fault('PAYLOAD_TOO_LARGE', 'The body is larger than this address takes');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Fault('UNSUPPORTED_MEDIA_TYPE', 'This address does not take that content type');
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return bodyFault('is not valid JSON');
    default:
      break;
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new Fault('INVALID_PARAMETER', 'The request is not valid');
  }
  return new Fault('INTERNAL', 'Something went wrong here; it has been logged', { cause: thrown });
}

export function bodyFault(detail: string): Fault {
  const errors = [{ parameter: 'body', detail }];
  return new Fault('INVALID_PARAMETER', `The body ${detail}`, { errors });
}
