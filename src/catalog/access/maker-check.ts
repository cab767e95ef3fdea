import { accept, type Result } from '../../lib/result.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { type CatalogRefusal, refused } from '../refusal.ts';

/** As they are stored. */
interface KeyRights {
  readonly accountId: number;
  readonly scopes: string;
  readonly expiresAtMs: number | null;
}

/**
 * A key makes no key that may do more than itself, or for longer. The operator, on the command
 * line, makes any, and so does a member, whose role was checked before. Reads the maker anew: the
 * key may just have been revoked or rotated, the member removed.
 */
export async function checkMaker(
  { actor }: Database,
  connection: Connection,
  { accountId, scopes, expiresAtMs }: KeyRights,
): Promise<Result<void, CatalogRefusal>> {
  if (actor.kind === 'PERSON') {
    const member = await connection
      .selectFrom('memberships')
      .select('role')
      .where('accountId', '=', accountId)
      .where('personId', '=', actor.personId)
      .executeTakeFirst();
    return member ? accept(undefined) : refused('SCOPES_BEYOND_MAKER');
  }
  if (actor.kind !== 'KEY') return accept(undefined);
  const maker = await connection
    .selectFrom('apiKeys')
    .select(['scopes', 'expiresAtMs'])
    .where('id', '=', actor.keyId)
    .where('accountId', '=', accountId)
    .where('revokedAtMs', 'is', null)
    .executeTakeFirst();
  const held = maker?.scopes.split(',') ?? [];
  if (!scopes.split(',').every((scope) => held.includes(scope))) {
    return refused('SCOPES_BEYOND_MAKER');
  }
  const endsAtMs = maker?.expiresAtMs ?? Number.POSITIVE_INFINITY;
  const isLater = (expiresAtMs ?? Number.POSITIVE_INFINITY) > endsAtMs;
  return isLater ? refused('END_BEYOND_MAKER') : accept(undefined);
}
