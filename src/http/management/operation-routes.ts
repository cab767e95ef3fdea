/** /manage: what the owner of an account can read and change, a route for each operation. */
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type TObject, type TSchema } from 'typebox';
import { createRuleReader, type RuleContext } from '../../alerts/rule-parser.ts';
import type { Actor, Caller, Catalog, CatalogParts, SignedPerson } from '../../catalog/catalog.ts';
import type { AccountLedger } from '../../collect/account-ledger.ts';
import { assert } from '../../lib/assert.ts';
import type { Sealer } from '../../lib/sealer.ts';
import { catalogSeenBy, findActorName } from '../../operations/member-catalog.ts';
import {
  Created,
  type ManagementOperation,
  type Members,
  noAccount,
  type OperationServices,
  type PeopleService,
  type RunningService,
} from '../../operations/operation.ts';
import { operations } from '../../operations/operations.ts';
import type { LedgerStore } from '../../store/facts.ts';
import type { FaultCode } from '../../vocabulary/faults.ts';
import { checkMessage } from '../../wire/message-check.ts';
import { checkParameters, parameterFault } from '../../wire/parameters.ts';
import { type Authentication, requireOperator } from '../authentication/authentication.ts';
import type { ConcurrencyLimit } from '../limits/concurrency-limits.ts';
import type { ManageLimits } from '../limits/limits.ts';
import type { Operation, Tag } from '../openapi/operation.ts';
import type { SenderAddress } from '../server/sender-address.ts';
import { answerOnce, idempotencyHeader, type ManageAnswer } from './idempotent-answers.ts';
import { describeSender, type SenderParts } from './sender-description.ts';

export interface ManageParts {
  readonly catalog: Catalog;
  readonly authenticate: Authentication['authenticate'];
  readonly authenticatePerson: Authentication['authenticatePerson'];
  readonly manageLimits: ManageLimits;
  readonly addressOf: SenderAddress;
}

export interface ManageRoutesParts extends ManageParts, SenderParts {
  /** See createSigningSealer. */
  readonly signingSealer: Sealer;
  readonly ruleContext: RuleContext;
  readonly suspects: RunningService['suspects'];
  readonly eraser: RunningService['eraser'];
  readonly facts: { readonly ledger: Pick<LedgerStore, 'read'> };
  readonly accountLedger: Pick<AccountLedger, 'note' | 'write'>;
  readonly importVideos: RunningService['importVideos'];
  readonly composeMessage: RunningService['composeMessage'];
  readonly state: RunningService['state'];
  readonly limitImports: ConcurrencyLimit;
  readonly people: Omit<PeopleService, 'address'>;
}

export async function addManageRoutes(
  app: FastifyInstance,
  parts: ManageRoutesParts,
): Promise<void> {
  const { signingSealer, ruleContext } = parts;
  const ruleReader = createRuleReader(ruleContext);
  const services: OperationServices = {
    signingSealer: async () => signingSealer,
    ruleReader: async () => ruleReader,
  };
  await app.register(async (scope) => {
    takeJsonOnly(scope);
    for (const operation of operations) addOperation(scope, { ...parts, services }, operation);
  });
}

/** Many clients name a content type even without a body: that is not bad JSON. */
function takeJsonOnly(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  const parse = scope.getDefaultJsonParser('error', 'error');
  const options = { parseAs: 'string' } as const;
  scope.addContentTypeParser('application/json', options, (request, body, done) => {
    if (body === '') done(null, undefined);
    else parse(request, String(body), done);
  });
}

interface OperationParts extends ManageRoutesParts {
  readonly services: OperationServices;
}

type Request = FastifyRequest<{
  Params: Record<string, string>;
  Querystring: Record<string, string | string[]>;
}>;

const nothing: TObject = Type.Object({});

