import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

/** How long answers take, by route and status: for whoever watches the service. */
export function measureRequests(app: FastifyInstance, metrics: Registry): void {
  const seconds = new Histogram({
    name: 'playmeter_http_request_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [metrics],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    // The pattern and not the address: a stranger must not be able to make up labels.
    const route = routeOptions.url ?? 'none';
    seconds.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
    done();
  });
}
