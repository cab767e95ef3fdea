/** Reads every file of the tables and compares it with the checksum that it was written with. */
import type { FactStore, OneServer } from './fact-store.ts';
import type { DamagedPart } from './facts.ts';
import { tables } from './schema.ts';

const timeoutSeconds = 3_600;

interface Partition {
  readonly table: string;
  readonly id: string;
  readonly bytes: number;
}

export async function checkParts(
  store: FactStore,
  noteProgress: (share: number) => void,
): Promise<DamagedPart[]> {
  const damaged = await store.onEachServer((server) => checkServer(server, noteProgress));
  return damaged.flat();
}

async function checkServer(
  store: OneServer,
  noteProgress: (share: number) => void,
): Promise<DamagedPart[]> {
  const names = Object.values(tables).map(({ name }) => name);
  const partitions = await store.select<Partition>({
    name: 'list partitions',
    sql: `SELECT table, partition_id AS id, sum(bytes_on_disk) AS bytes FROM system.parts
      WHERE database = currentDatabase() AND table IN {names:Array(String)} AND active
      GROUP BY table, id ORDER BY table, id`,
    parameters: { names },
  });
  const all = partitions.reduce((sum, { bytes }) => sum + bytes, 0);
  const damaged = await setAside(store, names);
  let done = 0;
  for (const { table, id, bytes } of partitions) {
    damaged.push(...(await checkPartition(store, table, id)));
    done += bytes;
    noteProgress(done / all);
  }
  return damaged;
}

interface CheckedPart {
  readonly part_path: string;
  readonly is_passed: 0 | 1;
  readonly message: string;
}

async function checkPartition(store: OneServer, table: string, id: string): Promise<DamagedPart[]> {
  const rows = await store.select<CheckedPart>(
    {
      name: 'check partition',
      // The store refuses a parameter there. Both names are its own.
      sql: `CHECK TABLE ${table} PARTITION ID '${id}'`,
      parameters: {},
    },
    { timeoutSeconds, settings: { check_query_single_value_result: 0, max_threads: 1 } },
  );
  return rows
    .filter(({ is_passed }) => !is_passed)
    .map(({ part_path: part, message: reason }) => ({ table, part, reason }));
}

/** What the store found unreadable at a start, and no longer uses. */
function setAside(store: OneServer, names: readonly string[]): Promise<DamagedPart[]> {
  return store.select<DamagedPart>({
    name: 'list parts that were set aside',
    sql: `SELECT table, name AS part, concat('set aside: ', reason) AS reason
      FROM system.detached_parts
      WHERE database = currentDatabase() AND table IN {names:Array(String)}
        AND startsWith(reason, 'broken')
      ORDER BY table, part`,
    parameters: { names },
  });
}
