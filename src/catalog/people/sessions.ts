/** Who is signed in at a browser. The token stands in a cookie; here is its hash alone. */
import { assert } from '../../lib/assert.ts';
import { accept } from '../../lib/result.ts';
import { drawToken, hashSecret, isToken } from '../access/key-secret.ts';
import { parseScopes } from '../access/keys.ts';
import { type CatalogUses, toMinute } from '../access/uses.ts';
import type { KeyCaller, NewSession, SessionPlace, Sessions, SignedPerson } from '../catalog.ts';
import { createWatchedCache } from '../database/change-watch.ts';
import type { Connection } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { refused } from '../refusal.ts';
import { noteOfPerson, readMemberships, selectPeople, toPerson } from './person-row.ts';

const dayMs = 86_400_000;
const sessionMs = 30 * dayMs;
const unusedMs = 7 * dayMs;
const linkMs = dayMs;
const sessionsOfOne = 50;
const cachedSessionLimit = 1_000;
const portionRows = 100;

/** Whose a session is. */
type Holder = { readonly keyId: number } | ({ readonly personId: number } & Partial<SessionPlace>);

interface KnownSession {
  readonly holder: KeyCaller | SignedPerson;
  readonly endsAtMs: number;
  /** Of a person: when it was last used, or began. */
  usedAtMs: number;
}

export function createSessions(database: Database, uses: CatalogUses): Sessions {
  const { kysely, clock, watch } = database;
  const known = createWatchedCache<string, KnownSession>(watch, cachedSessionLimit);

  /** Other nodes are to know of each, because sessions end by it. */
  async function change<Value>(run: (connection: Connection) => Promise<Value>): Promise<Value> {
    const result = await watch.write<Value, never>(async (within) => accept(await run(within)));
    assert(result.ok, 'no change of a session is refused');
    return result.value;
  }

  async function begin(connection: Connection, keyId: number): Promise<NewSession> {
    const { token, expiresAtMs } = await insert(connection, clock.now(), { keyId }, 'session');
    await endOldest(connection, { keyId });
    return { token, expiresAt: new Date(expiresAtMs) };
  }

  function hasEnded({ holder, endsAtMs, usedAtMs }: KnownSession): boolean {
    const nowMs = clock.now();
    return endsAtMs <= nowMs || ('personId' in holder && usedAtMs + unusedMs <= nowMs);
  }

  return {
    begin: (keyId) => change((connection) => begin(connection, keyId)),

    beginFor: (personId, place) =>
      change(async (connection) => {
        const { device, country } = place;
        const nowMs = clock.now();
        // Other uses are written later; whoever lists people sees at once that somebody is here.
        await connection
          .updateTable('people')
          .set({ lastSeenAtMs: toMinute(nowMs) })
          .where('id', '=', personId)
          .execute();
        const same = await selectOpen(connection, personId, nowMs)
          .where('device', '=', device)
          .where('country', '=', country)
          .limit(1)
          .executeTakeFirst();
        const holder = { personId, ...place };
        const { token, expiresAtMs } = await insert(connection, nowMs, holder, 'session');
        await endOldest(connection, { personId });
        const noted = { action: 'SIGNED_IN', after: { ...place } } as const;
        await noteOfPerson(database, connection, personId, noted);
        const [createdAt, expiresAt] = [new Date(nowMs), new Date(expiresAtMs)];
        return { token, createdAt, expiresAt, isNewPlace: same === undefined };
      }),

    async find(token) {
      if (!isToken(token)) return undefined;
      const generation = await known.refresh();
      const tokenHash = hashSecret(token);
      const cached = known.get(tokenHash);
      // It may have been used at another node.
      const isKnown = cached !== undefined && !hasEnded(cached);
      const session = isKnown ? cached : await read(kysely, tokenHash);
      if (session === undefined || hasEnded(session)) return undefined;
      if (!isKnown) known.set(generation, tokenHash, session);
      session.usedAtMs = clock.now();
      if ('keyId' in session.holder) uses.keys.note(session.holder.keyId);
      else uses.sessions.note(session.holder.sessionId);
      return session.holder;
    },

    end: (token) =>
      change(async (connection) => {
        const row = await connection
          .deleteFrom('sessions')
          .where('tokenHash', '=', hashSecret(token))
          .where('kind', '=', 'session')
          .returning(['personId', 'device', 'country'])
          .executeTakeFirst();
        if (row?.personId) await noteEnd(database, connection, row.personId, row);
      }),

    async createLink(keyId) {
      return (await insert(kysely, clock.now(), { keyId }, 'link', linkMs)).token;
    },

    followLink: (link) =>
      change(async (connection) => {
        const row = await spend(connection, link, clock.now(), 'keyId');
        return row?.keyId ? begin(connection, row.keyId) : undefined;
      }),

    // Others stay valid: strangers have links sent too, and would void each as it arrives.
    async createPersonLink(personId, validMs) {
      return (await insert(kysely, clock.now(), { personId }, 'link', validMs)).token;
    },

    async findPersonLink(link) {
      if (!isToken(link)) return undefined;
      const row = await kysely
        .selectFrom('sessions')
        .select('personId')
        .where('tokenHash', '=', hashSecret(link))
        .where('kind', '=', 'link')
        .where('expiresAtMs', '>', clock.now())
        .executeTakeFirst();
      return row?.personId ?? undefined;
    },

    spendPersonLink: async (link) =>
      (await spend(kysely, link, clock.now(), 'personId'))?.personId ?? undefined,

    async listOf(personId) {
      const rows = await selectOpen(kysely, personId, clock.now()).orderBy('id', 'desc').execute();
      return rows.map(({ id, createdAtMs, usedAtMs, expiresAtMs, ...place }) => ({
        ...{ sessionId: id, ...place },
        createdAt: new Date(createdAtMs),
        usedAt: new Date(usedAtMs ?? createdAtMs),
        expiresAt: new Date(expiresAtMs),
      }));
    },

    endOf: (personId, sessionId) =>
      watch.write(async (connection) => {
        const row = await connection
          .deleteFrom('sessions')
          .where('id', '=', sessionId)
          .where('personId', '=', personId)
          .where('kind', '=', 'session')
          .returning(['device', 'country'])
          .executeTakeFirst();
        if (!row) return refused('NO_SESSION');
        await noteEnd(database, connection, personId, row);
        return accept(undefined);
      }),

    purge: () => purge(kysely, clock.now()),
  };
}

