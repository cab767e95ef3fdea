import type { FastifyInstance } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

interface RequestLabels {
  readonly method: string;
  /** The pattern and not the path: a stranger must not be able to invent labels. */
  readonly route: string;
  readonly status: number;
}

export type ObserveRequest = (labels: RequestLabels, seconds: number) => void;

/** How long answers take, by route and status: for whoever watches the service. */
export function createRequestMeter(metrics: Registry): ObserveRequest {
  const histogram = new Histogram({
    name: 'playmeter_http_request_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [metrics],
  });
  return (labels, seconds) => histogram.observe({ ...labels }, seconds);
}

export function measureRequests(app: FastifyInstance, observe: ObserveRequest): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    const route = routeOptions.url ?? 'none';
    observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1_000);
    done();
  });
}
