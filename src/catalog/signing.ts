import type { Result } from '../lib/result.ts';
import type { SigningAlgorithm } from '../vocabulary/view-token.ts';
import type { CatalogRefusal } from './refusal.ts';

type Outcome<Value> = Promise<Result<Value, CatalogRefusal>>;

/** What the signatures of an account's tokens are checked with. */
export interface SigningKey {
  readonly signingKeyId: number;
  readonly accountId: number;
  readonly algorithm: SigningAlgorithm;
  /** HS256: the secret, sealed by the caller. EdDSA: the public key, as SPKI in DER. */
  readonly material: Uint8Array;
  readonly createdAt: Date;
  readonly expiresAt: Date | undefined;
}

/** A signing key of one account. */
export interface SigningKeyName {
  readonly accountId: number;
  readonly signingKeyId: number;
}

export interface SigningKeys {
  /** Forgets those that have expired. */
  add(key: Pick<SigningKey, 'accountId' | 'algorithm' | 'material'>): Outcome<SigningKey>;
  /** All, expired ones too. */
  list(accountId: number): Promise<SigningKey[]>;
  /**
   * The same from a bounded cache: the same object while nothing has changed, and a second late at
   * most if another process changed something.
   */
  known(accountId: number): Promise<readonly SigningKey[]>;
  /** Secrets of all accounts that have not expired, in the order of their ids. */
  secretsAfter(signingKeyId: number, limit: number): Promise<SigningKey[]>;
  /** A secret that takes the place of another; the old one expires after `overlapMs`. */
  rotate(name: SigningKeyName, material: Uint8Array, overlapMs: number): Outcome<SigningKey>;
  /** Deletes it: from then on no token passes by it. */
  delete(name: SigningKeyName): Outcome<void>;
}
