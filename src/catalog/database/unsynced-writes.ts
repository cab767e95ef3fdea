import { sql } from 'kysely';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';

/**
 * Writes what a power cut may take back, and nothing else. SQLite works in the thread that answers
 * every request, and would hold it up until the disk has synced: long, where a backup is written.
 */
export function withoutSync<Value>(
  { kysely, dialect }: Pick<Database, 'kysely' | 'dialect'>,
  write: (connection: Connection) => Promise<Value>,
): Promise<Value> {
  if (dialect === 'postgres') return write(kysely);
  // Nobody else has the connection meanwhile, and the next who syncs, syncs this too.
  return kysely.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection);
    try {
      return await write(connection);
    } finally {
      await sql`pragma synchronous = full`.execute(connection);
    }
  });
}
