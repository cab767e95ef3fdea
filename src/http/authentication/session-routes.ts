/** Signing in at the dashboard: an API key, or a link that does it once, for a cookie. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Catalog } from '../../catalog/catalog.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { PageHeaders, SignedIn, SignIn } from '../../wire/management/sessions.ts';
import { checkMessage } from '../../wire/message-check.ts';
import type { LimitWrongKeys } from '../limits/rate-limits.ts';
import { documented, type Operation } from '../openapi/operation.ts';
import type { SenderAddress } from '../server/sender-address.ts';
import { type Authenticate, findKey } from './authentication.ts';
import { clearSession, isFromDashboard, sessionOf, setSession } from './session-cookie.ts';

interface SessionParts {
  readonly catalog: Pick<Catalog, 'sessions'>;
  readonly authenticate: Authenticate;
  readonly addressOf: SenderAddress;
  readonly limitWrongLinks: LimitWrongKeys;
}

const url = '/session';
const bodyLimitBytes = 1_024;

export function addSessionRoutes(app: FastifyInstance, parts: SessionParts): void {
  const { catalog, authenticate } = parts;
  const follow = followLinks(parts);

  /** A session begins no other: it would outlive signing out and its 30 days. */
  async function keyHolder(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    if (findKey(request) !== undefined) return authenticate(request, reply, 'stats:read');
    throw new Fault('UNAUTHENTICATED', 'Send an API key in the header x-api-key, or a link');
  }

  app.post(url, { ...documented(signIn), bodyLimit: bodyLimitBytes }, async (request, reply) => {
    requireDashboard(request);
    reply.header('cache-control', 'no-store');
    const { link } = request.body === undefined ? {} : checkMessage(SignIn, request.body);
    const session =
      link === undefined
        ? await catalog.sessions.begin((await keyHolder(request, reply)).keyId)
        : await follow(link, request, reply);
    // A browser has one session, and signing out ends it.
    const former = sessionOf(request);
    if (former !== undefined) await catalog.sessions.end(former);
    setSession(request, reply, session);
    const caller = await catalog.sessions.find(session.token);
    return reply.status(201).send(caller && personOf(caller));
  });

  app.get(url, documented(signedIn), async (request, reply) => {
    reply.header('cache-control', 'no-store');
    // Nobody is signed in: that is no mistake.
    if (sessionOf(request) === undefined) return reply.status(204).send();
    return personOf(await authenticate(request, reply, 'stats:read'));
  });

  app.delete(url, documented(signOut), async (request, reply) => {
    requireDashboard(request);
    reply.header('cache-control', 'no-store');
    const token = sessionOf(request);
    if (token !== undefined) await catalog.sessions.end(token);
    clearSession(request, reply);
    return reply.status(204).send();
  });
}

function requireDashboard(request: FastifyRequest): void {
  if (isFromDashboard(request)) return;
  throw new Fault('FORBIDDEN', 'Only the pages of this service sign in and out');
}

function followLinks({ catalog, addressOf, limitWrongLinks }: SessionParts) {
  return async (link: string, request: FastifyRequest, reply: FastifyReply) => {
    const attempt = { secret: link, address: addressOf(request.raw) };
    const session = await limitWrongLinks(attempt, reply.raw, () =>
      catalog.sessions.followLink(link),
    );
    if (session) return session;
    const detail = 'This link is no longer valid: it signs in once, within a day';
    throw new Fault('UNAUTHENTICATED', detail);
  };
}

function personOf(caller: Caller): SignedIn {
  const { accountId, name, timeZone, keyId, keyName, scopes } = caller;
  return { accountId, name, timeZone, keyId, keyName, scopes: [...scopes] };
}

const person = { 'application/json': SignedIn };
const ofPages = { tag: 'Dashboard', headers: PageHeaders } as const;

const signIn: Operation = {
  ...ofPages,
  operationId: 'signIn',
  summary: 'Sign in',
  description:
    'Exchanges an API key with the scope `stats:read`, or a link that signs in once, for a ' +
    'cookie that no script can read. For 30 days, or until the key is revoked, the cookie does ' +
    'what the key does, at every path, if `x-requested-with: playmeter` is sent beside it. The ' +
    'cookie alone begins no session, and that of a session which is replaced ends.',
  body: { 'application/json': SignIn },
  bodyIsOptional: true,
  answers: {
    201: { description: 'Who is signed in now.', headers: ['Set-Cookie'], content: person },
  },
  faults: [
    ...(['INVALID_PARAMETER', 'UNAUTHENTICATED', 'FORBIDDEN', 'PAYLOAD_TOO_LARGE'] as const),
    ...(['UNSUPPORTED_MEDIA_TYPE', 'RATE_LIMITED', 'UNAVAILABLE'] as const),
  ],
};

const signedIn: Operation = {
  ...ofPages,
  operationId: 'signedIn',
  summary: 'Get who is signed in',
  answers: {
    200: { description: 'Whose cookie it is.', content: person },
    204: { description: 'Nobody is signed in.' },
  },
  faults: ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED', 'UNAVAILABLE'],
};

const signOut: Operation = {
  ...ofPages,
  operationId: 'signOut',
  summary: 'Sign out',
  description: 'Ends the session and takes the cookie back.',
  answers: { 204: { description: 'Nobody is signed in any more.', headers: ['Set-Cookie'] } },
  faults: ['FORBIDDEN', 'RATE_LIMITED', 'UNAVAILABLE'],
};
