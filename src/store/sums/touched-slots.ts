/**
 * Notes of touched slots, which the roll-up must sum again. Each insert of facts is followed by its
 * own batch of notes, so a reader that sees a note finds the facts.
 */
import { assert } from '../../lib/assert.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AccountDay } from '../facts.ts';
import type { AccountSlot } from '../sql/account-slots.ts';
import { tables } from '../tables/schema.ts';

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

/** `mayShrink`: whether any of them has a slot of which sums may have to shrink. */
export interface FoundBatches {
  /** The store's time now (ms). */
  readonly storeNow: number;
  readonly batches: Batches;
  readonly mayShrink: boolean;
}

/** The batches in the store since `from`. */
export async function readBatches(store: FactStore, from: number): Promise<FoundBatches> {
  const [row] = await store.select<{
    readonly storeNow: number;
    readonly batches: [number, number][];
    readonly shrinkable: number;
  }>({
    name: 'look for touched slots',
    sql: `SELECT toUnixTimestamp64Milli(now64(3)) AS storeNow,
      groupArray((batch, notes)) AS batches, max(mayShrinkAny) AS shrinkable
      FROM (SELECT batch, count() AS notes, max(mayShrink) AS mayShrinkAny
        FROM ${tables.touched.name}
        WHERE arrival >= fromUnixTimestamp64Milli({from:Int64}) GROUP BY batch)`,
    parameters: { from },
  });
  assert(row, 'a sum over no rows is a row');
  const { storeNow, batches, shrinkable } = row;
  return { storeNow, batches: new Map(batches), mayShrink: shrinkable > 0 };
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

/** Those of which sums may have to shrink. */
export async function readShrinkableSlots(store: FactStore, notes: Notes): Promise<AccountSlot[]> {
  return store.select({
    name: 'read slots that may shrink',
    sql: `SELECT DISTINCT accountId, toUnixTimestamp(slot) * 1000 AS slotStart
      FROM ${tables.touched.name} WHERE ${isOfNotes} AND mayShrink = 1`,
    parameters: parametersOf(notes),
  });
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