async function insert(
  connection: Connection,
  nowMs: number,
  holder: Holder,
  kind: 'session' | 'link',
  validMs = sessionMs,
) {
  const token = drawToken();
  const expiresAtMs = nowMs + validMs;
  await connection
    .insertInto('sessions')
    .values({
      ...{ keyId: null, personId: null, ...holder },
      ...{ kind, tokenHash: hashSecret(token), createdAtMs: nowMs, expiresAtMs },
    })
    .execute();
  return { token, expiresAtMs };
}

/** A link of a key or of a person, once. */
async function spend(
  connection: Connection,
  link: string,
  nowMs: number,
  of: 'keyId' | 'personId',
) {
  if (!isToken(link)) return undefined;
  return connection
    .deleteFrom('sessions')
    .where('tokenHash', '=', hashSecret(link))
    .where('kind', '=', 'link')
    .where(of, 'is not', null)
    .where('expiresAtMs', '>', nowMs)
    .returning(['keyId', 'personId'])
    .executeTakeFirst();
}

function noteEnd(
  database: Database,
  connection: Connection,
  personId: number,
  { device, country }: { readonly device: string; readonly country: string },
): Promise<void> {
  const before = { device, country };
  return noteOfPerson(database, connection, personId, { action: 'SIGNED_OUT', before });
}

function selectOpen(connection: Connection, personId: number, nowMs: number) {
  return connection
    .selectFrom('sessions')
    .select(['id', 'createdAtMs', 'usedAtMs', 'expiresAtMs', 'device', 'address', 'country'])
    .where('personId', '=', personId)
    .where('kind', '=', 'session')
    .where('expiresAtMs', '>', nowMs)
    .where(({ eb, fn }) => eb(fn.coalesce('usedAtMs', 'createdAtMs'), '>', nowMs - unusedMs));
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

async function endOldest(connection: Connection, holder: Holder): Promise<void> {
  const newestOver = await connection
    .selectFrom('sessions')
    .select('id')
    .where((builder) => builder.and({ ...holder, kind: 'session' }))
    .orderBy('id', 'desc')
    .offset(sessionsOfOne)
    .limit(1)
    .executeTakeFirst();
  if (newestOver === undefined) return;
  await connection
    .deleteFrom('sessions')
    .where((builder) => builder.and({ ...holder, kind: 'session' }))
    .where('id', '<=', newestOver.id)
    .execute();
}

async function read(connection: Connection, tokenHash: string): Promise<KnownSession | undefined> {
  return (await readOfKey(connection, tokenHash)) ?? readOfPerson(connection, tokenHash);
}

async function readOfKey(
  connection: Connection,
  tokenHash: string,
): Promise<KnownSession | undefined> {
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
    .where('closedAtMs', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { keyEndsAtMs, expiresAtMs, scopes, ...caller } = row;
  return {
    holder: Object.freeze({ ...caller, scopes: Object.freeze(parseScopes(scopes)) }),
    endsAtMs: Math.min(expiresAtMs, keyEndsAtMs ?? expiresAtMs),
    usedAtMs: 0,
  };
}

async function readOfPerson(
  connection: Connection,
  tokenHash: string,
): Promise<KnownSession | undefined> {
  const row = await selectPeople(connection)
    .innerJoin('sessions', 'sessions.personId', 'people.id')
    .select(['sessions.id as sessionId', 'sessions.expiresAtMs', 'usedAtMs'])
    .select('sessions.createdAtMs as begunAtMs')
    .where('tokenHash', '=', tokenHash)
    .where('kind', '=', 'session')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { sessionId, expiresAtMs, usedAtMs, begunAtMs, ...person } = row;
  const memberships = await readMemberships(connection, person.personId);
  return {
    holder: Object.freeze({ ...toPerson(person), sessionId, memberships }),
    endsAtMs: expiresAtMs,
    usedAtMs: usedAtMs ?? begunAtMs,
  };
}
