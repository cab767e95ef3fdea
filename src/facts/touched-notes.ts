/**
 * Notes of touched slots, which the roll-up must sum again. Each insert of facts has a
 * batch of notes of its own, written after it: a reader that sees a note finds the facts.
 */
import { assert } from '../lib/assert.ts';
import type { FactStore } from './fact-store.ts';
import type { AccountDay } from './facts.ts';
import { tables } from './schema.ts';

/** Batches by number, with how many of their notes were seen. */
export type Batches = ReadonlyMap<number, number>;

/** Notes that arrived at `from` (ms, the store's clock) or later. */
export interface Notes {
  readonly from: number;
  /** Undefined: all of them. */
  readonly batches: readonly number[] | undefined;
}

/** The statement lists their numbers; beyond this many it takes all notes. */
const mostBatches = 400;

/** The batches in the store since `from`, and its time now (ms). */
export async function readBatches(
  store: FactStore,
  from: number,
): Promise<{ storeNow: number; batches: Batches }> {
  const [row] = await store.select<{ storeNow: number; batches: [number, number][] }>({
    name: 'look for touched slots',
    sql: `SELECT toUnixTimestamp64Milli(now64(3)) AS storeNow,
      groupArray((batch, notes)) AS batches
      FROM (SELECT batch, count() AS notes FROM ${tables.touched.name}
        WHERE arrival >= fromUnixTimestamp64Milli({from:Int64}) GROUP BY batch)`,
    parameters: { from },
  });
  assert(row, 'a sum over no rows is a row');
  return { storeNow: row.storeNow, batches: new Map(row.batches) };
}

/** Batches of which not all notes were seen before; undefined if there are none. */
export function unseenNotes(from: number, now: Batches, seen: Batches): Notes | undefined {
  const batches = [...now].filter(([batch, notes]) => seen.get(batch) !== notes);
  if (batches.length === 0) return undefined;
  const numbers = batches.length > mostBatches ? undefined : batches.map(([batch]) => batch);
  return { from, batches: numbers };
}

/** For statements that read from the table of notes; with the parameters of `parametersOf`. */
export const isOfNotes = `arrival >= fromUnixTimestamp64Milli({from:Int64})
          AND ({ofAll:UInt8} OR batch IN {batches:Array(UInt64)})`;

export function parametersOf({ from, batches }: Notes) {
  return { from, ofAll: batches === undefined ? 1 : 0, batches: batches ?? [] };
}

export async function readTouchedDays(store: FactStore, notes: Notes): Promise<AccountDay[]> {
  const rows = await store.select<{ accountId: number; day: number }>({
    name: 'read touched days',
    sql: `SELECT DISTINCT accountId, toUnixTimestamp(toStartOfDay(slot)) AS day
      FROM ${tables.touched.name} WHERE ${isOfNotes}`,
    parameters: parametersOf(notes),
  });
  return rows.map(({ accountId, day }) => ({ accountId, day: day * 1_000 }));
}
