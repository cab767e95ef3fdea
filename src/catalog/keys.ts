import { assert } from '../lib/assert.ts';
import { Fault } from '../wire/faults.ts';
import { scopes as knownScopes, type Scope } from '../wire/scopes.ts';
import { requireAccount } from './accounts.ts';
import type { Caller, Key, KeyName, Keys } from './catalog.ts';
import { checkCount } from './check-count.ts';
import type { Connection } from './database.ts';
import { drawSecret, hashSecret, isSameHash, prefixOf } from './key-secret.ts';
import type { Store } from './store.ts';
import { createWatchedCache } from './watched-cache.ts';

const cachedKeyLimit = 10_000;

interface KnownKey {
  readonly caller: Caller;
  readonly secretHash: string;
  readonly expiresAtMs: number | null;
}

export function createKeys(store: Store): Keys {
  const { kysely, clock, watch } = store;
  return {
    authenticate: createAuthentication(store),

    async create({ accountId, scopes, expiresAt }) {
      checkScopes(scopes);
      await requireAccount(kysely, accountId);
      await checkCount(kysely, 'apiKeys', accountId);
      return insertKey(kysely, {
        accountId,
        scopes: scopes.join(','),
        createdAtMs: clock.now(),
        expiresAtMs: expiresAt?.getTime() ?? null,
      });
    },

    async list(accountId) {
      const rows = await kysely
        .selectFrom('apiKeys')
        .selectAll()
        .where('accountId', '=', accountId)
        .orderBy('id')
        .execute();
      return rows.map(keyOf);
    },

    rotate: (name, overlapMs) =>
      watch.write(async (connection) => {
        assert(overlapMs >= 0, 'a key cannot end before it is rotated');
        const now = clock.now();
        const old = await requireKey(connection, name);
        const isOver = old.revokedAtMs !== null || (old.expiresAtMs ?? now + 1) <= now;
        if (isOver) throw new Fault('CONFLICT', 'The key is revoked or expired already');
        const endsAtMs = Math.min(old.expiresAtMs ?? Number.MAX_SAFE_INTEGER, now + overlapMs);
        await connection
          .updateTable('apiKeys')
          .set({ expiresAtMs: endsAtMs })
          .where('id', '=', old.id)
          .execute();
        const { accountId, scopes, expiresAtMs } = old;
        return insertKey(connection, { accountId, scopes, expiresAtMs, createdAtMs: now });
      }),

    revoke: (name) =>
      watch.write(async (connection) => {
        const { id } = await requireKey(connection, name);
        await connection
          .updateTable('apiKeys')
          .set({ revokedAtMs: clock.now() })
          .where('id', '=', id)
          .where('revokedAtMs', 'is', null)
          .execute();
      }),
  };
}

/** Runs at every request: from memory, but for the first use of a key since the last change. */
function createAuthentication({ kysely, clock, watch }: Store): Keys['authenticate'] {
  const known = createWatchedCache<string, KnownKey>(watch, cachedKeyLimit);
  return async (secret) => {
    const prefix = prefixOf(secret);
    if (prefix === undefined) return undefined;
    const generation = await known.refresh();
    const secretHash = hashSecret(secret);
    const isMeant = (key: KnownKey) => isSameHash(key.secretHash, secretHash);
    const cached = known.get(prefix);
    // Another key with the same prefix is looked up each time: there is hardly ever one.
    const isHit = cached !== undefined && isMeant(cached);
    const key = isHit ? cached : (await readKeys(kysely, prefix)).find(isMeant);
    if (key === undefined) return undefined;
    if (!isHit) known.set(generation, prefix, key);
    return key.expiresAtMs !== null && key.expiresAtMs <= clock.now() ? undefined : key.caller;
  };
}

async function readKeys(connection: Connection, prefix: string): Promise<KnownKey[]> {
  const rows = await connection
    .selectFrom('apiKeys')
    .innerJoin('accounts', 'accounts.id', 'apiKeys.accountId')
    .select(['apiKeys.id as keyId', 'apiKeys.scopes', 'secretHash', 'expiresAtMs'])
    .select(['accounts.id as accountId', 'accounts.name', 'accounts.timeZone'])
    .where('prefix', '=', prefix)
    .where('revokedAtMs', 'is', null)
    .execute();
  return rows.map(({ secretHash, expiresAtMs, scopes, ...caller }) => ({
    caller: Object.freeze({ ...caller, scopes: Object.freeze(scopesOf(scopes)) }),
    secretHash,
    expiresAtMs,
  }));
}

async function insertKey(
  connection: Connection,
  row: { accountId: number; scopes: string; createdAtMs: number; expiresAtMs: number | null },
) {
  const secret = drawSecret();
  const prefix = prefixOf(secret);
  assert(prefix !== undefined, 'a secret has the form of one');
  const { id } = await connection
    .insertInto('apiKeys')
    .values({ ...row, prefix, secretHash: hashSecret(secret) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { keyId: id, secret };
}

async function requireKey(connection: Connection, { accountId, keyId }: KeyName) {
  const row = await connection
    .selectFrom('apiKeys')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', keyId)
    .executeTakeFirst();
  if (!row) throw new Fault('NOT_FOUND', 'There is no such key');
  return row;
}

type KeyRow = Awaited<ReturnType<typeof requireKey>>;

function keyOf(row: KeyRow): Key {
  return {
    keyId: row.id,
    accountId: row.accountId,
    prefix: `pm_${row.prefix}`,
    scopes: scopesOf(row.scopes),
    createdAt: new Date(row.createdAtMs),
    expiresAt: row.expiresAtMs === null ? undefined : new Date(row.expiresAtMs),
    revokedAt: row.revokedAtMs === null ? undefined : new Date(row.revokedAtMs),
  };
}

/** A scope that a later version stored and this one does not know is not granted. */
function scopesOf(text: string): Scope[] {
  const granted = text.split(',');
  return knownScopes.filter((scope) => granted.includes(scope));
}

function checkScopes(scopes: readonly Scope[]): void {
  const isKnown = scopes.every((scope) => knownScopes.includes(scope));
  if (scopes.length > 0 && isKnown) return;
  const detail = `must be one or more of ${knownScopes.join(', ')}`;
  throw new Fault('INVALID_PARAMETER', `scopes ${detail}`, {
    errors: [{ parameter: 'scopes', detail }],
  });
}
