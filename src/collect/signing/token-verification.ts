/** Checks who made a token, and its form. What depends on the time is checked for each view. */
import type { KeyObject } from 'node:crypto';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { Compile } from 'typebox/compile';
import type { SigningKey } from '../../catalog/catalog.ts';
import { accept, type Result, refuse } from '../../lib/result.ts';
import {
  type SigningAlgorithm,
  signingAlgorithms,
  tokenLifetimeSeconds,
  ViewClaims,
} from '../../vocabulary/view-token.ts';

/** A key as the verification takes it; undefined if its secret was sealed for another service. */
export type OpenKey = (key: SigningKey) => KeyObject | undefined;

export interface VerifiedToken {
  readonly claims: ViewClaims;
  /** The key that verified it. */
  readonly key: SigningKey;
}

const form = Compile(ViewClaims);
const notVerified = 'token: no signing key of the account made its signature';
const notReadable =
  'token: a secret of the account, maybe the one that signed it, cannot be read any more; ' +
  "its owner finds it among the account's signing keys and replaces it";

/** The reason names the token's fault. `keys` are those of the account that the video is of. */
export async function verifyToken(
  token: string,
  keys: readonly SigningKey[],
  open: OpenKey,
): Promise<Result<VerifiedToken, string>> {
  const algorithm = readAlgorithm(token);
  if (!algorithm.ok) return algorithm;
  // Each key is of one algorithm, so that a public key can never be taken for a secret.
  let reason = notVerified;
  for (const key of keys.filter((one) => one.algorithm === algorithm.value)) {
    const opened = open(key);
    if (!opened) reason = notReadable;
    const payload = opened && (await readPayload(token, opened, key.algorithm));
    if (!payload) continue;
    const claims = readClaims(payload);
    return claims.ok ? accept({ claims: claims.value, key }) : claims;
  }
  return refuse(reason);
}

function readAlgorithm(token: string): Result<SigningAlgorithm, string> {
  try {
    const { alg } = decodeProtectedHeader(token);
    const known = signingAlgorithms.find((one) => one === alg);
    return known ? accept(known) : refuse('token: alg must be HS256 or EdDSA');
  } catch {
    return refuse('token: not a signed token (JWS, compact form)');
  }
}

async function readPayload(
  token: string,
  key: KeyObject,
  algorithm: SigningAlgorithm,
): Promise<Uint8Array | undefined> {
  try {
    return (await compactVerify(token, key, { algorithms: [algorithm] })).payload;
  } catch {
    return undefined;
  }
}

function readClaims(payload: Uint8Array): Result<ViewClaims, string> {
  const claims = parse(payload);
  if (!form.Check(claims)) {
    const [error] = form.Errors(claims);
    const missing = error?.keyword === 'required' && error.params.requiredProperties[0];
    if (missing) return refuse(`token: ${missing} is missing`);
    return refuse(`token: ${error?.instancePath.slice(1) || 'claims'} ${error?.message}`);
  }
  const { iat, exp } = claims;
  if (exp > iat + tokenLifetimeSeconds) {
    return refuse('token: exp must be at most 24 hours after iat');
  }
  return accept(claims);
}

function parse(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    return undefined;
  }
}
