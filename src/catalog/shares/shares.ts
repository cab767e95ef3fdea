import { randomBytes } from 'node:crypto';
import { accept } from '../../lib/result.ts';
import { holdOpenAccount } from '../access/accounts.ts';
import { hasRoom } from '../access/count-limit.ts';
import { hashSecret, isSameHash } from '../access/key-secret.ts';
import { checkMaker } from '../access/maker-check.ts';
import { describeActor, noteChange } from '../audit/change-entry.ts';
import { createWatchedCache } from '../database/change-watch.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { parseOrigins } from '../library/packages.ts';
import { parsePackages, storedPackages } from '../people/person-row.ts';
import { refused } from '../refusal.ts';
import type { Share, Shares, ShareToken } from '../shares.ts';
import { checkShare } from './share-check.ts';

const cachedShareLimit = 1_000;
/** For so long after its end an owner sees that a share has ended. */
const listedMs = 30 * 86_400_000;
const portionRows = 100;

interface KnownShare {
  readonly share: Share;
  readonly tokenHash: string;
}

export function createShares(database: Database): Shares {
  const { kysely, clock, watch } = database;
  return {
    create: createCreate(database),
    ...createLookUp(database),

    async list(accountId) {
      const rows = await selectShares(kysely)
        .where('accountId', '=', accountId)
        .orderBy('id')
        .execute();
      return rows.map(toShare);
    },

    revoke: ({ accountId, shareId }) =>
      watch.write(async (connection) => {
        const row = await connection
          .deleteFrom('shares')
          .where('accountId', '=', accountId)
          .where('id', '=', shareId)
          .returningAll()
          .executeTakeFirst();
        if (!row) return refused('NO_SHARE');
        const change = { accountId, object: shareId, before: notedShare(toShare(row)) };
        await noteChange(database, connection, { action: 'SHARE_REVOKED', ...change });
        return accept(undefined);
      }),

    purge: () => purge(kysely, clock.now() - listedMs),
  };
}

function createCreate(database: Database): Shares['create'] {
  const { kysely, clock, actor } = database;
  return async (given) =>
    inTransaction(kysely, async (connection) => {
      const { accountId } = given;
      const account = await holdOpenAccount(database, connection, accountId);
      if (!account) return refused('NO_ACCOUNT');
      const checked = await checkShare(connection, given, account.timeZone, clock.now());
      if (!checked.ok) return checked;
      const { expiresAtMs } = checked.value;
      const rights = { accountId, scopes: 'stats:read', expiresAtMs };
      const allowed = await checkMaker(database, connection, rights);
      if (!allowed.ok) return allowed;
      if (!(await hasRoom(connection, 'shares', accountId))) return refused('TOO_MANY_SHARES');
      const token = drawShareToken();
      const row = await connection
        .insertInto('shares')
        .values({
          ...{ ...checked.value, accountId, createdAtMs: clock.now(), ...describeActor(actor) },
          packages: storedPackages(given.packageIds),
          ...{ tokenStart: token.start, tokenHash: hashSecret(token.start + token.secret) },
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const share = toShare(row);
      const change = { accountId, object: share.shareId, after: notedShare(share) };
      await noteChange(database, connection, { action: 'SHARE_CREATED', ...change });
      return accept({ share, token });
    });
}

function createLookUp({ kysely, clock, watch }: Database): Pick<Shares, 'find' | 'originsOf'> {
  const known = createWatchedCache<string, KnownShare>(watch, cachedShareLimit);

  async function byStart(tokenStart: string): Promise<KnownShare | undefined> {
    const generation = await known.refresh();
    const cached = known.get(tokenStart);
    if (cached) return cached;
    const row = await selectShares(kysely)
      .where('tokenStart', '=', tokenStart)
      .where('accountId', 'in', (builder) =>
        builder.selectFrom('accounts').select('id').where('closedAtMs', 'is', null),
      )
      .executeTakeFirst();
    if (!row) return undefined;
    const found = { share: toShare(row), tokenHash: row.tokenHash };
    known.set(generation, tokenStart, found);
    return found;
  }

  return {
    async find(token) {
      if (!isShareToken(token)) return undefined;
      const found = await byStart(startOfToken(token));
      if (!found || !isSameHash(found.tokenHash, hashSecret(token))) return undefined;
      const endsAtMs = found.share.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
      return clock.now() < endsAtMs ? found.share : undefined;
    },

    // Of one that has expired as well: the page then says so, also where it is embedded.
    originsOf: async (tokenStart) => (await byStart(tokenStart))?.share.origins ?? [],
  };
}

async function purge(connection: Connection, endedBeforeMs: number): Promise<number> {
  const { numDeletedRows } = await connection
    .deleteFrom('shares')
    .where('id', 'in', (builder) =>
      builder
        .selectFrom('shares')
        .select('id')
        .where('expiresAtMs', '<=', endedBeforeMs)
        .limit(portionRows),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function selectShares(connection: Connection) {
  return connection.selectFrom('shares').selectAll();
}

type ShareRow = Awaited<ReturnType<ReturnType<typeof selectShares>['execute']>>[number];

function toShare(row: ShareRow): Share {
  const { fromDay, toDay, lastDays } = row;
  const isFixed = fromDay !== null && toDay !== null;
  return {
    shareId: row.id,
    accountId: row.accountId,
    name: row.name,
    accessKey: row.accessKey ?? undefined,
    packageId: row.packageId ?? undefined,
    packageIds: parsePackages(row.packages),
    filters: row.filters,
    period: isFixed ? { from: fromDay, to: toDay } : { lastDays: lastDays ?? 1 },
    compare: row.compare,
    timeZone: row.timeZone,
    origins: parseOrigins(row.origins),
    createdAt: new Date(row.createdAtMs),
    expiresAt: row.expiresAtMs === null ? undefined : new Date(row.expiresAtMs),
    createdBy: row.actor,
    createdByName: row.actorName,
  };
}

/** What the audit says of it. */
function notedShare(share: Share): object {
  const { name, accessKey, packageId, packageIds, filters, period, compare, timeZone } = share;
  const { origins, expiresAt } = share;
  return {
    ...{ name, accessKey, packageId, packageIds, filters, ...period, compare, timeZone },
    ...{ origins, expiresAt },
  };
}

const startBytes = 6;
const secretBytes = 32;
const startLength = 8;
const form = /^[A-Za-z0-9_-]{51}$/;

/**
 * The token of a share: 8 characters that stand in its path and find its row, then 43 that are
 * the secret (256 random bits) and stand in the fragment, which browsers do not send.
 */
function drawShareToken(): ShareToken {
  const draw = (bytes: number) => randomBytes(bytes).toString('base64url');
  return { start: draw(startBytes), secret: draw(secretBytes) };
}

function isShareToken(text: string): boolean {
  return form.test(text);
}

function startOfToken(token: string): string {
  return token.slice(0, startLength);
}

/** All of an account, within a transaction: there are as many as it has room for at most. */
export async function revokeAllShares(
  database: Database,
  connection: Connection,
  accountId: number,
): Promise<void> {
  const rows = await connection
    .deleteFrom('shares')
    .where('accountId', '=', accountId)
    .returningAll()
    .execute();
  for (const row of rows) {
    const change = { accountId, object: row.id, before: notedShare(toShare(row)) };
    await noteChange(database, connection, { action: 'SHARE_REVOKED', ...change });
  }
}
