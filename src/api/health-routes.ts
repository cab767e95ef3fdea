/** For monitoring: is the process alive, do the stores answer, and the metrics. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import Type from 'typebox';
import type { Catalog } from '../catalog/catalog.ts';
import { shareRunning } from '../lib/share-running.ts';
import { retryAfter } from './answer-faults.ts';
import type { Authenticate } from './authenticate.ts';
import { documented, type Operation } from './openapi/operation.ts';
import type { IsOperator } from './recognize-operator.ts';

export interface HealthParts {
  readonly catalog: Pick<Catalog, 'ping'>;
  readonly facts: { ping(): Promise<void>; whyNotReady(): string | undefined };
  readonly metrics: Registry;
  /** Of all processes of this node; default: of this one. */
  readonly metricsOfAll?: (() => Promise<string>) | undefined;
  readonly isOperator: IsOperator;
  readonly authenticate: Authenticate;
}

export function addHealthRoutes(app: FastifyInstance, parts: HealthParts): void {
  const { catalog, facts, metrics, metricsOfAll, isOperator, authenticate } = parts;
  app.get('/healthz', documented(healthOperation), async () => ({ status: 'ok' }));

  const askStores = shareRunning(() =>
    Promise.all([failureOf(catalog.ping()), facts.whyNotReady() ?? failureOf(facts.ping())]),
  );

  app.get('/readyz', documented(readinessOperation), async (request, reply) => {
    // Anyone may ask, and thousands of requests fit into one connection: they share an answer.
    const [catalogFailure, factsFailure] = await askStores();
    const ready = catalogFailure === undefined && factsFailure === undefined;
    reply.status(ready ? 200 : 503).header('cache-control', 'no-store');
    if (!ready) reply.headers(retryAfter(1));
    // A reason shows the inside of the service.
    const showsWhy = !ready && (await mayKnowWhy(request, reply));
    const stateOf = (failure: string | undefined) =>
      failure === undefined ? 'ok' : showsWhy ? failure : 'unavailable';
    return {
      status: ready ? 'ok' : 'unavailable',
      catalog: stateOf(catalogFailure),
      statistics: stateOf(factsFailure),
    };
  });

  app.get('/metrics', documented(metricsOperation), async (request, reply) => {
    if (!isOperator(request.raw)) await authenticate(request, reply, 'stats:read');
    reply.type(metrics.contentType);
    return metricsOfAll ? metricsOfAll() : metrics.metrics();
  });

  /** A key cannot be checked while the catalog is away: then it shows nothing. */
  async function mayKnowWhy(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (isOperator(request.raw)) return true;
    return authenticate(request, reply, 'stats:read').then(
      () => true,
      () => false,
    );
  }
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
  summary: 'Check whether the process is alive',
  answers: {
    200: {
      description: 'The process is alive.',
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
  Type.String({
    description: `ok, or why ${of} does not answer; to strangers just unavailable`,
    examples: ['ok'],
  });

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
  summary: 'Check whether the stores answer',
  description:
    'For load balancers: while this answers 503, send requests to another node. The reasons are ' +
    'shown to requests from `OPERATOR_NETWORKS` or with a key that has the scope `stats:read`.',
  answers: {
    200: { description: 'All stores answer.', content: { 'application/json': Readiness } },
    503: {
      description: 'A store does not answer.',
      headers: ['Retry-After'],
      content: { 'application/json': Readiness },
    },
  },
};

const metricsOperation: Operation = {
  operationId: 'metrics',
  tag: 'Service',
  summary: 'Metrics of the service, for Prometheus',
  description: 'No key is needed on the networks of `OPERATOR_NETWORKS`.',
  scope: 'stats:read',
  keyIsOptional: true,
  answers: {
    200: {
      description: 'Text exposition format 0.0.4.',
      content: { 'text/plain': Type.String() },
    },
  },
};
