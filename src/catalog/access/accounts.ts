import { accept, type Result } from '../../lib/result.ts';
import { noteChange, noteServiceChange } from '../audit/change-entry.ts';
import type { Account, Accounts, NewAccount } from '../catalog.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { holdAccount } from '../database/row-locks.ts';
import { type CatalogRefusal, refused } from '../refusal.ts';
import { checkName } from './name-check.ts';
import { checkTimeZone } from './time-zone-check.ts';

const columns = [
  'id as accountId',
  'name',
  'timeZone',
  'takesUnsealed',
  'viewers',
  'factsMonths',
  'keepsSums',
  'closedAtMs',
] as const;

export function createAccounts(database: Database): Accounts {
  const { kysely, clock, watch } = database;

  async function insert(connection: Connection, settings: NewAccount): Promise<Account> {
    const row = await connection
      .insertInto('accounts')
      .values({ ...settings, createdAtMs: clock.now() })
      .returning(columns)
      .executeTakeFirstOrThrow();
    const account = toAccount(row);
    const { accountId, ...after } = account;
    const change = { accountId, object: accountId, after };
    await noteChange(database, connection, { action: 'ACCOUNT_CREATED', ...change });
    const { name } = account;
    const ofService = { object: accountId, after: { name } };
    await noteServiceChange(database, connection, { action: 'ACCOUNT_CREATED', ...ofService });
    return account;
  }

  async function setClosed(
    connection: Connection,
    { accountId, name, closedAt: before }: Account,
    closedAt: Date | undefined,
  ): Promise<void> {
    await connection
      .updateTable('accounts')
      .set({ closedAtMs: closedAt?.getTime() ?? null })
      .where('id', '=', accountId)
      .execute();
    const change = {
      action: closedAt ? 'ACCOUNT_CLOSED' : 'ACCOUNT_REOPENED',
      ...{ object: accountId, before: { name, closedAt: before }, after: { closedAt } },
    } as const;
    await noteChange(database, connection, { ...change, accountId });
    await noteServiceChange(database, connection, change);
  }

  return {
    check: checkSettings,

    async create(given) {
      const settings = checkSettings(given);
      if (!settings.ok) return settings;
      return inTransaction(kysely, async (connection) =>
        accept(await insert(connection, settings.value)),
      );
    },

    async createMany(list) {
      const settings: NewAccount[] = [];
      for (const given of list) {
        const checked = checkSettings(given);
        if (!checked.ok) return checked;
        settings.push(checked.value);
      }
      return inTransaction(kysely, async (connection) => {
        const accounts: Account[] = [];
        for (const one of settings) accounts.push(await insert(connection, one));
        return accept(accounts);
      });
    },

    async find(accountId) {
      const row = await selectAccount(kysely, accountId).executeTakeFirst();
      return row && toAccount(row);
    },

    close: (accountId) =>
      watch.write(async (connection) => {
        const account = await findAccount(connection, accountId);
        if (!account) return refused('NO_ACCOUNT');
        const closedAt = new Date(clock.now());
        await setClosed(connection, account, closedAt);
        for (const { personId } of await selectMembers(connection, accountId)) {
          await endSessionsOfStranger(connection, personId);
        }
        return accept(undefined);
      }),

    reopen: (accountId) =>
      watch.write(async (connection) => {
        const row = await selectAccount(connection, accountId).executeTakeFirst();
        const account = row && toAccount(row);
        if (account?.closedAt === undefined) return refused('NO_ACCOUNT');
        await setClosed(connection, account, undefined);
        return accept(undefined);
      }),

    async createdAt(accountId) {
      const row = await kysely
        .selectFrom('accounts')
        .select('createdAtMs')
        .where('id', '=', accountId)
        .executeTakeFirst();
      return row && new Date(row.createdAtMs);
    },

    change: (accountId, changes) =>
      watch.write(async (connection) => {
        const before = await findAccount(connection, accountId);
        if (!before) return refused('NO_ACCOUNT');
        const settings = checkSettings({
          name: changes.name ?? before.name,
          timeZone: changes.timeZone ?? before.timeZone,
        });
        if (!settings.ok) return settings;
        const takesUnsealed = (changes.takesUnsealed ?? before.takesUnsealed) ? 1 : 0;
        const row = await connection
          .updateTable('accounts')
          .set({
            ...{ ...settings.value, takesUnsealed },
            viewers: changes.viewers ?? before.viewers,
            factsMonths: changes.factsMonths ?? before.factsMonths,
            keepsSums: (changes.keepsSums ?? before.keepsSums) ? 1 : 0,
          })
          .where('id', '=', accountId)
          .returning(columns)
          .executeTakeFirstOrThrow();
        const after = toAccount(row);
        const change = { accountId, object: accountId, before, after };
        await noteChange(database, connection, { action: 'ACCOUNT_CHANGED', ...change });
        return accept(after);
      }),

    async list() {
      const rows = await kysely.selectFrom('accounts').select(columns).orderBy('id').execute();
      return rows.map(toAccount);
    },
  };
}

function checkSettings(given: NewAccount): Result<NewAccount, CatalogRefusal> {
  const name = checkName('name', given.name);
  if (!name.ok) return name;
  const timeZone = checkTimeZone(given.timeZone);
  return timeZone.ok ? accept({ name: name.value, timeZone: timeZone.value }) : timeZone;
}

/** None that is closed. */
export async function findAccount(
  connection: Connection,
  accountId: number,
): Promise<Account | undefined> {
  const row = await selectAccount(connection, accountId)
    .where('closedAtMs', 'is', null)
    .executeTakeFirst();
  return row && toAccount(row);
}

/** Held, so that of many rows added at once no more are made than the account has room for. */
export async function holdOpenAccount(
  database: Database,
  connection: Connection,
  accountId: number,
): Promise<Account | undefined> {
  await holdAccount(database, connection, accountId);
  return findAccount(connection, accountId);
}

function selectAccount(connection: Connection, accountId: number) {
  return connection.selectFrom('accounts').select(columns).where('id', '=', accountId);
}

function selectMembers(connection: Connection, accountId: number) {
  return connection
    .selectFrom('memberships')
    .select('personId')
    .where('accountId', '=', accountId)
    .execute();
}

/** Whoever is a member nowhere any more is signed out; an operator still looks after the service. */
export async function endSessionsOfStranger(
  connection: Connection,
  personId: number,
): Promise<void> {
  await connection
    .deleteFrom('sessions')
    .where('personId', '=', personId)
    .where('kind', '=', 'session')
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('people').select('id').where('id', '=', personId).where('isOperator', '=', 1),
        ),
      ),
    )
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('memberships')
            .innerJoin('accounts', 'accounts.id', 'memberships.accountId')
            .select('accountId')
            .where('personId', '=', personId)
            .where('closedAtMs', 'is', null),
        ),
      ),
    )
    .execute();
}

type AccountRow = Omit<Account, 'takesUnsealed' | 'keepsSums' | 'closedAt'> &
  Readonly<Record<'takesUnsealed' | 'keepsSums', 0 | 1> & { closedAtMs: number | null }>;

function toAccount({ closedAtMs, ...row }: AccountRow): Account {
  return {
    ...{ ...row, takesUnsealed: row.takesUnsealed === 1, keepsSums: row.keepsSums === 1 },
    closedAt: closedAtMs === null ? undefined : new Date(closedAtMs),
  };
}
