/** Signing in at the dashboard, by a password, an API key or a link that does it once, for a cookie. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type {
  Catalog,
  Credentials,
  KeyCaller,
  SessionPlace,
  SignedPerson,
} from '../../catalog/catalog.ts';
import { assert } from '../../lib/assert.ts';
import { type SendPersonMail, writePersonMail } from '../../operations/people/mails.ts';
import { toPersonAccount, toPersonRecord } from '../../operations/people/person-records.ts';
import type { Proofs } from '../../operations/people/proofs.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { toReadStatistics } from '../../vocabulary/member-roles.ts';
import { scopes } from '../../vocabulary/scopes.ts';
import { accountHeader, PageHeaders, SignedIn, SignIn } from '../../wire/management/sessions.ts';
import { checkMessage } from '../../wire/message-check.ts';
import type { LimitWrongKeys } from '../limits/rate-limits.ts';
import { documented, type Operation } from '../openapi/operation.ts';
import type { SenderAddress, Sent } from '../server/sender-address.ts';
import { type Authentication, chosenMembership, findKey } from './authentication.ts';
import { clearSession, isFromDashboard, readSession, setSession } from './session-cookie.ts';

interface SessionParts {
  readonly catalog: Catalog;
  readonly authenticate: Authentication['authenticate'];
  readonly authenticateSender: Authentication['authenticateSender'];
  readonly addressOf: SenderAddress;
  readonly limitWrongLinks: LimitWrongKeys;
  readonly limitWrongPasswords: LimitWrongKeys;
  readonly proofs: Proofs;
  readonly takesPasswords: boolean;
  readonly takesKeys: () => Promise<boolean>;
  readonly beginForPerson: BeginForPerson;
}

const url = '/session';
const bodyLimitBytes = 4_096;

export function addSessionRoutes(app: FastifyInstance, parts: SessionParts): void {
  const { catalog, authenticate } = parts;
  const follow = followLinks(parts);

  /** A session begins no other: it would outlive signing out and its 30 days. */
  async function keyHolder(request: FastifyRequest, reply: FastifyReply): Promise<number> {
    if (findKey(request) === undefined) {
      throw new Fault('UNAUTHENTICATED', 'Send an API key in the header x-api-key, or a link');
    }
    const caller = await authenticate(request, reply, toReadStatistics);
    assert('keyId' in caller, 'a key was sent');
    if (await parts.takesKeys()) return caller.keyId;
    throw new Fault('FORBIDDEN', 'Keys are for programs: sign in as a person (see KEY_SIGN_IN)');
  }

  async function begin(
    { link, email, password = '', code }: SignIn,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<SignedIn> {
    if (email !== undefined) {
      const who = await checkPassword({ email, password, code }, request, reply);
      return parts.beginForPerson(who.personId, request, reply, { proof: who });
    }
    const session =
      link === undefined
        ? await catalog.sessions.begin(await keyHolder(request, reply))
        : await follow(link, request, reply);
    await replaceSession(catalog, request, reply, session);
    const holder = await catalog.sessions.find(session.token);
    assert(holder, 'a session that began is there');
    return createSignedIn(holder, request);
  }

  async function checkPassword(
    given: Parameters<Proofs['signIn']>[0],
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    requirePasswordSignIn(parts);
    const address = parts.addressOf(request.raw);
    let wrong: unknown;
    // No password is remembered, as a key that was right is: each try counts for itself.
    const attempt = { secret: randomUUID(), address };
    const who = await parts.limitWrongPasswords(attempt, reply.raw, async () => {
      try {
        return await parts.proofs.signIn(given, address);
      } catch (fault) {
        wrong = fault;
        return undefined;
      }
    });
    if (who === undefined) throw wrong;
    return who;
  }

  app.post(url, { ...documented(signIn), bodyLimit: bodyLimitBytes }, async (request, reply) => {
    requireDashboard(request);
    reply.header('cache-control', 'no-store');
    const given = request.body === undefined ? {} : checkMessage(SignIn, request.body);
    return reply.status(201).send(await begin(given, request, reply));
  });

  app.get(url, documented(signedIn), async (request, reply) => {
    reply.header('cache-control', 'no-store');
    // Nobody is signed in: that is no mistake.
    if (readSession(request) === undefined) return reply.status(204).send();
    const holder = await parts.authenticateSender(request, reply);
    if ('keyId' in holder) await authenticate(request, reply, toReadStatistics);
    return createSignedIn(holder, request);
  });

  app.delete(url, documented(signOut), async (request, reply) => {
    requireDashboard(request);
    reply.header('cache-control', 'no-store');
    const token = readSession(request);
    if (token !== undefined) {
      const person = await findSignedPerson(catalog, request);
      const address = parts.addressOf(request.raw);
      const acting = person ? catalog.as({ ...toActor(person), address }) : catalog;
      await acting.sessions.end(token);
    }
    clearSession(request, reply);
    return reply.status(204).send();
  });
}

/** Where nobody needs to be. */
export async function findSignedPerson(
  { sessions }: Pick<Catalog, 'sessions'>,
  request: FastifyRequest,
): Promise<SignedPerson | undefined> {
  const token = readSession(request);
  const holder = token === undefined ? undefined : await sessions.find(token);
  return holder && 'personId' in holder ? holder : undefined;
}

