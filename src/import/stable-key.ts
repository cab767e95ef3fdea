/** Access keys that are the same each time the same thing is imported. */
import { createHash } from 'node:crypto';

const keyBytes = 16;

export function keyOfCid(accountId: number, cid: string): string {
  return stableKey(accountId, ['cid', cid]);
}

/** Includes the account, so that a key reveals nothing about other accounts. */
export function stableKey(accountId: number, parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256').update(`${accountId}`);
  for (const part of parts) hash.update('\0').update(part);
  return hash.digest().subarray(0, keyBytes).toString('base64url');
}
