/** Access keys that come out the same when the same is imported again. */
import { createHash } from 'node:crypto';

const keyBytes = 16;

export function keyOfCid(accountId: number, cid: string): string {
  return stableKey(accountId, ['cid', cid]);
}

/** The account is in it, so that nobody can tell from a key what others have. */
export function stableKey(accountId: number, parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256').update(`${accountId}`);
  for (const part of parts) hash.update('\0').update(part);
  return hash.digest().subarray(0, keyBytes).toString('base64url');
}
