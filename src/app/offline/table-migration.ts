/** The tables of catalog and statistics: what is to be done to them, and doing it. */
import { join } from 'node:path';
import { startEngine } from '../../engine/engine.ts';
import { startOnCopy } from '../../engine/engine-copy.ts';
import { findRunningEngine, waitForEngine } from '../../engine/running-engine.ts';
import type { TableAdmin } from '../../maintenance/table-admin.ts';
import { migrationTable, openTableAdmin } from '../../store/open-store.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { holdDataFolder, isInUse } from '../data-folder.ts';
import { findUndoneInCatalog, makeCatalog } from '../parts/configured-catalog.ts';
import type { AppContext } from '../service.ts';
import { configuredStore } from '../store-access.ts';

export function openTables(around: AppContext): TableAdmin {
  const { config, clock } = around;
  const configured = configuredStore(config);
  const statistics = configured ? openTableAdmin(configured, clock) : openBundledTableAdmin(around);
  return {
    async findUndone() {
      const inCatalog = await findUndoneInCatalog(around);
      return [
        ...inCatalog.map((name) => `catalog: migration ${name} is not applied`),
        ...(await statistics.findUndone()).map((what) => `statistics: ${what}`),
      ];
    },
    async bringUpToDate(noteDone) {
      await refuseBesideService(config.DATA_DIR);
      // All in one transaction.
      const inCatalog = await findUndoneInCatalog(around);
      await (await makeCatalog(around)).close();
      for (const _ of inCatalog) noteDone?.();
      await statistics.bringUpToDate(noteDone);
    },
    close: () => statistics.close(),
  };
}

/** A service makes its own tables: if something is undone beside it, its release is earlier. */
async function refuseBesideService(dataFolder: string): Promise<void> {
  if (!(await isInUse(dataFolder))) return;
  throw new Fault('CONFLICT', `An earlier release runs on ${dataFolder} (DATA_DIR): stop it first`);
}

/** The engine of a running service is asked; without one the folder stays as it is. */
function openBundledTableAdmin(around: AppContext): TableAdmin {
  const { config, clock, logger } = around;
  const { CLICKHOUSE_DATABASE: database, ENGINE_MEMORY_MB: memoryMb } = config;
  const { CLICKHOUSE_PROGRAM: program } = config;
  const folder = join(config.DATA_DIR, 'engine');
  const reach = async () => {
    const access = await findRunningEngine(folder);
    if (access) return { access, stop: async () => {} };
    return startOnCopy({
      folder,
      database,
      table: migrationTable,
      memoryMb,
      program,
      clock,
      logger,
    });
  };
  return {
    async findUndone() {
      const { access, stop } = await reach();
      const desk = openTableAdmin({ ...access, database }, clock);
      return desk.findUndone().finally(async () => {
        await desk.close();
        await stop();
      });
    },
    async bringUpToDate(noteDone) {
      const release = await holdDataFolder(config.DATA_DIR);
      try {
        const engine = await startEngine({ folder, memoryMb, program, logger });
        try {
          const desk = openTableAdmin({ ...(await waitForEngine(folder, clock)), database }, clock);
          await desk.bringUpToDate(noteDone).finally(desk.close);
        } finally {
          await engine.stop();
        }
      } finally {
        release();
      }
    },
    close: async () => {},
  };
}
