/** Reads every file of the tables and compares it with the checksum that it was written with. */
import type { FactStore, NoteFailure, OneServer } from '../client/store-client.ts';
import type { DamagedPart } from '../facts.ts';
import { tables } from '../tables/schema.ts';

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
    damaged.push(...(await check(store, table, `PARTITION ID '${id}'`)));
    done += bytes;
    noteProgress(done / all);
  }
  return damaged;
}

/** The same for what was written in these last seconds; damage is noted as if it had been met. */
export async function checkNewParts(
  store: FactStore,
  withinSeconds: number,
  noteFailure: NoteFailure,
): Promise<void> {
  const damaged = await store.onEachServer((server) => checkServerParts(server, withinSeconds));
  for (const { table, part, reason } of damaged.flat()) {
    noteFailure('check parts', 'damage', new Error(`${table} ${part}: ${reason}`));
  }
}

async function checkServerParts(store: OneServer, withinSeconds: number): Promise<DamagedPart[]> {
  const names = Object.values(tables).map(({ name }) => name);
  const parts = await store.select<{ readonly table: string; readonly name: string }>({
    name: 'list new parts',
    sql: `SELECT table, name FROM system.parts
      WHERE database = currentDatabase() AND table IN {names:Array(String)} AND active
        AND modification_time >= now() - {seconds:UInt32}
      ORDER BY table, name`,
    parameters: { names, seconds: withinSeconds },
  });
  const damaged: DamagedPart[] = [];
  for (const { table, name } of parts) {
    damaged.push(...(await check(store, table, `PART '${name}'`)));
  }
  return damaged;
}

interface CheckedPart {
  readonly part_path: string;
  readonly is_passed: 0 | 1;
  readonly message: string;
}

async function check(store: OneServer, table: string, place: string): Promise<DamagedPart[]> {
  const rows = await store.select<CheckedPart>(
    {
      name: 'check parts',
      // The store refuses a parameter there. All names are its own.
      sql: `CHECK TABLE ${table} ${place}`,
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
