/** Who is signed in at a browser. The token stands in a cookie; here is its hash alone. */
import { assert } from '../../lib/assert.ts';
import { accept } from '../../lib/result.ts';
import type { Caller, NewSession, Sessions } from '../catalog.ts';
import { createWatchedCache } from '../database/change-watch.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { drawToken, hashSecret, isToken } from './key-secret.ts';
import type { KeyUses } from './key-uses.ts';
import { scopesOf } from './keys.ts';

const dayMs = 86_400_000;
const sessionMs = 30 * dayMs;
const linkMs = dayMs;
const sessionsOfKey = 50;
const cachedSessionLimit = 1_000;
const portionRows = 100;

interface KnownSession {
  readonly caller: Caller;
  readonly endsAtMs: number;
}

export function createSessions(database: Database, uses: KeyUses): Sessions {
  const { kysely, clock, watch } = database;
  const known = createWatchedCache<string, KnownSession>(watch, cachedSessionLimit);

  async function begin(connection: Connection, keyId: number): Promise<NewSession> {
    const { token, expiresAtMs } = await insert(connection, clock.now(), {
      keyId,
      kind: 'session',
    });
    await endOldest(connection, keyId);
    return { token, expiresAt: new Date(expiresAtMs) };
  }

  /** Other nodes are to know of each, because sessions end by it. */
  async function change<Value>(run: (connection: Connection) => Promise<Value>): Promise<Value> {
    const result = await watch.write<Value, never>(async (within) => accept(await run(within)));
    assert(result.ok, 'no change of a session is refused');
    return result.value;
  }

  return {
    begin: (keyId) => change((connection) => begin(connection, keyId)),

    async find(token) {
      if (!isToken(token)) return undefined;
      const generation = await known.refresh();
      const tokenHash = hashSecret(token);
      const cached = known.get(tokenHash);
      const session = cached ?? (await read(kysely, tokenHash));
      if (session === undefined || session.endsAtMs <= clock.now()) return undefined;
      if (cached === undefined) known.set(generation, tokenHash, session);
      uses.note(session.caller.keyId);
      return session.caller;
    },

    end: (token) =>
      change(async (connection) => {
        await connection
          .deleteFrom('sessions')
          .where('tokenHash', '=', hashSecret(token))
          .where('kind', '=', 'session')
          .execute();
      }),

    async createLink(keyId) {
      return (await insert(kysely, clock.now(), { keyId, kind: 'link' })).token;
    },

    async followLink(link) {
      if (!isToken(link)) return undefined;
      return change(async (connection) => {
        const row = await connection
          .deleteFrom('sessions')
          .where('tokenHash', '=', hashSecret(link))
          .where('kind', '=', 'link')
          .where('expiresAtMs', '>', clock.now())
          .returning('keyId')
          .executeTakeFirst();
        return row && begin(connection, row.keyId);
      });
    },

    purge: () => purge(kysely, clock.now()),
  };
}

async function insert(
  connection: Connection,
  nowMs: number,
  session: { readonly keyId: number; readonly kind: 'session' | 'link' },
) {
  const token = drawToken();
  const expiresAtMs = nowMs + (session.kind === 'link' ? linkMs : sessionMs);
  await connection
    .insertInto('sessions')
    .values({ ...session, tokenHash: hashSecret(token), createdAtMs: nowMs, expiresAtMs })
    .execute();
  return { token, expiresAtMs };
}

async function purge(connection: Connection, nowMs: number): Promise<number> {
  const { numDeletedRows } = await connection
    .deleteFrom('sessions')
    .where('id', 'in', (builder) =>
      builder
        .selectFrom('sessions')
        .select('id')
        .where('expiresAtMs', '<=', nowMs)
        .limit(portionRows),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

async function endOldest(connection: Connection, keyId: number): Promise<void> {
  const ofKey = connection
    .selectFrom('sessions')
    .select('id')
    .where('keyId', '=', keyId)
    .where('kind', '=', 'session')
    .orderBy('id', 'desc');
  const newestOver = await ofKey.offset(sessionsOfKey).limit(1).executeTakeFirst();
  if (newestOver === undefined) return;
  await connection
    .deleteFrom('sessions')
    .where('keyId', '=', keyId)
    .where('kind', '=', 'session')
    .where('id', '<=', newestOver.id)
    .execute();
}

async function read(connection: Connection, tokenHash: string): Promise<KnownSession | undefined> {
  const row = await connection
    .selectFrom('sessions')
    .innerJoin('apiKeys', 'apiKeys.id', 'sessions.keyId')
    .innerJoin('accounts', 'accounts.id', 'apiKeys.accountId')
    .select(['apiKeys.id as keyId', 'apiKeys.name as keyName', 'apiKeys.scopes'])
    .select(['apiKeys.expiresAtMs as keyEndsAtMs', 'sessions.expiresAtMs'])
    .select(['accounts.id as accountId', 'accounts.name', 'accounts.timeZone'])
    .where('tokenHash', '=', tokenHash)
    .where('kind', '=', 'session')
    .where('revokedAtMs', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { keyEndsAtMs, expiresAtMs, scopes, ...caller } = row;
  return {
    caller: Object.freeze({ ...caller, scopes: Object.freeze(scopesOf(scopes)) }),
    endsAtMs: Math.min(expiresAtMs, keyEndsAtMs ?? expiresAtMs),
  };
}
