/** Moves the configured catalog: from the data folder to PostgreSQL, to another database, or back. */
import type { CatalogMove, CatalogMoveOptions } from '../../catalog/catalog.ts';
import { moveCatalog } from '../../catalog/maintenance/catalog-move.ts';
import type { MovedCatalog } from '../../cli/verb.ts';
import { Fault } from '../../vocabulary/faults.ts';
import { holdDataFolder } from '../data-folder.ts';
import { locateCatalog, nameOfCatalog, openExistingCatalog } from '../parts/configured-catalog.ts';
import type { AppContext } from '../service.ts';

/** `to`: the URL of a PostgreSQL database; undefined: SQLite in the data folder. */
export async function moveConfiguredCatalog(
  { config, clock, ...around }: AppContext,
  to: string | undefined,
  options: CatalogMoveOptions,
): Promise<MovedCatalog> {
  const target = { DATA_DIR: config.DATA_DIR, DATABASE_URL: to };
  const [from, into] = [nameOfCatalog(config), nameOfCatalog(target)];
  if (from === into) {
    throw new Fault('CONFLICT', `The catalog is there already: ${into}. DATABASE_URL names it`);
  }
  // Says what is wrong with a source that cannot be used.
  await (await openExistingCatalog({ config, clock, ...around })).close();
  // A service would go on writing to the source.
  const release = await holdDataFolder(config.DATA_DIR);
  try {
    const locations = [locateCatalog(config), locateCatalog(target)] as const;
    const move: CatalogMove = await moveCatalog(...locations, { ...options, clock });
    return { ...move, from, to: into };
  } finally {
    release();
  }
}
