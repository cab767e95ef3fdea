import { Fault } from '../../vocabulary/faults.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { lockRows } from '../database/row-locks.ts';
import type { ScheduledRunsTable } from '../database/tables.ts';
import {
  type ExportDay,
  type ExportState,
  type Exports,
  runLeaseMs,
  type ScheduledRuns,
} from '../runs.ts';

const shownError = 300;

/** All have what exports alone need. */
export function createRuns(
  { kysely, clock }: Database,
  name: ScheduledRunsTable['name'],
): ScheduledRuns<ExportState> {
  return {
    state: () => readState(kysely, name),

    hold: (holder) =>
      inTransaction(kysely, async (connection) => {
        const nowMs = clock.now();
        await connection
          .insertInto('scheduledRuns')
          .values(begun(name, nowMs))
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute();
        const { numUpdatedRows } = await connection
          .updateTable('scheduledRuns')
          .set({ holder, leasedUntilMs: nowMs + runLeaseMs })
          .where('name', '=', name)
          .where((is) => is.or([is('holder', '=', holder), is('leasedUntilMs', '<=', nowMs)]))
          .executeTakeFirstOrThrow();
        return Number(numUpdatedRows) === 0 ? undefined : readState(connection, name);
      }),

    async renew(holder) {
      const { numUpdatedRows } = await kysely
        .updateTable('scheduledRuns')
        .set({ leasedUntilMs: clock.now() + runLeaseMs })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .executeTakeFirstOrThrow();
      return Number(numUpdatedRows) > 0;
    },

    async release(holder) {
      await kysely
        .updateTable('scheduledRuns')
        .set({ holder: '', leasedUntilMs: 0 })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .execute();
    },

    async note(holder, changes) {
      const { error } = changes;
      const shown = 'error' in changes && { error: error?.slice(0, shownError) ?? null };
      const { numUpdatedRows } = await kysely
        .updateTable('scheduledRuns')
        .set({ ...changes, ...shown })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .executeTakeFirstOrThrow();
      if (Number(numUpdatedRows) === 0) throw lostLease(name);
    },
  };
}

async function readState(
  connection: Connection,
  runs: ScheduledRunsTable['name'],
): Promise<ExportState | undefined> {
  const row = await connection
    .selectFrom('scheduledRuns')
    .selectAll()
    .where('name', '=', runs)
    .executeTakeFirst();
  if (!row) return undefined;
  const { name: _, holder: _holder, leasedUntilMs: _until, ...state } = row;
  return {
    ...state,
    error: state.error ?? undefined,
    succeededAtMs: state.succeededAtMs ?? undefined,
    completeThroughMs: state.completeThroughMs ?? undefined,
  };
}

/** The schedule begins now; facts of all time are still to be looked for. */
function begun(name: ScheduledRunsTable['name'], nowMs: number): ScheduledRunsTable {
  return {
    ...{ name, holder: '', leasedUntilMs: 0, afterMs: nowMs },
    ...{ failures: 0, error: null, retryAtMs: 0 },
    ...{ succeededAtMs: null, completeThroughMs: null },
    ...{ target: '', lookedAtMs: 0, notedThroughMs: 0 },
  };
}

function lostLease(name: ScheduledRunsTable['name']): Fault {
  return new Fault('UNAVAILABLE', `Another process has taken over the scheduled ${name}`);
}

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
