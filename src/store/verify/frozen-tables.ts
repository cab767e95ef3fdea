/**
 * Files of the tables as they are at a moment, for a backup: hard links that the store makes, which
 * cost nothing. Also makes tables from such files.
 */
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from '../../lib/assert.ts';
import { listFolders } from '../../lib/folders.ts';
import type { FactStore } from '../client/store-client.ts';
import type { FrozenTables } from '../store-maintenance.ts';
import { tables } from '../tables/schema.ts';

/** In the store's folder of frozen files. Other characters would be escaped in its path. */
const frozenName = 'playmeter_backup';

/**
 * Sums first: what they lack is added from later facts, but sums that are ahead would stay so. The
 * progress of the roll-up is left out, so that a restored store sums all noted slots again. So are
 * the marks of irregular views and the counts of days: a restored store makes them again.
 */
const kinds: Readonly<Record<keyof typeof tables, 'sums' | 'facts' | 'left out'>> = {
  playbackSum: 'sums',
  peak: 'sums',
  stretch: 'facts',
  touched: 'facts',
  event: 'facts',
  ledger: 'facts',
  migration: 'facts',
  irregularView: 'left out',
  checkedDay: 'left out',
  audienceDay: 'left out',
  irregularFact: 'left out',
  audienceSeen: 'left out',
  rolled: 'left out',
  migrating: 'left out',
};
const namesOf = (kind: 'sums' | 'facts' | 'left out') =>
  Object.entries(kinds)
    .filter(([, of]) => of === kind)
    .map(([key]) => tables[key as keyof typeof tables].name);

/** `storeFolder`: the store's own, on this machine. */
export async function freezeTables(store: FactStore, storeFolder: string): Promise<FrozenTables> {
  const frozen = [...namesOf('sums'), ...namesOf('facts')];
  // Read before: a table that is empty now and holds rows once it is frozen lacks none of them.
  const rows = await store.select<TableRow>({
    name: 'describe tables',
    sql: `SELECT name, create_table_query AS create, toString(uuid) AS uuid, version() AS engine,
        toUInt64(ifNull(total_rows, 0)) AS rows
      FROM system.tables
      WHERE database = currentDatabase() AND name IN {names:Array(String)} ORDER BY name`,
    parameters: { names: [...frozen, ...namesOf('left out')] },
  });
  for (const name of frozen) {
    await store.command({
      name: `freeze ${name}`,
      sql: `ALTER TABLE ${name} FREEZE WITH NAME '${frozenName}'`,
      parameters: {},
    });
  }
  const all = rows.map(async ({ name, create, uuid, rows }) => {
    const folder = join(storeFolder, 'shadow', frozenName, 'store', uuid.slice(0, 3), uuid);
    const parts = await listFolders(folder);
    const isWhole = parts.length > 0 || rows === 0 || !frozen.includes(name);
    assert(isWhole, `what is frozen of ${name} is in ${folder}`);
    return { name, create, parts: parts.map((part) => ({ part, folder: join(folder, part) })) };
  });
  return { engine: rows[0]?.engine ?? '', tables: await Promise.all(all) };
}

export function removeFrozen(storeFolder: string): Promise<void> {
  return rm(join(storeFolder, 'shadow', frozenName), { recursive: true, force: true });
}

interface TableRow {
  readonly name: string;
  readonly create: string;
  readonly uuid: string;
  readonly engine: string;
  readonly rows: number;
}

interface KeptTable {
  readonly name: string;
  readonly create: string;
  readonly parts: readonly string[];
}

/** Makes the tables in an empty store; `partsFolder` has a folder for each, and is left empty. */
export async function makeTables(
  store: FactStore,
  kept: readonly KeptTable[],
  partsFolder: string,
): Promise<void> {
  await store.createDatabase();
  for (const { name, create, parts } of kept) {
    // Its database may have another name here.
    const sql = create.replace(/^CREATE TABLE \S+/, `CREATE TABLE ${name}`);
    await store.command({ name: `make ${name}`, sql, parameters: {} });
    const [table] = await store.select<{ folder: string }>({
      name: `find ${name}`,
      sql: `SELECT data_paths[1] AS folder FROM system.tables
        WHERE database = currentDatabase() AND name = {name:String}`,
      parameters: { name },
    });
    for (const part of parts) {
      await rename(join(partsFolder, name, part), join(table?.folder ?? '', 'detached', part));
      await store.command({
        name: `attach to ${name}`,
        sql: `ALTER TABLE ${name} ATTACH PART {part:String}`,
        parameters: { part },
      });
    }
  }
}
