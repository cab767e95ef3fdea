/**
 * Restores a backup into an empty data folder. Everything is made and checked in a folder inside
 * it, and moved to its place at the end; a service that finds that folder does not start.
 */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { markOfCatalog } from '../../catalog/open-catalog.ts';
import { startEngine } from '../../engine/engine.ts';
import { sleep } from '../../lib/time/clock.ts';
import { type Backup, checkBackup, findPlace } from '../../maintenance/backup/backup-reader.ts';
import type { RestoreOptions } from '../../maintenance/backup/backup-source.ts';
import { whyUnfit } from '../../maintenance/backup/manifest.ts';
import type { MaintenanceContext } from '../../maintenance/maintenance-context.ts';
import { writeDurably } from '../../maintenance/storage/folder-storage.ts';
import { type Verification, verify } from '../../maintenance/verify/verify.ts';
import { accepted } from '../../operations/refusal-faults.ts';
import { openFactStore } from '../../store/client/store-client.ts';
import { makeTables } from '../../store/verify/frozen-tables.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { holdDataFolder, isLock, restoringFolder } from '../data-folder.ts';
import type { AppContext } from '../service.ts';
import { requireOwnFacts } from './backup-source.ts';
import { openMaintenance } from './offline-stores.ts';

const enginePollMs = 100;

export async function restore(
  around: AppContext,
  backup: Backup,
  options: RestoreOptions,
): Promise<Verification> {
  const { config } = around;
  requireOwnFacts(config);
  await requireCatalog(around, backup);
  await requireWhole(backup, options);
  const release = await holdDataFolder(config.DATA_DIR, { isForRestore: true });
  try {
    await requireEmpty(config.DATA_DIR);
    const folder = join(config.DATA_DIR, restoringFolder);
    await rm(folder, { recursive: true, force: true });
    await copyFiles(backup, folder, options);
    const within = { ...around, config: { ...config, DATA_DIR: folder } };
    await makeStore(within, backup);
    await rm(join(folder, 'facts'), { recursive: true, force: true });
    const verification = await verifyRestored(within, options);
    await moveOut(folder, config.DATA_DIR);
    return verification;
  } finally {
    release();
  }
}

/** A catalog in PostgreSQL is restored before, by PostgreSQL's own programs. */
async function requireCatalog(around: AppContext, { manifest }: Backup): Promise<void> {
  const { catalogMark } = manifest;
  const { DATABASE_URL: databaseUrl } = around.config;
  if (catalogMark === undefined) {
    if (!databaseUrl) return;
    throw new Fault('CONFLICT', 'The backup has its catalog as a file: unset DATABASE_URL');
  }
  if (!databaseUrl) {
    throw new Fault(
      'CONFLICT',
      'The backup was made beside a catalog in PostgreSQL: ' +
        'restore its dump with pg_restore, and set DATABASE_URL',
    );
  }
  const reason = whyUnfit(catalogMark, await markOfCatalog(databaseUrl, around.clock));
  if (reason === undefined) return;
  throw new Fault(
    'CONFLICT',
    `The catalog (DATABASE_URL) does not go with the backup, and nothing was restored: ${reason}`,
  );
}

/** Before anything is changed. */
async function requireWhole(backup: Backup, options: RestoreOptions): Promise<void> {
  const { signal, noteProgress } = options;
  const noteHalf = (share: number) => noteProgress(share * 0.4);
  const wrong = await checkBackup(backup, { signal, noteProgress: noteHalf });
  const [first] = wrong;
  if (first === undefined) return;
  const { path, location, reason } = first;
  throw new Fault(
    'CONFLICT',
    `The backup is damaged, and nothing was restored: ${path} in ${location}: ${reason}` +
      `${wrong.length > 1 ? `, and ${wrong.length - 1} other files` : ''}`,
  );
}

async function requireEmpty(folder: string): Promise<void> {
  const ignored = [restoringFolder, 'lost+found'];
  const names = await readdir(folder);
  const other = names.find((name) => !isLock(name) && !ignored.includes(name));
  if (other === undefined) return;
  throw new Fault(
    'CONFLICT',
    `The folder ${folder} (DATA_DIR) is not empty, it has ${other}: ` +
      'a backup is restored only into an empty one',
  );
}

async function copyFiles(
  backup: Backup,
  folder: string,
  { signal, noteProgress }: RestoreOptions,
): Promise<void> {
  const { files } = backup.manifest;
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const file of files) {
    signal.throwIfAborted();
    const to = join(folder, file.path);
    const bytes = await findPlace(backup, file).read(file.path, signal);
    const written = await writeDurably(bytes, to, { signal });
    if (written.sha256 !== file.sha256) {
      throw new Fault('CONFLICT', `${file.path} of the backup changed while it was restored`);
    }
    done += file.bytes;
    noteProgress(0.4 + (done / all) * 0.3);
  }
}

async function makeStore({ config, clock, logger }: AppContext, backup: Backup): Promise<void> {
  const folder = join(config.DATA_DIR, 'engine');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { ENGINE_MEMORY_MB: memoryMb, CLICKHOUSE_PROGRAM: program } = config;
  const engine = await startEngine({ folder, memoryMb, program, logger });
  try {
    while (engine.whyNotReady() !== undefined) await sleep(clock, enginePollMs);
    const store = openFactStore({ ...engine.access, database: config.CLICKHOUSE_DATABASE });
    try {
      await makeTables(store, backup.manifest.tables, join(config.DATA_DIR, 'facts'));
    } finally {
      await store.close();
    }
  } finally {
    await engine.stop();
  }
}

/** Sums were taken before the facts: what they lack is made up for. */
async function verifyRestored(
  around: AppContext,
  { noteProgress, erasures, signal }: RestoreOptions,
): Promise<Verification> {
  const upkeep = await openMaintenance(around, { bringsUpToDate: true });
  try {
    await eraseAgain(upkeep, erasures);
    const noteRest = (share: number) => noteProgress(0.7 + share * 0.3);
    return await verify(upkeep, { repairs: true, signal, noteProgress: noteRest });
  } finally {
    await upkeep.close();
  }
}

/** Those that the backup does not know yet; `verify` repeats the others where facts are back. */
async function eraseAgain(
  { catalog, eraser }: MaintenanceContext,
  erasures: RestoreOptions['erasures'],
): Promise<void> {
  for (const { erasure, views } of erasures) {
    const account = await catalog.accounts.find(erasure.accountId);
    // Nothing of an account that was made later is in the backup.
    if (account === undefined) continue;
    accepted(await catalog.erasures.takeOver(erasure, views));
  }
  for (const { receipt } of await catalog.erasures.open()) await eraser.carryOut(catalog, receipt);
}

/** While the folder is there, the data folder counts as one that is being restored. */
async function moveOut(from: string, to: string): Promise<void> {
  const names = (await readdir(from)).filter((name) => !isLock(name));
  for (const name of names) await rename(join(from, name), join(to, name));
  await rm(from, { recursive: true });
}
