import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Keys, Sessions } from '../../catalog/catalog.ts';
import type { LimiterOf } from '../../lib/limits/limiter.ts';
import { Fault } from '../../vocabulary/faults.ts';
import type { Scope } from '../../vocabulary/scopes.ts';
import type { SenderAddress } from '../server/sender-address.ts';
import { createRefusalNotes, type RefusalNotesOptions } from './refused-keys.ts';
import { sessionOf } from './session-cookie.ts';
import { type Attempt, limitWrongKeys } from './wrong-key-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where it is known before the body is read. */
    caller?: Caller;
  }
}

const longestKey = 200;
const keyUnknown = 'The API key is unknown, revoked or expired';
const sessionEnded = 'The session has ended: sign in again';

/**
 * The caller, by the key in the headers or else by the session of a person at the dashboard; throws
 * if there is neither, if the key lacks the scope, and after too many wrong ones.
 */
export type Authenticate = (
  request: FastifyRequest,
  reply: FastifyReply,
  scope: Scope,
) => Promise<Caller>;

interface AuthenticateParts extends RefusalNotesOptions {
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

  async function find(attempt: KeyAttempt, reply: FastifyReply, scope: Scope): Promise<Caller> {
    const { secret, isSession } = attempt;
    const caller = await wrongKeys(attempt, reply.raw, async () => {
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
    const key = keyOf(request);
    const secret = key ?? sessionOf(request);
    if (secret === undefined) {
      throw new Fault('UNAUTHENTICATED', 'Send an API key in the header x-api-key');
    }
    const isSession = key === undefined;
    const attempt = { secret, isSession, address: addressOf(request.raw) };
    try {
      return await find(attempt, reply, scope);
    } catch (fault) {
      noteRefused(attempt, request.routeOptions.url, fault);
      throw fault;
    }
  };
}

/** The key in `x-api-key` or as a bearer token; never from the URL, which gets logged. */
export function keyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = headers['x-api-key'];
  if (typeof given === 'string' && given !== '') return given;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}
