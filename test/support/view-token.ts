/** Tokens as a site's server makes them, good and bad, without the library that checks them. */
import { createHmac, type KeyObject, sign } from 'node:crypto';
import type { SigningKeys } from '../../src/catalog/catalog.ts';
import { accepted } from '../../src/operations/refusal-faults.ts';
import { createSigningSealer, drawSigningSecret } from '../../src/operations/signing-keys.ts';
import type { ViewClaims } from '../../src/vocabulary/view-token.ts';
import { serviceSecret } from './collecting-events.ts';

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Signed with HS256 by a secret, with EdDSA by a private key. */
export function tokenOf(claims: object, key: string | KeyObject, header: object = {}): string {
  const algorithm = typeof key === 'string' ? 'HS256' : 'EdDSA';
  const content = `${encoded({ alg: algorithm, ...header })}.${encoded(claims)}`;
  const signature =
    typeof key === 'string'
      ? createHmac('sha256', key).update(content).digest()
      : sign(null, Buffer.from(content), key);
  return `${content}.${signature.toString('base64url')}`;
}

/** A view of this video that may begin within an hour. */
export function claimsFor(video: string, atMs: number, more: Partial<ViewClaims> = {}): ViewClaims {
  const iat = Math.floor(atMs / 1_000);
  return { video, jti: 'view-1', iat, exp: iat + 3_600, ...more };
}

/** A new signing secret of the account, in a catalog without a service. */
export async function addSecret(signingKeys: SigningKeys, accountId: number): Promise<string> {
  const secret = drawSigningSecret();
  const material = createSigningSealer(serviceSecret).seal(secret);
  accepted(await signingKeys.add({ accountId, algorithm: 'HS256', material }));
  return secret;
}