function addOperation(
  app: FastifyInstance,
  parts: OperationParts,
  operation: ManagementOperation,
): void {
  const { services } = parts;
  const { method, url, body: bodySchema } = operation;
  const handler = async (request: Request, reply: FastifyReply) => {
    // A body may come long after its head: whoever was let in may have been removed meanwhile.
    if (method !== 'GET') await identify(parts, operation, request, reply);
    const { caller, person } = request;
    const sender = caller ?? person;
    assert(sender, 'the sender was checked before the body was read');
    // What a person does for themselves, or for the service, is of no account.
    const accountId = caller?.accountId ?? noAccount;
    const seen = (whole: CatalogParts) => (caller ? catalogSeenBy(caller, whole) : whole);
    const catalog = seen(parts.catalog);
    reply.header('cache-control', 'no-store');
    const { path, query } = readUrl(operation, request);
    const given = operation.bodyIsOptional ? (request.body ?? {}) : request.body;
    const message: Members = bodySchema ? checkMessage(bodySchema, given) : {};
    const service = runningService(parts, request);
    const call = { accountId, catalog, services, service, path, query };
    const before = async () => ({
      ...(await operation.read?.({ ...call, body: message })),
      ...path,
    });
    const body = bodySchema ? await dropFixedMembers(bodySchema, message, before) : message;
    const runOn = async (catalog: CatalogParts) => {
      const own = { ...call, catalog: seen(catalog), body };
      return createAnswer(operation, await (operation.run?.(own) ?? operation.serve?.(own)));
    };
    if (method !== 'GET') await parts.manageLimits.takeTurn();
    const actor = toActor(sender, parts.addressOf(request.raw));
    const acting = method === 'GET' ? parts.catalog : parts.catalog.as(actor);
    const answer =
      method === 'POST' && !operation.isNotKept
        ? await answerOnce(
            request,
            {
              sender: { accountId, actor: findActorName(sender) },
              ...{ catalog: acting, message: { query, body: message } },
            },
            runOn,
          )
        : await runOn(acting);
    return reply.status(answer.status).send(answer.body);
  };
  const config = { operation: describeOperation(operation) };
  const onRequest = (request: FastifyRequest, reply: FastifyReply) =>
    letIn(parts, operation, request, reply);
  app.route({ method, url, config, onRequest, handler });
}

function runningService(parts: OperationParts, request: Request): RunningService {
  const { suspects, eraser, facts, accountLedger, importVideos, limitImports } = parts;
  return {
    suspects,
    eraser,
    async readLedger(range) {
      await accountLedger.write();
      return facts.ledger.read(range);
    },
    importVideos: (catalog, wanted) => limitImports(wanted, () => importVideos(catalog, wanted)),
    describeSender: () => describeSender(request.raw, parts),
    signedPerson() {
      assert(request.person, 'only a person has such operations');
      return request.person;
    },
    people: { ...parts.people, address: parts.addressOf(request.raw) },
    composeMessage: parts.composeMessage,
    state: parts.state,
    canMail: parts.ruleContext.canMail,
  };
}

function createAnswer({ answers }: ManagementOperation, answer: unknown): ManageAnswer {
  const first = Number(Object.keys(answers)[0]);
  if (answers[first] === null) return { status: first };
  return answer instanceof Created
    ? { status: 201, body: answer.body }
    : { status: first, body: answer };
}

/** Throws every error of both at once. */
function readUrl(
  operation: ManagementOperation,
  { params, query: given, method }: Request,
): { path: Members; query: Members } {
  const path = checkParameters(operation.path ?? nothing, params);
  const empty = method === 'GET' || method === 'HEAD' ? 'ignored' : 'refused';
  const query = checkParameters(operation.query ?? nothing, given, empty);
  query.errors.unshift(...path.errors);
  query.errors.push(...(operation.check?.(query.some) ?? []));
  return { query: query.whole(), path: path.whole() };
}

/**
 * PUT accepts what GET returned: the message without its read-only members; throws if one differs
 * from the stored record.
 */
