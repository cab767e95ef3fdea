import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type {
  Caller,
  KeyCaller,
  Keys,
  Membership,
  Sessions,
  SignedPerson,
} from '../../catalog/catalog.ts';
import type { LimiterOf } from '../../lib/limits/limiter.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { createThrottle } from '../../lib/time/throttled-notice.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { hasRole, type Right, toReadStatistics } from '../../vocabulary/member-roles.ts';
import { accountHeader } from '../../wire/management/sessions.ts';
import { type AnswerHeaders, type Attempt, limitWrongKeys } from '../limits/rate-limits.ts';
import type { SenderAddress } from '../server/sender-address.ts';
import { readSession } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where it is known before the body is read. */
    caller?: Caller;
    /** Likewise, of what needs no account. */
    person?: SignedPerson;
  }
}

const logEveryMs = 1_000;
const refusalCodes: readonly string[] = ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'];
/** The part of a key that lists show as well. */
const shown = /^pm_[A-Za-z0-9_-]{8}(?=[A-Za-z0-9_-]{43}$)/;
const longestKey = 200;
const keyUnknown = 'The API key is unknown, revoked or expired';
const sessionEnded = 'The session has ended: sign in again';

/**
 * The caller, by the key in the headers or else by the session of a person at the dashboard; throws
 * if there is neither, if the key lacks the scope or the member the role, and after too many wrong
 * ones. The account of a person is the one that the request names; it must be one of theirs.
 */
export type Authenticate = (
  request: KeyRequest,
  reply: { readonly raw: AnswerHeaders },
  right: Right,
) => Promise<Caller>;

/** Whoever is signed in as a person, whatever their accounts. */
export type AuthenticatePerson = (
  request: KeyRequest,
  reply: { readonly raw: AnswerHeaders },
) => Promise<SignedPerson>;

/** What of a request says who sends it. */
interface KeyRequest extends Pick<FastifyRequest, 'headers' | 'protocol'> {
  readonly raw: Pick<IncomingMessage, 'headers' | 'socket'>;
  readonly routeOptions: { readonly url?: string | undefined };
}

interface AuthenticateParts {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly keys: Pick<Keys, 'authenticate'>;
  readonly sessions: Pick<Sessions, 'find'>;
  readonly addressOf: SenderAddress;
  readonly wrongKeysPerMinute: number;
  readonly limiterOf: LimiterOf;
}

interface KeyAttempt extends Attempt {
  readonly isSession: boolean;
}

/** What concerns the whole service: a key that reads statistics, or an operator who is signed in. */
export type AuthenticateOperator = (
  request: KeyRequest,
  reply: { readonly raw: AnswerHeaders },
) => Promise<void>;

type AuthenticateSender = (
  request: KeyRequest,
  reply: { readonly raw: AnswerHeaders },
) => Promise<KeyCaller | SignedPerson>;

export interface Authentication {
  readonly authenticate: Authenticate;
  readonly authenticatePerson: AuthenticatePerson;
  readonly authenticateOperator: AuthenticateOperator;
  /** Whoever sends it, without any right. */
  readonly authenticateSender: AuthenticateSender;
}

