import SqliteFile, { SqliteError } from 'better-sqlite3';
import { SqliteAdapter, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { type Clock, sleep } from '../../lib/time/clock.ts';
import { createLruCache } from '../../lib/values/lru-cache.ts';
import { catalogAway } from './statement-deadline.ts';

const lockWaitMs = 10_000;
const lockLookMs = 10;
const statementLimit = 500;
const keptLengthLimit = 10_000;

export function sqliteDialect(file: string, clock: Clock, isOnlyRead = false): SqliteDialect {
  return new TransactionalSqliteDialect({ database: () => openFile(file, clock, isOnlyRead) });
}

/** SQLite can create tables in a transaction; Kysely uses that only if configured. */
class TransactionalSqliteDialect extends SqliteDialect {
  override createAdapter() {
    return new TransactionalSqliteAdapter();
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

async function openFile(file: string, clock: Clock, isOnlyRead: boolean): Promise<SqliteDatabase> {
  const options = { timeout: lockWaitMs, readonly: isOnlyRead };
  const connection = asFault(file, () => new SqliteFile(file, options));
  if (isOnlyRead) return withKeptStatements(connection);
  await writeAhead(connection, clock);
  asFault(file, () => {
    // FULL: acknowledged writes survive a power cut. WAL's own default loses the last commits.
    connection.pragma('synchronous = FULL');
    connection.pragma('foreign_keys = ON');
    // What is deleted from a page is overwritten there: copies of salts must not stay behind.
    connection.pragma('secure_delete = fast');
  });
  return withKeptStatements(connection);
}

/**
 * TRICKY: of several processes that open a new file at once, SQLite refuses all but one at once,
 * whatever its timeout, as each of them reads the file while it asks for the right to write it.
 */
async function writeAhead(connection: SqliteFile.Database, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + lockWaitMs;
  for (;;) {
    try {
      connection.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const isLocked = error instanceof SqliteError && error.code === 'SQLITE_BUSY';
      if (!isLocked || clock.monotonic() >= deadline) throw toFault(connection.name, error);
      await sleep(clock, lockLookMs);
    }
  }
}

/** Parsing a statement costs more than running most of ours; the SQL texts are few. */
function withKeptStatements(connection: SqliteFile.Database): SqliteDatabase {
  const kept = createLruCache<string, SqliteStatement>(statementLimit);
  const { name } = connection;
  return {
    close: () => connection.close(),
    prepare(sql) {
      const known = kept.get(sql);
      if (known) return known;
      // TRICKY: every transaction of ours writes. A plain BEGIN would take the write lock at the
      // first write, where SQLite refuses at once, without waiting, if another process wrote since.
      const text = sql === 'begin' ? 'begin immediate' : sql;
      const statement = asFault(name, () => connection.prepare(text));
      const prepared: SqliteStatement = {
        reader: statement.reader,
        all: (parameters) => asFault(name, () => statement.all(parameters)),
        run: (parameters) => asFault(name, () => statement.run(parameters)),
        iterate: (parameters) => statement.iterate(parameters) as IterableIterator<unknown>,
      };
      // An insert has a different text for each number of rows. A pragma may act when it is
      // prepared, and only then.
      if (sql.length > keptLengthLimit || sql.startsWith('pragma')) return prepared;
      kept.set(sql, prepared);
      return prepared;
    },
  };
}

const outsideCodes = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|NOTADB|CORRUPT)/;

function asFault<Value>(file: string, run: () => Value): Value {
  try {
    return run();
  } catch (error) {
    throw toFault(file, error);
  }
}

/** A full disk or a file locked by another process comes from outside, and may pass. */
function toFault(file: string, error: unknown): unknown {
  if (!(error instanceof SqliteError) || !outsideCodes.test(error.code)) return error;
  const named = new Error(`${file}: ${error.message}`, { cause: error });
  return catalogAway(Object.assign(named, { code: error.code }));
}
