/** Makes what an account's tokens are signed with, and takes its public keys. */
import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import type { SigningKey } from '../catalog/catalog.ts';
import { createSealer, type Sealer } from '../lib/sealer.ts';
import { parameterFault } from '../wire/parameters.ts';

const secretBytes = 32;
/** Never changes: secrets stay sealed for it for years. */
const sealedFor = 'playmeter signing secret v1';

/** HS256 needs the secret itself: it is stored sealed with the service's secret. */
export function createSigningSealer(serviceSecret: string): Sealer {
  return createSealer(serviceSecret, sealedFor);
}

/** A new secret: the key of HS256 is this text, as it is. */
export function drawSigningSecret(): string {
  return `pms_${randomBytes(secretBytes).toString('base64url')}`;
}

/** An Ed25519 public key as the catalog stores it; throws INVALID_PARAMETER. */
export function readPublicKey(pem: string): Uint8Array {
  const key = parse(pem);
  if (key?.asymmetricKeyType === 'ed25519') return key.export({ format: 'der', type: 'spki' });
  const detail = 'must be an Ed25519 public key in PEM: -----BEGIN PUBLIC KEY-----';
  throw parameterFault([{ parameter: 'publicKey', detail }]);
}

function parse(pem: string): KeyObject | undefined {
  // Of a private key the public one would be read, and the other would have been sent for nothing.
  if (!/^\s*-----BEGIN PUBLIC KEY-----/.test(pem)) return undefined;
  try {
    return createPublicKey(pem);
  } catch {
    return undefined;
  }
}

/** A signing key as its owner reads it: a secret is never shown again. */
export function signingKeyRecordOf(key: SigningKey, sealer: Pick<Sealer, 'open'>) {
  const { signingKeyId, algorithm, material, createdAt, expiresAt } = key;
  return {
    signingKeyId,
    algorithm,
    publicKey: algorithm === 'EdDSA' ? pemOf(material) : null,
    isReadable: isReadable(key, sealer),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

/** Not if it is a secret that was sealed with another secret of the service. */
export function isReadable(
  { algorithm, material }: Pick<SigningKey, 'algorithm' | 'material'>,
  sealer: Pick<Sealer, 'open'>,
): boolean {
  return algorithm === 'EdDSA' || sealer.open(material) !== undefined;
}

function pemOf(material: Uint8Array): string {
  const key = createPublicKey({ key: Buffer.from(material), format: 'der', type: 'spki' });
  return key.export({ format: 'pem', type: 'spki' }).toString();
}
