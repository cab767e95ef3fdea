/** What the people on call ask: is the process alive, do the stores answer, what is measured. */
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import Type from 'typebox';
import type { Catalog } from '../catalog/catalog.ts';
import { documented, type Operation } from './openapi/operation.ts';

export interface HealthParts {
  readonly catalog: Pick<Catalog, 'ping'>;
  readonly facts: { ping(): Promise<void>; whyNotReady(): string | undefined };
  readonly metrics: Registry;
}

export function addHealthRoutes(app: FastifyInstance, parts: HealthParts): void {
  const { catalog, facts, metrics } = parts;
  app.get('/healthz', documented(healthOperation), async () => ({ status: 'ok' }));

  app.get('/readyz', documented(readinessOperation), async (_request, reply) => {
    const [catalogFailure, factsFailure] = await Promise.all([
      failureOf(catalog.ping()),
      facts.whyNotReady() ?? failureOf(facts.ping()),
    ]);
    const ready = catalogFailure === undefined && factsFailure === undefined;
    reply.status(ready ? 200 : 503).header('cache-control', 'no-store');
    if (!ready) reply.header('retry-after', 1);
    return {
      status: ready ? 'ok' : 'unavailable',
      catalog: catalogFailure ?? 'ok',
      statistics: factsFailure ?? 'ok',
    };
  });

  app.get('/metrics', documented(metricsOperation), async (_request, reply) => {
    reply.type(metrics.contentType);
    return metrics.metrics();
  });
}

async function failureOf(ping: Promise<void>): Promise<string | undefined> {
  try {
    await ping;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const healthOperation: Operation = {
  operationId: 'health',
  tag: 'Service',
  summary: 'Whether the process is alive',
  answers: {
    200: {
      description: 'It is.',
      content: {
        'application/json': Type.Object(
          { status: Type.Literal('ok') },
          { title: 'Health', additionalProperties: false },
        ),
      },
    },
  },
};

const store = (of: string) =>
  Type.String({ description: `ok, or why ${of} does not answer`, examples: ['ok'] });

const Readiness = Type.Object(
  {
    status: Type.Enum(['ok', 'unavailable']),
    catalog: store('the catalog'),
    statistics: store('the statistics store'),
  },
  { title: 'Readiness', additionalProperties: false },
);

const readinessOperation: Operation = {
  operationId: 'readiness',
  tag: 'Service',
  summary: 'Whether the stores answer',
  description: 'For load balancers: while it answers 503, send requests elsewhere.',
  answers: {
    200: { description: 'All of them do.', content: { 'application/json': Readiness } },
    503: {
      description: 'One of them does not.',
      headers: ['Retry-After'],
      content: { 'application/json': Readiness },
    },
  },
};

const metricsOperation: Operation = {
  operationId: 'metrics',
  tag: 'Service',
  summary: 'What the service measures of itself, for Prometheus',
  answers: {
    200: {
      description: 'Text exposition format 0.0.4.',
      content: { 'text/plain': Type.String() },
    },
  },
};