export function createAuthenticate(parts: AuthenticateParts): Authentication {
  const { keys, sessions, addressOf } = parts;
  const wrongKeys = limitWrongKeys(parts.wrongKeysPerMinute, parts.limiterOf);
  const noteRefused = createRefusalNotes(parts);

  async function find(
    attempt: KeyAttempt,
    answer: AnswerHeaders,
  ): Promise<KeyCaller | SignedPerson> {
    const { secret, isSession } = attempt;
    const holder = await wrongKeys(attempt, answer, async () => {
      if (secret.length > longestKey) return undefined;
      return isSession ? sessions.find(secret) : keys.authenticate(secret);
    });
    if (!holder) throw new Fault('UNAUTHENTICATED', isSession ? sessionEnded : keyUnknown);
    return holder;
  }

  async function admit<Admitted>(
    request: KeyRequest,
    reply: { readonly raw: AnswerHeaders },
    check: (holder: KeyCaller | SignedPerson) => Admitted,
  ): Promise<Admitted> {
    const key = findKey(request);
    const secret = key ?? readSession(request);
    if (secret === undefined) {
      throw new Fault('UNAUTHENTICATED', 'Send an API key in the header x-api-key');
    }
    const isSession = key === undefined;
    const attempt = { secret, isSession, address: addressOf(request.raw) };
    try {
      return check(await find(attempt, reply.raw));
    } catch (fault) {
      noteRefused(attempt, request.routeOptions.url, fault);
      throw fault;
    }
  }

  return {
    authenticate: (request, reply, right) =>
      admit(request, reply, (holder) =>
        'keyId' in holder ? withScope(holder, right) : requireMember(holder, request, right),
      ),

    authenticatePerson: (request, reply) =>
      admit(request, reply, (holder) => {
        if ('personId' in holder) return holder;
        throw new Fault('FORBIDDEN', 'Only a person who is signed in may do this, no API key');
      }),

    authenticateSender: (request, reply) => admit(request, reply, (holder) => holder),

    authenticateOperator: (request, reply) =>
      admit(request, reply, (holder) => {
        if ('keyId' in holder) withScope(holder, toReadStatistics);
        else requireOperator(holder);
      }),
  };
}

/** Of the service: what is in an account needs a membership there, an operator's too. */
export function requireOperator({ isOperator }: SignedPerson): void {
  if (!isOperator) throw new Fault('FORBIDDEN', 'Only an operator of the service may do this');
}

function withScope(caller: KeyCaller, { scope }: Right): Caller {
  if (caller.scopes.includes(scope)) return caller;
  throw new Fault('FORBIDDEN', `The API key lacks the scope ${scope}`);
}

function requireMember(
  person: SignedPerson,
  { headers }: Pick<KeyRequest, 'headers'>,
  right: Right,
) {
  const membership = chosenMembership(person, headers[accountHeader]);
  const { changedAt: memberSince, ...standing } = membership;
  const { role, packageIds } = standing;
  if (right.role === 'none') throw new Fault('FORBIDDEN', 'Only an API key may do this');
  if (!hasRole(role, right.role)) {
    throw new Fault('FORBIDDEN', `This needs the role ${right.role} in the account`);
  }
  if (packageIds !== undefined && !right.isPinned) {
    throw new Fault('FORBIDDEN', 'Not for members who see certain packages alone');
  }
  return { ...standing, memberSince, personId: person.personId, personName: person.name };
}

/** The account that the request names, by its id; without one, the person's first. */
export function chosenMembership(
  { memberships }: Pick<SignedPerson, 'memberships'>,
  named: string | string[] | undefined,
): Membership {
  const chosen =
    named === undefined
      ? memberships[0]
      : memberships.find(({ accountId }) => String(accountId) === named);
  if (chosen) return chosen;
  // What another account has does not exist.
  throw new Fault('NOT_FOUND', 'There is no such account');
}

/** The key in `x-api-key` or as a bearer token; never from the URL, which gets logged. */
export function findKey({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** Does nothing for what is no refusal, such as an outage of the catalog. */
type NoteRefused = (attempt: Attempt, route: string | undefined, cause: unknown) => void;

/**
 * Logs which keys were refused, where, and from which address: whoever tries keys is seen. One
 * entry a second at most, with the number of refusals since the one before.
 */
function createRefusalNotes({ clock, logger }: AuthenticateParts): NoteRefused {
  const seldom = createThrottle(clock, logEveryMs);
  return ({ secret, address }, route, cause) => {
    if (!(cause instanceof Fault) || !refusalCodes.includes(cause.code)) return;
    seldom((refusals) => {
      // Only the beginning, and only of what has the form of a key: it may be any password.
      const prefix = shown.exec(secret)?.[0];
      // Players send no key; one with a wrong key is still a viewer's, whose address is not logged.
      const from = route?.startsWith('/collect/') ? {} : { address };
      logger.warn({ code: cause.code, route, ...from, prefix, refusals }, 'key refused');
    });
  };
}
