import { assert } from '../../lib/assert.ts';
import { accept } from '../../lib/result.ts';
import { scopes as knownScopes, type Scope } from '../../vocabulary/scopes.ts';
import { describeActor, noteChange } from '../audit/change-entry.ts';
import type { Key, KeyCaller, KeyName, Keys, NewKey } from '../catalog.ts';
import { createWatchedCache } from '../database/change-watch.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { lockRows } from '../database/row-locks.ts';
import { refused, refusedField } from '../refusal.ts';
import { holdOpenAccount } from './accounts.ts';
import { hasRoom } from './count-limit.ts';
import { drawSecret, findPrefix, hashSecret, isSameHash } from './key-secret.ts';
import { checkMaker } from './maker-check.ts';
import { checkName } from './name-check.ts';
import type { CatalogUses } from './uses.ts';

const cachedKeyLimit = 10_000;

interface KnownKey {
  readonly caller: KeyCaller;
  readonly secretHash: string;
  readonly expiresAtMs: number | null;
}

export function createKeys(database: Database, uses: CatalogUses['keys']): Keys {
  const { kysely, clock } = database;
  return {
    authenticate: createAuthentication(database, uses),

    async create({ accountId, name = '', scopes, expiresAt }) {
      if (!areKnown(scopes)) {
        return refusedField('scopes', `must be one or more of ${knownScopes.join(', ')}`);
      }
      const nowMs = clock.now();
      if (expiresAt && expiresAt.getTime() <= nowMs) {
        return refusedField('expiresAt', 'must be in the future');
      }
      const named = checkKeyName(name);
      if (!named.ok) return named;
      const expiresAtMs = expiresAt?.getTime() ?? null;
      const key = { accountId, name, scopes: scopes.join(','), createdAtMs: nowMs, expiresAtMs };
      return inTransaction(kysely, async (connection) => {
        if (!(await holdOpenAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
        const allowed = await checkMaker(database, connection, key);
        if (!allowed.ok) return allowed;
        // Revoked keys count: whoever stole one that manages must not lock the operator out.
        const isOperator = database.actor.kind === 'COMMAND_LINE';
        if (!isOperator && !(await hasRoom(connection, 'apiKeys', accountId))) {
          return refused('TOO_MANY_KEYS');
        }
        const made = await insertKey(connection, { ...key, ...describeActor(database.actor) });
        const change = { accountId, object: made.keyId, after: { name, scopes, expiresAt } };
        await noteChange(database, connection, { action: 'KEY_CREATED', ...change });
        return accept(made);
      });
    },

    async list(accountId) {
      const rows = await kysely
        .selectFrom('apiKeys')
        .selectAll()
        .where('accountId', '=', accountId)
        .orderBy('id')
        .execute();
      return rows.map(toKey);
    },

    ...createKeyChanges(database),
  };
}

function createKeyChanges(database: Database): Pick<Keys, 'rotate' | 'rename' | 'revoke'> {
  const { clock, watch } = database;
  return {
    rotate: (name, overlapMs) =>
      watch.write(async (connection) => {
        assert(overlapMs >= 0, 'a key cannot end before it is rotated');
        const now = clock.now();
        const old = await findKey(connection, name);
        if (!old) return refused('NO_KEY');
        const isOver = old.revokedAtMs !== null || (old.expiresAtMs ?? now + 1) <= now;
        if (isOver) return refused('KEY_ENDED');
        const allowed = await checkMaker(database, connection, old);
        if (!allowed.ok) return allowed;
        const endsAtMs = Math.min(old.expiresAtMs ?? Number.MAX_SAFE_INTEGER, now + overlapMs);
        await connection
          .updateTable('apiKeys')
          .set({ expiresAtMs: endsAtMs })
          .where('id', '=', old.id)
          .execute();
        const { accountId, name: keyName, scopes, expiresAtMs } = old;
        const row = { accountId, name: keyName, scopes, expiresAtMs, createdAtMs: now };
        const made = await insertKey(connection, { ...row, ...describeActor(database.actor) });
        await noteChange(database, connection, {
          action: 'KEY_ROTATED',
          accountId,
          object: old.id,
          before: { expiresAt: toDate(expiresAtMs) },
          after: { expiresAt: new Date(endsAtMs), newKeyId: made.keyId },
        });
        return accept(made);
      }),

    rename: (of, name) =>
      watch.write(async (connection) => {
        const named = checkKeyName(name);
        if (!named.ok) return named;
        const [key] = await lockRows(database, selectKey(connection, of));
        if (!key) return refused('NO_KEY');
        await connection.updateTable('apiKeys').set({ name }).where('id', '=', key.id).execute();
        await noteChange(database, connection, {
          ...{ accountId: of.accountId, action: 'KEY_CHANGED', object: key.id },
          ...{ before: { name: key.name }, after: { name } },
        });
        return accept(toKey({ ...key, name }));
      }),

    revoke: (name) =>
      watch.write(async (connection) => {
        const key = await findKey(connection, name);
        if (!key) return refused('NO_KEY');
        const revoked = await connection
          .updateTable('apiKeys')
          .set({ revokedAtMs: clock.now() })
          .where('id', '=', key.id)
          .where('revokedAtMs', 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (!revoked) return accept(undefined);
        const { accountId, name: keyName, expiresAtMs } = key;
        const rights = { scopes: parseScopes(key.scopes), expiresAt: toDate(expiresAtMs) };
        const change = { accountId, object: key.id, before: { name: keyName, ...rights } };
        await noteChange(database, connection, { action: 'KEY_REVOKED', ...change });
        return accept(undefined);
      }),
  };
}

/** Runs for every request: from memory, except the first use of a key after a change. */
function createAuthentication(
  { kysely, clock, watch }: Database,
  uses: CatalogUses['keys'],
): Keys['authenticate'] {
  const known = createWatchedCache<string, KnownKey>(watch, cachedKeyLimit);
  return async (secret) => {
    const prefix = findPrefix(secret);
    if (prefix === undefined) return undefined;
    const generation = await known.refresh();
    const secretHash = hashSecret(secret);
    const isMeant = (key: KnownKey) => isSameHash(key.secretHash, secretHash);
    const cached = known.get(prefix);
    // A second key with the same prefix is looked up each time: that hardly ever happens.
    const isHit = cached !== undefined && isMeant(cached);
    const key = isHit ? cached : (await readKeys(kysely, prefix)).find(isMeant);
    if (key === undefined) return undefined;
    if (!isHit) known.set(generation, prefix, key);
    if (key.expiresAtMs !== null && key.expiresAtMs <= clock.now()) return undefined;
    uses.note(key.caller.keyId);
    return key.caller;
  };
}

async function readKeys(connection: Connection, prefix: string): Promise<KnownKey[]> {
  const rows = await connection
    .selectFrom('apiKeys')
    .innerJoin('accounts', 'accounts.id', 'apiKeys.accountId')
    .select(['apiKeys.id as keyId', 'apiKeys.name as keyName', 'apiKeys.scopes'])
    .select(['secretHash', 'expiresAtMs'])
    .select(['accounts.id as accountId', 'accounts.name', 'accounts.timeZone'])
    .where('prefix', '=', prefix)
    .where('revokedAtMs', 'is', null)
    .where('closedAtMs', 'is', null)
    .execute();
  return rows.map(({ secretHash, expiresAtMs, scopes, ...caller }) => ({
    caller: Object.freeze({ ...caller, scopes: Object.freeze(parseScopes(scopes)) }),
    secretHash,
    expiresAtMs,
  }));
}

async function insertKey(
  connection: Connection,
  row: {
    readonly accountId: number;
    readonly name: string;
    readonly scopes: string;
    readonly createdAtMs: number;
    readonly expiresAtMs: number | null;
    readonly actor: string;
    readonly actorName: string;
  },
): Promise<NewKey> {
  const secret = drawSecret();
  const prefix = findPrefix(secret);
  assert(prefix !== undefined, 'a secret has the form of one');
  const { id } = await connection
    .insertInto('apiKeys')
    .values({ ...row, prefix, secretHash: hashSecret(secret) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { keyId: id, secret };
}

function selectKey(connection: Connection, { accountId, keyId }: KeyName) {
  return connection
    .selectFrom('apiKeys')
    .selectAll()
    .where('accountId', '=', accountId)
    .where('id', '=', keyId);
}

function findKey(connection: Connection, name: KeyName) {
  return selectKey(connection, name).executeTakeFirst();
}

type KeyRow = NonNullable<Awaited<ReturnType<typeof findKey>>>;

function toKey(row: KeyRow): Key {
  return {
    keyId: row.id,
    accountId: row.accountId,
    prefix: `pm_${row.prefix}`,
    name: row.name,
    scopes: parseScopes(row.scopes),
    createdAt: new Date(row.createdAtMs),
    expiresAt: toDate(row.expiresAtMs),
    revokedAt: toDate(row.revokedAtMs),
    lastUsedAt: toDate(row.lastUsedAtMs),
    createdBy: row.actor || undefined,
    createdByName: row.actorName || undefined,
  };
}

/** A key need not have one. */
function checkKeyName(name: string) {
  return name === '' ? accept(name) : checkName('name', name);
}

function toDate(atMs: number | null): Date | undefined {
  return atMs === null ? undefined : new Date(atMs);
}

/** A scope stored by a later version and unknown to this one is not granted. */
export function parseScopes(text: string): Scope[] {
  const granted = text.split(',');
  return knownScopes.filter((scope) => granted.includes(scope));
}

function areKnown(scopes: readonly Scope[]): boolean {
  return scopes.length > 0 && scopes.every((scope) => knownScopes.includes(scope));
}
