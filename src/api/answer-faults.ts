import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { Fault, problemOf } from '../wire/faults.ts';

/** Turns whatever went wrong into a problem of the catalogue; a 5xx never shows internals. */
export function answerFaults(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | Fault, request, reply) => {
    const fault = faultOf(error);
    if (fault.code === 'INTERNAL') request.log.error({ err: error }, 'request failed');
    else if (fault.code === 'UNAVAILABLE') request.log.warn({ err: fault }, 'not available');
    return sendFault(reply, fault);
  });
}

/** Also what the framework finds before there is a request: an address that cannot be read. */
export function sendFault(reply: FastifyReply, fault: Fault) {
  const problem = problemOf(fault);
  if (fault.retryAfterSeconds !== undefined) reply.header('retry-after', fault.retryAfterSeconds);
  if (fault.code === 'UNAUTHENTICATED') reply.header('www-authenticate', 'Bearer');
  return reply
    .status(problem.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .serializer(JSON.stringify)
    .send(problem);
}

/** The server framework's own errors, by their codes. */
function faultOf(error: FastifyError | Fault): Fault {
  if (error instanceof Fault) return error;
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
  return new Fault('INTERNAL', 'Something went wrong here; it has been logged', { cause: error });
}

export function bodyFault(detail: string): Fault {
  const errors = [{ parameter: 'body', detail }];
  return new Fault('INVALID_PARAMETER', `The body ${detail}`, { errors });
}