export function toActor({ personId, name }: Pick<SignedPerson, 'personId' | 'name'>) {
  return { kind: 'PERSON', personId, personName: name } as const;
}

export function requirePasswordSignIn(parts: { readonly takesPasswords: boolean }): void {
  if (parts.takesPasswords) return;
  throw new Fault('FORBIDDEN', 'People sign in by the provider alone: PASSWORD_SIGN_IN is off');
}

export function requireDashboard(request: FastifyRequest): void {
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

/** Begins a session of a person who has shown who they are. */
export type BeginForPerson = (
  personId: number,
  request: FastifyRequest,
  reply: FastifyReply,
  about?: {
    /** In which account; undefined: in the one that the request names. */
    readonly accountId?: number | undefined;
    /** Whose password was right: it must be still when the session is there. */
    readonly proof?: Pick<Credentials, 'passwordHash'>;
  },
) => Promise<SignedIn>;

interface BeginParts {
  readonly catalog: Catalog;
  readonly placeOf: (sent: Sent) => SessionPlace;
  readonly sendMail: SendPersonMail | undefined;
  readonly url: string;
}

export function createBeginForPerson(parts: BeginParts): BeginForPerson {
  const { catalog } = parts;
  return async (personId, request, reply, { accountId, proof } = {}) => {
    const place = parts.placeOf(request.raw);
    const person = await catalog.people.find(personId);
    if (person === undefined) throw new Fault('UNAUTHENTICATED', 'There is no such person');
    const acting = catalog.as({ ...toActor(person), address: place.address });
    const session = await acting.sessions.beginFor(personId, place);
    // A new password ends the sessions that there are, and this one may have come after it.
    const held = proof && (await catalog.people.credentials(personId));
    if (proof && held?.passwordHash !== proof.passwordHash) {
      await acting.sessions.end(session.token);
      throw new Fault('UNAUTHENTICATED', 'The password was just changed');
    }
    await replaceSession(catalog, request, reply, session);
    const holder = await catalog.sessions.find(session.token);
    assert(holder, 'a session that began is there');
    const { email, language, lastSeenAt } = person;
    if (session.isNewPlace && lastSeenAt && email !== undefined) {
      const values = {
        device: place.device,
        place: [place.address, place.country].filter((word) => word !== '').join(', '),
        at: session.createdAt.toUTCString(),
        link: `${parts.url}/#forgotten`,
      };
      parts.sendMail?.(writePersonMail('newSignIn', { to: email, language }, values));
    }
    return createSignedIn(holder, request, accountId);
  };
}

/** A browser has one session, and signing out ends it. */
async function replaceSession(
  catalog: Pick<Catalog, 'sessions'>,
  request: FastifyRequest,
  reply: FastifyReply,
  session: { readonly token: string; readonly expiresAt: Date },
): Promise<void> {
  const former = readSession(request);
  if (former !== undefined) await catalog.sessions.end(former);
  setSession(request, reply, session);
}

function createSignedIn(
  holder: KeyCaller | SignedPerson,
  { headers }: Pick<FastifyRequest, 'headers'>,
  wanted?: number,
): SignedIn {
  if ('keyId' in holder) {
    const { accountId, name, timeZone, keyId, keyName } = holder;
    return { accountId, name, timeZone, keyId, keyName, scopes: [...holder.scopes] };
  }
  const of = {
    ...{ keyId: null, keyName: holder.name, person: toPersonRecord(holder) },
    accounts: holder.memberships.map(toPersonAccount),
  };
  if (holder.memberships.length === 0) {
    return { accountId: 0, name: '', timeZone: 'UTC', scopes: [], ...of };
  }
  const named = wanted === undefined ? headers[accountHeader] : String(wanted);
  const account = toPersonAccount(chosenMembership(holder, named));
  return { ...account, scopes: scopes.filter((scope) => scope !== 'collect:write'), ...of };
}

const person = { 'application/json': SignedIn };
const ofPages = { tag: 'Dashboard', headers: PageHeaders } as const;

const signIn: Operation = {
  ...ofPages,
  operationId: 'signIn',
  summary: 'Sign in',
  description:
    'Exchanges the password of a person (and the code of a second factor), an API key with the ' +
    'scope `stats:read`, or a link that signs in once, for a cookie that no script can read. It ' +
    'authorises requests, at every path, if `x-requested-with: playmeter` is sent beside it: ' +
    'for 30 days at most, and a person after 7 days without use no longer. The cookie alone ' +
    'begins no session, and that of a session which is replaced ends. If `errors` of a `401` ' +
    'names `code`, the password was right and the code is missing.',
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
  description:
    'In the account that the header `x-playmeter-account` names by its id; without it, in the ' +
    'first one of the person.',
  answers: {
    200: { description: 'Whose cookie it is.', content: person },
    204: { description: 'Nobody is signed in.' },
  },
  faults: ['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE'],
};

const signOut: Operation = {
  ...ofPages,
  operationId: 'signOut',
  summary: 'Sign out',
  description: 'Ends the session and takes the cookie back.',
  answers: { 204: { description: 'Nobody is signed in any more.', headers: ['Set-Cookie'] } },
  faults: ['FORBIDDEN', 'RATE_LIMITED', 'UNAVAILABLE'],
};
