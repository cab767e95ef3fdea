/** Answers requests that match no route: unknown paths, other methods, OPTIONS. */
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { Fault } from '../../vocabulary/faults.ts';
import { sendFault } from './fault-answers.ts';

const methods: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Runs before the answer to browsers' preflights, which are OPTIONS as well. */
export function answerOptions(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const { method, headers } = request;
    if (method !== 'OPTIONS' || headers['access-control-request-method']) return;
    const allowed = methodsOf(app, request);
    if (allowed.length === 0) throw nothingHere();
    return reply.status(204).header('allow', allowOf(allowed)).send();
  });
}

/** In a hook, because the handler for unknown paths runs only after the body was read. */
export function answerUnknown(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) throw notFoundOf(app, request, reply);
  });
  // A file that is not there.
  app.setNotFoundHandler((_request, reply) => sendFault(reply, nothingHere()));
}

function notFoundOf(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Fault {
  const allowed = methodsOf(app, request);
  if (allowed.length === 0) return nothingHere();
  reply.header('allow', allowOf(allowed));
  return new Fault('METHOD_NOT_ALLOWED', `This path takes ${allowed.join(', ')}`);
}

function nothingHere(): Fault {
  return new Fault('NOT_FOUND', 'Nothing exists at this path');
}

function methodsOf(app: FastifyInstance, { url }: FastifyRequest): readonly HTTPMethods[] {
  const path = url.split(/[?#]/)[0] ?? '/';
  return methods.filter((method) => app.findRoute({ method, url: path }));
}

/** HEAD is allowed wherever GET is, and OPTIONS everywhere. */
function allowOf(allowed: readonly HTTPMethods[]): string {
  const withHead = allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...withHead, 'OPTIONS'].join(', ');
}
