import { Fault } from '../wire/faults.ts';
import type { Account, Accounts } from './catalog.ts';
import { checkText } from './check-text.ts';
import type { Connection } from './database.ts';
import type { Store } from './store.ts';
import { timeZoneNamed } from './time-zone.ts';

const columns = ['id as accountId', 'name', 'timeZone'] as const;

export function createAccounts({ kysely, clock, watch }: Store): Accounts {
  return {
    async create({ name, timeZone }) {
      const values = { name: checkText('name', name), timeZone: timeZoneNamed(timeZone) };
      return kysely
        .insertInto('accounts')
        .values({ ...values, createdAtMs: clock.now() })
        .returning(columns)
        .executeTakeFirstOrThrow();
    },

    find: (accountId) => findAccount(kysely, accountId),

    change: (accountId, changes) =>
      watch.write(async (connection) => {
        const before = await requireAccount(connection, accountId);
        const name = checkText('name', changes.name ?? before.name);
        const timeZone = timeZoneNamed(changes.timeZone ?? before.timeZone);
        return connection
          .updateTable('accounts')
          .set({ name, timeZone })
          .where('id', '=', accountId)
          .returning(columns)
          .executeTakeFirstOrThrow();
      }),

    list: () => kysely.selectFrom('accounts').select(columns).orderBy('id').execute(),
  };
}

function findAccount(connection: Connection, accountId: number): Promise<Account | undefined> {
  return connection
    .selectFrom('accounts')
    .select(columns)
    .where('id', '=', accountId)
    .executeTakeFirst();
}

export async function requireAccount(connection: Connection, accountId: number): Promise<Account> {
  const account = await findAccount(connection, accountId);
  if (!account) throw new Fault('NOT_FOUND', 'There is no such account');
  return account;
}
