import { accept } from '../../lib/result.ts';
import type { SigningAlgorithm } from '../../vocabulary/view-token.ts';
import { noteChange } from '../audit/change-entry.ts';
import type { SigningKey, SigningKeyName, SigningKeys } from '../catalog.ts';
import { createWatchedCache } from '../database/change-watch.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { holdAccount } from '../database/row-locks.ts';
import { refused } from '../refusal.ts';
import { holdOpenAccount } from './accounts.ts';
import { hasRoom } from './count-limit.ts';
import { checkMaker } from './maker-check.ts';

const cachedAccountLimit = 10_000;
/** A signing key has no end: a key that has one could go on vouching for views after it. */
const endless = { scopes: 'manage', expiresAtMs: null };

export function createSigningKeys(database: Database): SigningKeys {
  const { kysely, clock, watch } = database;
  const cache = createWatchedCache<number, readonly SigningKey[]>(watch, cachedAccountLimit);
  const list = async (accountId: number): Promise<SigningKey[]> => {
    const rows = await selectKeys(kysely, accountId).orderBy('id').execute();
    return rows.map(toSigningKey);
  };
  return {
    list,

    async known(accountId) {
      const generation = await cache.refresh();
      const cached = cache.get(accountId);
      if (cached) return cached;
      const keys = await list(accountId);
      cache.set(generation, accountId, keys);
      return keys;
    },

    async secretsAfter(signingKeyId, limit) {
      const rows = await kysely
        .selectFrom('signingKeys')
        .selectAll()
        .where('algorithm', '=', 'HS256')
        .where('id', '>', signingKeyId)
        .where((builder) =>
          builder.or([
            builder('expiresAtMs', 'is', null),
            builder('expiresAtMs', '>', clock.now()),
          ]),
        )
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toSigningKey);
    },

    ...createSigningKeyChanges(database),
  };
}

function createSigningKeyChanges(
  database: Database,
): Pick<SigningKeys, 'add' | 'rotate' | 'delete'> {
  const { clock, watch } = database;
  return {
    // Added keys count as changes too: other nodes take the tokens of a new one a second later.
    add: ({ accountId, algorithm, material }) =>
      watch.write(async (connection) => {
        if (!(await holdOpenAccount(database, connection, accountId))) return refused('NO_ACCOUNT');
        const allowed = await checkMaker(database, connection, { accountId, ...endless });
        if (!allowed.ok) return allowed;
        await connection
          .deleteFrom('signingKeys')
          .where('accountId', '=', accountId)
          .where('expiresAtMs', '<=', clock.now())
          .execute();
        const isRoom = await hasRoom(connection, 'signingKeys', accountId);
        if (!isRoom) return refused('TOO_MANY_SIGNING_KEYS');
        const key = await insertKey(database, connection, { accountId, algorithm, material });
        const { signingKeyId: object } = key;
        const change = { accountId, object, after: { algorithm } };
        await noteChange(database, connection, { action: 'SIGNING_KEY_ADDED', ...change });
        return accept(key);
      }),

    rotate: (name, material, overlapMs) =>
      watch.write(async (connection) => {
        await holdAccount(database, connection, name.accountId);
        const old = await findKey(connection, name);
        if (!old) return refused('NO_SIGNING_KEY');
        const nowMs = clock.now();
        const { accountId, algorithm } = old;
        const allowed = await checkMaker(database, connection, { accountId, ...endless });
        if (!allowed.ok) return allowed;
        if (algorithm !== 'HS256') return refused('NOT_A_SECRET');
        if (old.expiresAtMs !== null) return refused('KEY_ENDED');
        const isRoom = await hasRoom(connection, 'signingKeys', accountId);
        if (!isRoom) return refused('TOO_MANY_SIGNING_KEYS');
        await connection
          .updateTable('signingKeys')
          .set({ expiresAtMs: nowMs + overlapMs })
          .where('id', '=', old.id)
          .execute();
        const key = await insertKey(database, connection, { accountId, algorithm, material });
        const { signingKeyId: newId } = key;
        const change = { accountId, object: old.id, after: { signingKeyId: newId } };
        await noteChange(database, connection, { action: 'SIGNING_KEY_ROTATED', ...change });
        return accept(key);
      }),

    delete: (name) =>
      watch.write(async (connection) => {
        const old = await findKey(connection, name);
        if (!old) return refused('NO_SIGNING_KEY');
        const { accountId, id: object, algorithm } = old;
        await connection.deleteFrom('signingKeys').where('id', '=', old.id).execute();
        const change = { accountId, object, before: { algorithm } };
        await noteChange(database, connection, { action: 'SIGNING_KEY_DELETED', ...change });
        return accept(undefined);
      }),
  };
}

function selectKeys(connection: Connection, accountId: number) {
  return connection.selectFrom('signingKeys').selectAll().where('accountId', '=', accountId);
}

function findKey(connection: Connection, { accountId, signingKeyId }: SigningKeyName) {
  return selectKeys(connection, accountId).where('id', '=', signingKeyId).executeTakeFirst();
}

async function insertKey(
  { clock }: Database,
  connection: Connection,
  key: { accountId: number; algorithm: SigningAlgorithm; material: Uint8Array },
): Promise<SigningKey> {
  const row = await connection
    .insertInto('signingKeys')
    .values({ ...key, createdAtMs: clock.now(), expiresAtMs: null })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toSigningKey(row);
}

function toSigningKey({
  id,
  createdAtMs,
  expiresAtMs,
  ...row
}: NonNullable<Awaited<ReturnType<typeof findKey>>>): SigningKey {
  return {
    ...row,
    signingKeyId: id,
    createdAt: new Date(createdAtMs),
    expiresAt: expiresAtMs === null ? undefined : new Date(expiresAtMs),
  };
}
