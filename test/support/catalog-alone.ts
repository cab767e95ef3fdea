import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';

/** An empty catalog in SQLite, in a folder that goes when it is closed. */
export async function openCatalogAlone(clock: ManualClock = manualClock()): Promise<Catalog> {
  const folder = await mkdtemp(join(tmpdir(), 'playmeter-test-'));
  const catalog = await openCatalog({
    location: { sqliteFile: join(folder, 'catalog.sqlite') },
    clock,
  });
  return {
    ...catalog,
    async close() {
      await catalog.close();
      await rm(folder, { recursive: true });
    },
  };
}
