import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span, Traces } from '../../lib/telemetry/traces.ts';

/** Whoever asks here has a key, a session or a link. Beacons come by the thousand: no span. */
const traced = ['/report/', '/info/', '/manage/'];

/** A span for each question, and each request of management; the log of a traced one names it. */
export function traceRequests(app: FastifyInstance, traces: Traces): void {
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers, routeOptions } = request;
    const route = routeOptions.url;
    if (!traced.some((start) => route?.startsWith(start))) return done();
    const attributes = {
      'http.request.method': method,
      'http.route': route ?? '',
      'playmeter.request_id': request.id,
    };
    const span = traces.begin(`${method} ${route}`, { attributes, headers });
    if (span === undefined) return done();
    spans.set(request, span);
    request.log = request.log.child({ traceId: span.traceId });
    // Comes also when the connection is lost.
    reply.raw.once('close', () => {
      const { statusCode: status, writableFinished } = reply.raw;
      const failure = status >= 500 ? String(status) : writableFinished ? undefined : 'aborted';
      span.end({ 'http.response.status_code': status }, failure);
    });
    done();
  });
  // TRICKY: not before. A body that is awaited continues in what the connection began in.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.around(done);
    else done();
  });
}
