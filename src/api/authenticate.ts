import type { FastifyRequest } from 'fastify';
import type { Caller, Keys } from '../catalog/catalog.ts';
import { Fault } from '../wire/faults.ts';
import type { Scope } from '../wire/scopes.ts';

const longestKey = 200;

/** Who asks, by the key in the headers; faults where there is none or it may not do this. */
export async function authenticate(
  request: FastifyRequest,
  keys: Keys,
  scope: Scope,
): Promise<Caller> {
  const secret = keyOf(request);
  if (secret === undefined) {
    throw new Fault('UNAUTHENTICATED', 'Send an API key in the header x-api-key');
  }
  const caller = secret.length > longestKey ? undefined : await keys.authenticate(secret);
  if (!caller) throw new Fault('UNAUTHENTICATED', 'The API key is unknown, revoked or expired');
  if (!caller.scopes.includes(scope)) {
    throw new Fault('FORBIDDEN', `The API key lacks the scope ${scope}`);
  }
  return caller;
}

/** The key in `x-api-key` or as a bearer token; never from the address, which gets logged. */
export function keyOf({ headers }: FastifyRequest): string | undefined {
  const given = headers['x-api-key'];
  if (typeof given === 'string' && given !== '') return given;
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
}
