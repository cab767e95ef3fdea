/** The edge of /manage: who asks, what for, and that a repeated POST happens once. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { Caller, Catalog, CatalogParts } from '../../catalog/catalog.ts';
import { checkMessage } from '../../wire/check-message.ts';
import type { FaultCode } from '../../wire/faults.ts';
import { readParameters } from '../../wire/parameters.ts';
import { authenticate } from '../authenticate.ts';
import type { Operation } from '../openapi/operation.ts';
import { answerOnce, idempotencyHeader, type ManageAnswer } from './answer-once.ts';

export interface ManageParts {
  readonly catalog: Catalog;
}

type Described = Pick<Operation, 'operationId' | 'summary' | 'description' | 'bodyIsOptional'>;

export interface ManageRoute<Path extends TObject, Query extends TObject, Body extends TObject>
  extends Described {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly path?: Path;
  readonly query?: Query;
  readonly body?: Body;
  /** What it answers, by status; null: nothing but the status. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  readonly faults?: readonly FaultCode[];
}

export interface ManageCall<Path, Query, Body> {
  readonly caller: Caller;
  /** Of a repeatable POST, the catalog inside its transaction. */
  readonly catalog: CatalogParts;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
}

type Request = FastifyRequest<{
  Params: Record<string, string>;
  Querystring: Record<string, string | string[]>;
}>;

const nothing = Type.Object({});

export function addManageRoute<
  Path extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TObject = TObject,
>(
  app: FastifyInstance,
  { catalog }: ManageParts,
  route: ManageRoute<Path, Query, Body>,
  run: (call: ManageCall<Static<Path>, Static<Query>, Static<Body>>) => Promise<ManageAnswer>,
): void {
  const { method, url } = route;
  const handler = async (request: Request, reply: FastifyReply) => {
    const caller = await authenticate(request, catalog.keys, 'manage');
    reply.header('cache-control', 'no-store');
    const path = readParameters(route.path ?? nothing, request.params) as Static<Path>;
    const query = readParameters(route.query ?? nothing, request.query) as Static<Query>;
    const given = route.bodyIsOptional ? (request.body ?? {}) : request.body;
    const body = (route.body ? checkMessage(route.body, given) : {}) as Static<Body>;
    const runOn = (parts: CatalogParts) => run({ caller, catalog: parts, path, query, body });
    const answer =
      method === 'POST'
        ? await answerOnce(request, { caller, catalog, message: { query, body } }, runOn)
        : await runOn(catalog);
    return reply.status(answer.status).send(answer.body);
  };
  app.route({ method, url, config: { operation: operationOf(route) }, handler });
}

function operationOf(route: ManageRoute<TObject, TObject, TObject>): Operation {
  const { method, url: _, answers, faults: own = [], body, ...described } = route;
  const takes = [described.path, described.query, body].some((schema) => schema !== undefined);
  const isPost = method === 'POST';
  const faults: FaultCode[] = [
    ...(takes || isPost ? (['MISSING_PARAMETER', 'INVALID_PARAMETER'] as const) : []),
    ...(described.path ? (['NOT_FOUND'] as const) : []),
    ...(isPost ? (['CONFLICT'] as const) : []),
    ...(method === 'GET' || method === 'DELETE'
      ? []
      : (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)),
    ...own,
  ];
  return {
    ...described,
    tag: 'Managing',
    scope: 'manage',
    ...(isPost ? { headers: idempotencyHeader } : {}),
    ...(body ? { body: { 'application/json': body } } : {}),
    answers: Object.fromEntries(
      Object.entries(answers).map(([status, schema]) => [status, answerOf(Number(status), schema)]),
    ),
    faults,
  };
}

function answerOf(status: number, schema: TSchema | null) {
  const descriptions: Record<number, string> = { 200: 'As it is now.', 201: 'It was added.' };
  return {
    description: descriptions[status] ?? 'Done.',
    ...(schema ? { content: { 'application/json': schema } } : {}),
  };
}
