import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { assert, onlyRow } from '../../lib/assert.ts';
import { localDay } from '../../lib/time/time-zone.ts';
import { saltLifetimeMs, saltUseMs } from '../../vocabulary/viewers.ts';
import type { SaltDay, Salts } from '../audience.ts';
import { type Connection, inTransaction } from '../database/connection.ts';
import type { Database } from '../database/database.ts';
import { lockRows } from '../database/row-locks.ts';

const saltBytes = 32;
const portionRows = 100;

export function createSalts(database: Database): Salts {
  const { kysely, clock } = database;
  const withoutOld = ({ fromMs, untilMs, salt }: SaltDay): SaltDay =>
    clock.now() < untilMs + saltUseMs
      ? { fromMs, untilMs, salt }
      : { fromMs, untilMs, salt: undefined };
  return {
    async dayOf(accountId, atMs) {
      const [kept] = await selectBetween(kysely, accountId, atMs, atMs + 1).execute();
      if (kept) return withoutOld(kept);
      const { timeZone } = await kysely
        .selectFrom('accounts')
        .select('timeZone')
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow();
      const day = { ...localDay(timeZone, atMs), salt: undefined };
      if (clock.now() >= day.untilMs + saltUseMs) return day;
      return withoutOld(await make(database, accountId, atMs));
    },

    purge: createPurge(database),
  };
}

function selectBetween(connection: Connection, accountId: number, fromMs: number, untilMs: number) {
  return connection
    .selectFrom('salts')
    .select(['fromMs', 'untilMs', 'salt'])
    .where('accountId', '=', accountId)
    .where('fromMs', '<', untilMs)
    .where('untilMs', '>', fromMs);
}

/** Unless another was first. What other days took before a zone change stays theirs. */
function make(database: Database, accountId: number, atMs: number): Promise<SaltDay> {
  return inTransaction(database.kysely, async (connection) => {
    const account = connection
      .selectFrom('accounts')
      .select('timeZone')
      .where('id', '=', accountId);
    const [held] = await lockRows(database, account);
    assert(held, 'whoever has viewers has an account');
    let { fromMs, untilMs } = localDay(held.timeZone, atMs);
    for (const other of await selectBetween(connection, accountId, fromMs, untilMs).execute()) {
      if (other.fromMs <= atMs && atMs < other.untilMs) return other;
      if (other.untilMs <= atMs) fromMs = Math.max(fromMs, other.untilMs);
      else untilMs = Math.min(untilMs, other.fromMs);
    }
    const made = { fromMs, untilMs, salt: randomBytes(saltBytes) };
    await connection
      .insertInto('salts')
      .values({ accountId, ...made })
      .execute();
    return made;
  });
}

function createPurge(database: Database): Salts['purge'] {
  const { kysely, clock, dialect } = database;
  // A process that was killed may have left the write-ahead log to this one.
  let isLogOwed = dialect === 'sqlite';
  return async () => {
    const over = await kysely
      .selectFrom('salts')
      .select(['accountId', 'fromMs'])
      .where('untilMs', '<=', clock.now() - saltLifetimeMs)
      .limit(portionRows)
      .execute();
    if (over.length > 0) {
      await destroy(database, over);
      isLogOwed = dialect === 'sqlite';
    }
    if (isLogOwed) isLogOwed = !(await emptyLog(kysely));
    return over.length;
  };
}

interface SaltName {
  readonly accountId: number;
  readonly fromMs: number;
}

/**
 * On SQLite their bytes are overwritten, also in pages that become free. PostgreSQL leaves them in
 * its files for a while; see docs/decisions/viewers.md.
 */
function destroy({ kysely, dialect }: Database, names: readonly SaltName[]): Promise<void> {
  return inTransaction(kysely, async (connection) => {
    if (dialect === 'sqlite') await sql`pragma secure_delete = on`.execute(connection);
    await connection
      .deleteFrom('salts')
      .where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('accountId', 'fromMs'),
          'in',
          names.map(({ accountId, fromMs }) => tuple(accountId, fromMs)),
        ),
      )
      .execute();
    if (dialect === 'sqlite') await sql`pragma secure_delete = fast`.execute(connection);
  });
}

/**
 * Moves SQLite's write-ahead log into the database and cuts it to nothing: it holds pages as they
 * were before. False while another process reads; it is not waited for, or all requests would wait.
 */
function emptyLog(kysely: Connection): Promise<boolean> {
  return kysely.connection().execute(async (connection) => {
    const { rows } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(connection);
    await sql`pragma busy_timeout = 0`.execute(connection);
    try {
      const emptied = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(
        connection,
      );
      return emptied.rows[0]?.busy === 0;
    } finally {
      await sql`pragma busy_timeout = ${sql.lit(onlyRow(rows).timeout)}`.execute(connection);
    }
  });
}
