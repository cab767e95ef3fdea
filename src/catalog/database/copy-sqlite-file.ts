import SqliteFile from 'better-sqlite3';

/**
 * SQLite's online backup, which others may write beside. TRICKY: all pages in one step, since with
 * several each write of another process would begin it anew; in WAL mode nobody waits for it.
 */
export async function copySqliteFile(file: string, to: string): Promise<void> {
  const database = new SqliteFile(file, { readonly: true, fileMustExist: true });
  try {
    await database.backup(to, { progress: () => 0x7fff_ffff });
  } finally {
    database.close();
  }
}