async function dropFixedMembers(
  schema: TObject,
  message: Members,
  read: () => Promise<Members>,
): Promise<Members> {
  const isFixed = (name: string) =>
    (schema.properties[name] as { readOnly?: boolean } | undefined)?.readOnly === true;
  const fixed = Object.entries(message).filter(([name]) => isFixed(name));
  if (fixed.length === 0) return message;
  const before = await read();
  const errors = fixed
    .filter(([name, value]) => !isDeepStrictEqual(value, before[name]))
    .map(([parameter]) => ({ parameter, detail: 'cannot be changed' }));
  if (errors.length > 0) throw parameterFault(errors);
  return Object.fromEntries(Object.entries(message).filter(([name]) => !isFixed(name)));
}

/** Before the body is read. */
async function letIn(
  parts: ManageParts,
  operation: ManagementOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { manageLimits, addressOf } = parts;
  await identify(parts, operation, request, reply);
  const { caller, person } = request;
  const sender = caller ?? (person && { accountId: noAccount, personId: person.personId });
  assert(sender, 'somebody was let in');
  await manageLimits.ofKey(sender, reply);
  await manageLimits.ofAddress(addressOf(request.raw), reply.raw);
}

/** Who sends the request; throws if they may not. */
async function identify(
  { authenticate, authenticatePerson }: ManageParts,
  { role, isPinned }: ManagementOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (role === 'person' || role === 'operator') {
    request.person = await authenticatePerson(request, reply);
    if (role === 'operator') requireOperator(request.person);
    return;
  }
  request.caller = await authenticate(request, reply, {
    ...{ scope: 'manage', role, isPinned: isPinned === true },
  });
}

function toActor(sender: Caller | SignedPerson, address: string): Actor {
  if ('keyId' in sender) {
    return { kind: 'KEY', keyId: sender.keyId, keyName: sender.keyName, address };
  }
  const personName = 'sessionId' in sender ? sender.name : sender.personName;
  return { kind: 'PERSON', personId: sender.personId, personName, address };
}

/** By what stands behind /manage/v1/. */
const tags: Readonly<Record<string, Tag>> = {
  account: 'Account',
  ledger: 'Account',
  audit: 'Account',
  labels: 'Account',
  shares: 'Shares',
  annotations: 'Annotations and views',
  views: 'Annotations and views',
  alerts: 'Alerts and reports',
  reports: 'Alerts and reports',
  deliveries: 'Alerts and reports',
  'delivery-channels': 'Alerts and reports',
  suspects: 'Account',
  playback: 'Account',
  erasures: 'Account',
  me: 'Account',
  members: 'People',
  invitations: 'People',
  people: 'People',
  accounts: 'People',
  service: 'Service',
  keys: 'API keys',
  'signing-keys': 'Signed views',
  folders: 'Folders',
  videos: 'Videos',
  imports: 'Videos',
  packages: 'Packages',
};

function findTag(url: string): Tag {
  const tag = tags[url.split('/')[3] ?? ''];
  assert(tag, `no group of the reference holds ${url}`);
  return tag;
}

function describeOperation(operation: ManagementOperation): Operation {
  const { method, url, answers, faults: own = [], body, role, ...described } = operation;
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
    tag: findTag(url),
    scope: 'manage',
    role,
    ...(isPost && !described.isNotKept ? { headers: idempotencyHeader } : {}),
    ...(body ? { body: { 'application/json': body } } : {}),
    answers: Object.fromEntries(
      Object.entries(answers).map(([status, schema]) => [
        status,
        describeAnswer(Number(status), schema),
      ]),
    ),
    faults,
  };
}

function describeAnswer(status: number, schema: TSchema | null) {
  const descriptions: Record<number, string> = { 200: 'The current state.', 201: 'Created.' };
  return {
    description: descriptions[status] ?? 'Done.',
    ...(schema ? { content: { 'application/json': schema } } : {}),
  };
}
