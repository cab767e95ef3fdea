import { inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { lockRows } from '../database/row-locks.ts';
import type { ExportDay, Exports } from '../exports.ts';
import { createRuns, lostLease } from '../runs/scheduled-runs.ts';

/** Below the number of parameters that SQLite takes. */
const daysAtOnce = 500;

export function createExports(database: Database): Exports {
  return { ...createRuns(database, 'export'), ...createDays(database) };
}

type Days = Pick<Exports, 'dueDays' | 'markDue' | 'markDone'>;

function createDays(database: Database): Days {
  const { kysely } = database;
  return {
    async dueDays(accountId) {
      const rows = await kysely
        .selectFrom('exportDays')
        .select('day')
        .where('accountId', '=', accountId)
        .orderBy('day')
        .execute();
      return rows.map(({ day }) => day);
    },

    async markDue(days) {
      for (const some of portionsOf(days)) {
        await kysely
          .insertInto('exportDays')
          .values(some.map(({ accountId, day }) => ({ accountId, day })))
          .onConflict((conflict) => conflict.columns(['accountId', 'day']).doNothing())
          .execute();
      }
    },

    markDone: (holder, days) =>
      inTransaction(kysely, async (connection) => {
        // Whoever hung for longer than its lease knows nothing of what was marked meanwhile.
        const lease = connection
          .selectFrom('scheduledRuns')
          .select('holder')
          .where('name', '=', 'export')
          .where('holder', '=', holder);
        if ((await lockRows(database, lease)).length === 0) throw lostLease('export');
        for (const { accountId, day } of days) {
          await connection
            .deleteFrom('exportDays')
            .where('accountId', '=', accountId)
            .where('day', '=', day)
            .execute();
        }
      }),
  };
}

function* portionsOf(days: readonly ExportDay[]): Generator<readonly ExportDay[]> {
  for (let from = 0; from < days.length; from += daysAtOnce) {
    yield days.slice(from, from + daysAtOnce);
  }
}
