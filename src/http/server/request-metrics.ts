import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { addQuickHistogram, type ObserveValue } from '../../lib/telemetry.ts';

interface RequestLabels {
  readonly method: string;
  /** The pattern and not the path: a stranger must not be able to invent labels. */
  readonly route: string;
  readonly status: number;
}

/** What counts the seconds of requests that have these in common. */
export type MeterOf = (labels: RequestLabels) => ObserveValue;

/** How long answers take, by route and status: for whoever watches the service. */
export function createRequestMeter(metrics: Registry): MeterOf {
  return addQuickHistogram({
    name: 'playmeter_http_request_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    metrics,
  });
}

export function measureRequests(app: FastifyInstance, meterOf: MeterOf): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    const route = routeOptions.url ?? 'none';
    meterOf({ method, route, status: reply.statusCode })(reply.elapsedTime / 1_000);
    done();
  });
}
