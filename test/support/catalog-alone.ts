import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Catalog } from '../../src/catalog/catalog.ts';
import { openCatalog } from '../../src/catalog/open-catalog.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';

/** An empty catalog in SQLite, in a folder that goes when it is closed. */
export async function openCatalogAlone(clock: ManualClock = manualClock()): Promise<Catalog> {
  empty ??= makeEmpty();
  const folder = await newFolder();
  const sqliteFile = join(folder, 'catalog.sqlite');
  await writeFile(sqliteFile, await empty);
  const catalog = await openCatalog({ location: { sqliteFile }, clock });
  return {
    ...catalog,
    async close() {
      await catalog.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Made once in a process: its tables take longer to make than most tests with them last. */
let empty: Promise<Buffer> | undefined;

async function makeEmpty(): Promise<Buffer> {
  const folder = await newFolder();
  const sqliteFile = join(folder, 'catalog.sqlite');
  const catalog = await openCatalog({ location: { sqliteFile }, clock: manualClock() });
  await catalog.close();
  const bytes = await readFile(sqliteFile);
  await rm(folder, { recursive: true });
  return bytes;
}

const newFolder = () => mkdtemp(join(tmpdir(), 'playmeter-test-'));
