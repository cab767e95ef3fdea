import SqliteFile from 'better-sqlite3';

/**
 * A copy of a catalog for a backup, without the salts of anonymous viewers: they are destroyed in
 * time only if no copy has them. SQLite's online backup, which others may write beside. TRICKY: all
 * pages in one step, since with several each write of another process would begin it anew; in WAL
 * mode nobody waits for it.
 */
export async function copyCatalogFile(file: string, to: string): Promise<void> {
  const database = new SqliteFile(file, { readonly: true, fileMustExist: true });
  try {
    await database.backup(to, { progress: () => 0x7fff_ffff });
  } finally {
    database.close();
  }
  destroySalts(to);
}

/** Their pages are overwritten as well; closing moves the write-ahead log into the file. */
function destroySalts(file: string): void {
  const copy = new SqliteFile(file, { fileMustExist: true });
  try {
    copy.pragma('secure_delete = on');
    copy.exec('delete from salts');
  } finally {
    copy.close();
  }
}
