/** Builds the routes of /manage: authentication, parsing, and POSTs that take effect once. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { Actor, Caller, Catalog, CatalogParts } from '../../catalog/catalog.ts';
import { assert } from '../../lib/assert.ts';
import {
  Created,
  type ManagementOperation,
  type OperationServices,
} from '../../operations/operation.ts';
import type { FaultCode, ParameterFault } from '../../vocabulary/faults.ts';
import { checkMessage } from '../../wire/message-check.ts';
import { checkParameters } from '../../wire/parameters.ts';
import type { Authenticate } from '../authentication/authentication.ts';
import type { ManageLimits } from '../limits/limits.ts';
import type { Operation, Tag } from '../openapi/operation.ts';
import type { SenderAddress, Sent } from '../server/sender-address.ts';
import { dropFixedMembers } from './fixed-members.ts';
import { answerOnce, idempotencyHeader, type ManageAnswer } from './idempotent-answers.ts';

export interface ManageParts {
  readonly catalog: Catalog;
  readonly authenticate: Authenticate;
  readonly manageLimits: ManageLimits;
  readonly addressOf: SenderAddress;
}

type Described = Pick<Operation, 'operationId' | 'summary' | 'description' | 'bodyIsOptional'>;

export interface ManageRoute<Path extends TObject, Query extends TObject, Body extends TObject>
  extends Described {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly path?: Path;
  readonly query?: Query;
  /** What is wrong with the query beyond its schema, of what is well-formed of it. */
  readonly check?: (some: Partial<Static<Query>>) => readonly ParameterFault[];
  readonly body?: Body;
  /** For a PUT: the stored record to compare read-only members with; undefined if none. */
  readonly read?: (call: ManageCall<Static<Path>, unknown, unknown>) => Promise<object | undefined>;
  /** The answer's schema, by status; null: no body. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
  readonly faults?: readonly FaultCode[];
}

export interface ManageCall<Path, Query, Body> {
  readonly caller: Caller;
  /** For a repeatable POST, the catalog inside its transaction. */
  readonly catalog: CatalogParts;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  /** Where the request comes from. */
  readonly sent: Sent;
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
  parts: ManageParts,
  route: ManageRoute<Path, Query, Body>,
  run: (call: ManageCall<Static<Path>, Static<Query>, Static<Body>>) => Promise<ManageAnswer>,
): void {
  const { catalog } = parts;
  const { method, url } = route;
  const handler = async (request: Request, reply: FastifyReply) => {
    const { caller } = request;
    assert(caller, 'the key was checked before the body was read');
    reply.header('cache-control', 'no-store');
    const { path, query } = readUrl(route, request);
    const given = route.bodyIsOptional ? (request.body ?? {}) : request.body;
    const body = (route.body ? checkMessage(route.body, given) : {}) as Static<Body>;
    const message = body as Readonly<Record<string, unknown>>;
    const call = { caller, catalog, path, query, body: message, sent: request.raw };
    const before = async () => ({ ...(await route.read?.(call)), ...path });
    const changes = route.body ? await dropFixedMembers(route.body, message, before) : message;
    const runOn = (parts: CatalogParts) =>
      run({ ...call, catalog: parts, body: changes as Static<Body> });
    if (method !== 'GET') await parts.manageLimits.takeTurn();
    const acting =
      method === 'GET' ? catalog : catalog.as(actorOf(caller, parts.addressOf(request.raw)));
    const answer =
      method === 'POST'
        ? await answerOnce(request, { caller, catalog: acting, message: { query, body } }, runOn)
        : await runOn(acting);
    return reply.status(answer.status).send(answer.body);
  };
  const config = { operation: operationOf(route) };
  const onRequest = (request: FastifyRequest, reply: FastifyReply) => letIn(parts, request, reply);
  app.route({ method, url, config, onRequest, handler });
}

/** Throws every error of both at once. */
function readUrl<Path extends TObject, Query extends TObject>(
  route: Pick<ManageRoute<Path, Query, TObject>, 'path' | 'query' | 'check'>,
  { params, query: given }: Request,
): { path: Static<Path>; query: Static<Query> } {
  const path = checkParameters(route.path ?? nothing, params);
  const query = checkParameters(route.query ?? nothing, given);
  query.errors.unshift(...path.errors);
  query.errors.push(...(route.check?.(query.some as Partial<Static<Query>>) ?? []));
  return { query: query.whole() as Static<Query>, path: path.whole() as Static<Path> };
}

/** Before the body is read. */
async function letIn(
  { authenticate, manageLimits, addressOf }: ManageParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  request.caller = await authenticate(request, reply, 'manage');
  await manageLimits.ofKey(request.caller, reply);
  await manageLimits.ofAddress(addressOf(request.raw), reply.raw);
}

function actorOf({ keyId, keyName }: Caller, address: string): Actor {
  return { kind: 'KEY', keyId, keyName, address };
}

/** By what stands behind /manage/v1/. */
const tags: Readonly<Record<string, Tag>> = {
  account: 'Account',
  ledger: 'Account',
  audit: 'Account',
  labels: 'Account',
  shares: 'Shares',
  alerts: 'Alerts and reports',
  reports: 'Alerts and reports',
  deliveries: 'Alerts and reports',
  suspects: 'Account',
  playback: 'Account',
  erasures: 'Account',
  me: 'Account',
  keys: 'API keys',
  'signing-keys': 'Signed views',
  folders: 'Folders',
  videos: 'Videos',
  imports: 'Videos',
  packages: 'Packages',
};

function tagOf(url: string): Tag {
  const tag = tags[url.split('/')[3] ?? ''];
  assert(tag, `no group of the reference holds ${url}`);
  return tag;
}

function operationOf(route: ManageRoute<TObject, TObject, TObject>): Operation {
  const { method, url, answers, faults: own = [], body, ...described } = route;
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
    tag: tagOf(url),
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
  const descriptions: Record<number, string> = { 200: 'The current state.', 201: 'Created.' };
  return {
    description: descriptions[status] ?? 'Done.',
    ...(schema ? { content: { 'application/json': schema } } : {}),
  };
}

/** The route of an operation. */
export function addOperation(
  app: FastifyInstance,
  parts: ManageParts & Pick<OperationParts, 'services'>,
  operation: ManagementOperation,
): void {
  const first = Number(Object.keys(operation.answers)[0]);
  const { read } = operation;
  // Its body and path are checked by the schemas of the same record.
  const callOf = ({ caller, ...call }: { readonly caller: Caller }) =>
    ({ ...call, accountId: caller.accountId, services: parts.services }) as never;
  const route = { ...operation, ...(read && { read: (call: never) => read(callOf(call)) }) };
  addManageRoute(app, parts, route as never, async (call) => {
    const answer = await operation.run(callOf(call));
    if (operation.answers[first] === null) return { status: first };
    return answer instanceof Created
      ? { status: 201, body: answer.body as object }
      : { status: first, body: answer as object };
  });
}
interface OperationParts {
  readonly services: OperationServices;
}
