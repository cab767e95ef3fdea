/** For monitoring: is the process alive, do the stores answer, and the metrics. */
import type { ParsedUrlQuery } from 'node:querystring';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import Type from 'typebox';
import type { Catalog } from '../catalog/catalog.ts';
import { shareRunning } from '../lib/tasks/serial-work.ts';
import type { Role } from '../vocabulary/roles.ts';
import { readParameters } from '../wire/parameters.ts';
import type { AuthenticateOperator } from './authentication/authentication.ts';
import { collects } from './authentication/role-answers.ts';
import { documented, type Operation } from './openapi/operation.ts';
import { retryAfter } from './server/fault-answers.ts';
import type { IsOperator } from './server/sender-address.ts';

/** Why a part does not do its work; undefined: it does. */
type Health = Readonly<Record<Part, string | undefined>>;
export type AskHealth = () => Promise<Health>;

/** What is asked how it is. */
export interface HealthSources {
  readonly catalog: Pick<Catalog, 'ping'>;
  readonly facts: { ping(): Promise<void>; whyNotReady(): string | undefined };
  /** Why beacons are refused; undefined while they are taken. */
  readonly spool: { whyNotReady(): string | undefined };
}

export function createAskHealth({ catalog, facts, spool }: HealthSources): AskHealth {
  // Anyone may ask, and thousands of requests fit into one connection: they share an answer.
  const askStores = shareRunning(() =>
    Promise.all([awaitFailure(catalog.ping()), facts.whyNotReady() ?? awaitFailure(facts.ping())]),
  );
  return async () => {
    const [ofCatalog, statistics] = await askStores();
    return { catalog: ofCatalog, statistics, collecting: spool.whyNotReady() };
  };
}

export interface HealthParts {
  readonly askHealth: AskHealth;
  readonly role: Role;
  readonly metrics: Registry;
  /** Of all processes of this node; default: of this one. */
  readonly metricsOfAll?: (() => Promise<string>) | undefined;
  readonly isOperator: IsOperator;
  readonly authenticateOperator: AuthenticateOperator;
}

export function addHealthRoutes(app: FastifyInstance, parts: HealthParts): void {
  const { askHealth, metrics, metricsOfAll, isOperator, authenticateOperator } = parts;
  app.get('/healthz', documented(healthOperation), async () => ({ status: 'ok' }));

  app.get('/readyz', documented(readinessOperation), async (request, reply) => {
    const { for: purpose } = readParameters(ReadinessRequest, request.query as ParsedUrlQuery);
    const failures = await askHealth();
    const needed = purpose === undefined ? neededBy(parts.role) : neededFor[purpose];
    const ready = needed.every((part) => failures[part] === undefined);
    reply.status(ready ? 200 : 503).header('cache-control', 'no-store');
    if (!ready) reply.headers(retryAfter(1));
    // A reason shows the inside of the service.
    const isAllWell = Object.values(failures).every((failure) => failure === undefined);
    const showsWhy = !isAllWell && (await mayKnowWhy(request, reply));
    const stateOf = (failure: string | undefined) =>
      failure === undefined ? 'ok' : showsWhy ? failure : 'unavailable';
    return {
      status: ready ? 'ok' : 'unavailable',
      catalog: stateOf(failures.catalog),
      statistics: stateOf(failures.statistics),
      collecting: stateOf(failures.collecting),
    };
  });

  app.get('/metrics', documented(metricsOperation), async (request, reply) => {
    if (!isOperator(request.raw)) await authenticateOperator(request, reply);
    reply.type(metrics.contentType);
    return metricsOfAll ? metricsOfAll() : metrics.metrics();
  });

  /** A key cannot be checked while the catalog is away: then it shows nothing. */
  async function mayKnowWhy(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (isOperator(request.raw)) return true;
    return authenticateOperator(request, reply).then(
      () => true,
      () => false,
    );
  }
}

type Part = 'catalog' | 'statistics' | 'collecting';

/** What must be well for it. Facts may wait in the journal for the statistics store. */
const neededFor: Readonly<Record<'collect' | 'report', readonly Part[]>> = {
  collect: ['catalog', 'collecting'],
  report: ['catalog', 'statistics'],
};

function neededBy(role: Role): readonly Part[] {
  return collects(role) ? ['catalog', 'statistics', 'collecting'] : neededFor.report;
}

async function awaitFailure(ping: Promise<void>): Promise<string | undefined> {
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

const state = (failure: string) =>
  Type.String({
    description: `ok, or why ${failure}; to strangers just unavailable`,
    examples: ['ok'],
  });

const ReadinessRequest = Type.Object({
  for: Type.Optional(
    Type.Enum(['collect', 'report'], {
      description:
        'Only whether it takes beacons (`collect`) or answers questions (`report`); default: ' +
        'both, as far as the role of the node has them',
    }),
  ),
});

const Readiness = Type.Object(
  {
    status: Type.Enum(['ok', 'unavailable']),
    catalog: state('the catalog does not answer'),
    statistics: state('the statistics store does not answer'),
    collecting: state('beacons are refused'),
  },
  { title: 'Readiness', additionalProperties: false },
);

const readinessOperation: Operation = {
  operationId: 'readiness',
  tag: 'Service',
  summary: 'Check whether beacons are taken and questions answered',
  query: ReadinessRequest,
  description:
    'For load balancers: while this answers 503, send requests to another node. The reasons are ' +
    'shown to requests from `OPERATOR_NETWORKS` or with a key that has the scope `stats:read`.',
  answers: {
    200: { description: 'It does what was asked for.', content: { 'application/json': Readiness } },
    503: {
      description:
        'It does not: a store does not answer, the disk is full, or the clock is behind.',
      headers: ['Retry-After'],
      content: { 'application/json': Readiness },
    },
  },
  faults: ['INVALID_PARAMETER'],
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
