/** Opens the data folder for a backup: beside a running service, or alone. */
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyCatalogFile } from '../../catalog/database/copy-catalog-file.ts';
import { markOfCatalog } from '../../catalog/open-catalog.ts';
import type { Config } from '../../config/config.ts';
import { listFiles } from '../../lib/folders.ts';
import type { BackupSource } from '../../maintenance/backup/backup-source.ts';
import { journalSuffix } from '../../store/journal/journal-file.ts';
import { removeFrozen } from '../../store/verify/frozen-tables.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { holdForBackup } from '../data-folder.ts';
import { noteMaintenance } from '../maintenance-ages.ts';
import { findContentFolder } from '../own-urls.ts';
import type { AppContext } from '../service.ts';
import { openStores } from './offline-stores.ts';

/** In the data folder: copies that stay as they are while the backup is made. */
const copiesFolder = 'backing-up';

export async function openBackupSource(around: AppContext): Promise<BackupSource> {
  const { config, clock } = around;
  const { DATABASE_URL: databaseUrl } = config;
  requireOwnFacts(config);
  const { facts, close } = await openStores(around);
  let release: () => void;
  try {
    release = holdForBackup(config.DATA_DIR);
  } catch (error) {
    // Open stores would keep the process from ending.
    await close();
    throw error;
  }
  const copies = join(config.DATA_DIR, copiesFolder);
  const storeFolder = join(config.DATA_DIR, 'engine', 'store');
  const journalFolder = join(config.DATA_DIR, 'journal');
  return {
    clock,
    // One of an earlier start would be taken for the one in use.
    secretFile: config.APP_SECRET ? undefined : join(config.DATA_DIR, 'secret'),
    contentFolder: findContentFolder(config),
    freezeFacts: () => facts.upkeep.freeze(storeFolder),
    async copyJournal() {
      const names = (await listFiles(journalFolder)).filter((name) => name.endsWith(journalSuffix));
      for (const name of names) {
        const folder = dirname(join(copies, 'journal', name));
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // One that is gone has been stored, before the facts are taken.
        await copyFile(join(journalFolder, name), join(copies, 'journal', name)).catch(ifMissing);
      }
      return names.map((name) => {
        const path = `journal/${name}`;
        return { path, source: join(copies, path) };
      });
    },
    async copyCatalog() {
      if (databaseUrl) return { mark: await markOfCatalog(databaseUrl, clock) };
      await mkdir(copies, { recursive: true, mode: 0o700 });
      const source = join(copies, 'catalog.sqlite');
      await copyCatalogFile(join(config.DATA_DIR, 'catalog.sqlite'), source);
      return { file: { path: 'catalog.sqlite', source } };
    },
    noteDone: (completeThrough) => noteMaintenance(config.DATA_DIR, 'backup', { completeThrough }),
    async clear() {
      await removeFrozen(storeFolder);
      await rm(copies, { recursive: true, force: true });
    },
    async close() {
      release();
      await close();
    },
  };
}

/** Facts that do not lie in the data folder are out of reach. */
export function requireOwnFacts({ CLICKHOUSE_URL, DATABASE_URL }: Config): void {
  if (!CLICKHOUSE_URL) return;
  const ways = [
    "the statistics (CLICKHOUSE_URL) with that server's BACKUP and RESTORE",
    ...(DATABASE_URL ? ['the catalog (DATABASE_URL) with pg_dump and pg_restore'] : []),
  ];
  throw new Fault(
    'CONFLICT',
    'Only statistics in the data folder can be backed up and restored here: back up ' +
      `${ways.join(', then ')}, and run playmeter verify --repair on what was restored`,
  );
}

function ifMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
