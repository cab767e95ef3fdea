/** The data folder: created if needed, and used by one process at a time. */
import { chmod, lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import SqliteFile, { SqliteError } from 'better-sqlite3';
import { isThere, makeFolder } from '../lib/folders.ts';
import { Fault } from '../vocabulary/faults.ts';

const mode = 0o700;
const ofOthers = 0o077;
/** What this release or an earlier one makes in it. */
const ownEntries = new Set([
  ...['catalog.sqlite', 'content', 'engine', 'first-key.txt', 'first-sign-in.txt'],
  ...['import-lock', 'imports'],
  ...['journal', 'lock', 'secret', 'backing-up', 'backup-lock', 'restoring'],
  ...['last-backup.json', 'last-verify.json', 'backup-series'],
]);
const importLock = 'import-lock';
const backupLock = 'backup-lock';
const lockNames = ['lock', importLock, backupLock];
/** Files of the locks, with what the database makes beside them. */
export function isLock(name: string): boolean {
  return lockNames.includes(name.replace(/-(journal|wal|shm)$/, ''));
}
/** What a backup is being restored into; it goes when that has succeeded. */
export const restoringFolder = 'restoring';
const askedWithinMs = 5_000;

/**
 * Makes the data folder, or takes one that was made beforehand: it must belong to the user of this
 * process, and is closed to all others, with what lies in it.
 */
export async function makeDataFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  const user = process.getuid?.();
  // Windows has neither numbers of users nor modes.
  if (user === undefined) return;
  const found = await stat(folder);
  if (found.uid !== user) {
    throw unusable(folder, `it belongs to user ${found.uid}, and this process runs as ${user}`);
  }
  const names = await readdir(folder);
  if ((found.mode & ofOthers) !== 0) {
    // A folder that others use as well, such as /tmp, is not taken away from them.
    const isOwn =
      names.every((name) => name === 'lost+found') || names.some((name) => ownEntries.has(name));
    if (!isOwn) throw unusable(folder, 'other users may open it, and it holds other things');
    await chmod(folder, mode);
  }
  for (const name of names) await closeEntry(folder, name, user);
}

/** What lies further inside is out of reach then. */
async function closeEntry(folder: string, name: string, user: number): Promise<void> {
  const path = join(folder, name);
  const entry = await lstat(path).catch(() => undefined);
  // A file may just have been deleted. A link is followed by nobody else, and root may do anything.
  if (entry === undefined || (entry.uid === 0 && user !== 0)) return;
  if (entry.uid !== user) throw unusable(folder, `${name} in it belongs to user ${entry.uid}`);
  if (entry.isSymbolicLink() || (entry.mode & ofOthers) === 0) return;
  await chmod(path, entry.mode & 0o700);
}

function unusable(folder: string, reason: string): Fault {
  return new Fault(
    'UNAVAILABLE',
    `The folder ${folder} (DATA_DIR) cannot be used: ${reason}. ` +
      'Set DATA_DIR to a folder of its own, which may lie inside that one',
  );
}

/** Creates the folder if there is none, and locks it. Returns a function that releases it. */
export async function holdDataFolder(
  folder: string,
  { isForRestore = false } = {},
): Promise<() => void> {
  await makeDataFolder(folder);
  const release = tryToHold(folder, 'lock');
  if (release && !isForRestore && (await isThere(join(folder, restoringFolder)))) {
    release();
    throw new Fault(
      'UNAVAILABLE',
      `A restore into ${folder} (DATA_DIR) was interrupted: run it again on an empty folder`,
    );
  }
  if (release) return release;
  throw new Fault(
    'UNAVAILABLE',
    `Another process uses ${folder} (DATA_DIR): a service or an import. ` +
      'Stop it, or set DATA_DIR to another folder',
  );
}

/**
 * Takes the folder for an import that runs an engine of its own. Returns what releases it, or
 * undefined if another process has it: a service, whose engine may be shared, or another import.
 */
export function tryToHoldForImport(folder: string): (() => void) | undefined {
  const release = tryToHold(folder, 'lock');
  if (release === undefined) return undefined;
  // Whoever asks for the other import holds this lock for a moment.
  const releaseImport = tryToHold(folder, importLock, askedWithinMs);
  return () => {
    releaseImport?.();
    release();
  };
}

/** The engine of an import ends with it, so that no other may share it. */
export function refuseBesideImport(folder: string): void {
  if (!isHeld(folder, importLock)) return;
  throw new Fault(
    'UNAVAILABLE',
    `Another import uses ${folder} (DATA_DIR): run this one when it has ended. ` +
      'Several imports at once need a running service',
  );
}

/** Whether a service or an import runs on it. */
export async function isInUse(folder: string): Promise<boolean> {
  // Asking makes the file of the lock.
  return (await isThere(join(folder, 'lock'))) && isHeld(folder, 'lock');
}

/** Two backups at once would remove each other's copies. */
export function holdForBackup(folder: string): () => void {
  const release = tryToHold(folder, backupLock);
  if (release) return release;
  throw new Fault('CONFLICT', `Another backup of ${folder} (DATA_DIR) is being made`);
}

/** Whether another process has the lock. Any number may look at once: none is taken for it. */
function isHeld(folder: string, lock: string): boolean {
  const release = openLock(folder, lock, 'BEGIN; SELECT count(*) FROM sqlite_schema');
  release?.();
  return release === undefined;
}

/** Returns what releases the lock, or undefined if another process has it. */
function tryToHold(folder: string, lock: string, timeout = 0): (() => void) | undefined {
  return openLock(folder, lock, 'BEGIN EXCLUSIVE', timeout);
}

/**
 * An open transaction on a file of its own: the system ends it with the process, however that
 * goes.
 */
function openLock(
  folder: string,
  lock: string,
  begin: string,
  timeout = 0,
): (() => void) | undefined {
  let file: SqliteFile.Database | undefined;
  try {
    file = new SqliteFile(join(folder, lock), { timeout });
    file.exec(begin);
    return () => file?.close();
  } catch (error) {
    file?.close();
    if (!(error instanceof SqliteError)) throw error;
    if (error.code === 'SQLITE_BUSY') return undefined;
    throw new Fault('UNAVAILABLE', `The folder ${folder} (DATA_DIR) cannot be used`, {
      cause: error,
    });
  }
}
