import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { Caller, Keys, Sessions } from '../../catalog/catalog.ts';
import type { LimiterOf } from '../../lib/limits/limiter.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { createThrottle } from '../../lib/time/throttled-notice.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { Scope } from '../../vocabulary/scopes.ts';
import { type AnswerHeaders, type Attempt, limitWrongKeys } from '../limits/rate-limits.ts';
import type { SenderAddress } from '../server/sender-address.ts';
import { sessionOf } from './session-cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where it is known before the body is read. */
    caller?: Caller;
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
 * if there is neither, if the key lacks the scope, and after too many wrong ones.
 */
export type Authenticate = (
  request: KeyRequest,
  reply: { readonly raw: AnswerHeaders },
  scope: Scope,
) => Promise<Caller>;

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

export function createAuthenticate(parts: AuthenticateParts): Authenticate {
  const { keys, sessions, addressOf } = parts;
  const wrongKeys = limitWrongKeys(parts.wrongKeysPerMinute, parts.limiterOf);
  const noteRefused = createRefusalNotes(parts);

  async function find(attempt: KeyAttempt, answer: AnswerHeaders, scope: Scope): Promise<Caller> {
    const { secret, isSession } = attempt;
    const caller = await wrongKeys(attempt, answer, async () => {
      if (secret.length > longestKey) return undefined;
      return isSession ? sessions.find(secret) : keys.authenticate(secret);
    });
    if (!caller) throw new Fault('UNAUTHENTICATED', isSession ? sessionEnded : keyUnknown);
    if (!caller.scopes.includes(scope)) {
      throw new Fault('FORBIDDEN', `The API key lacks the scope ${scope}`);
    }
    return caller;
  }

  return async (request, reply, scope) => {
    const key = findKey(request);
    const secret = key ?? sessionOf(request);
    if (secret === undefined) {
      throw new Fault('UNAUTHENTICATED', 'Send an API key in the header x-api-key');
    }
    const isSession = key === undefined;
    const attempt = { secret, isSession, address: addressOf(request.raw) };
    try {
      return await find(attempt, reply.raw, scope);
    } catch (fault) {
      noteRefused(attempt, request.routeOptions.url, fault);
      throw fault;
    }
  };
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
 * Logs which keys were refused, where, and from which address: whoever tries keys is seen. One entry
 * a second at most, with the number of refusals since the one before.
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
