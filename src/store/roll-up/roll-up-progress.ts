/** The progress of the roll-up, saved for the next start; deletes notes that are done with. */
import { assert } from '../../lib/assert.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import type { FactStore } from '../client/store-client.ts';
import { keepLastNotes } from '../days/regular-views.ts';
import { tables } from '../tables/schema.ts';

const keepTouchedMs = 3 * dayMs;

/** Milliseconds of the store's clock; 0 before the first roll-up. */
export interface Progress {
  readonly through: number;
  readonly daysThrough: number;
}

/** `storeNow`: the store's time now (ms). */
export async function readProgress(
  store: FactStore,
): Promise<Progress & { readonly storeNow: number }> {
  const [row] = await store.select<Progress & { storeNow: number }>({
    name: 'read roll-up progress',
    // Not in the future, in case the clock was set back meanwhile.
    sql: `SELECT toUnixTimestamp64Milli(least(max(rolled.through), now64(3))) AS through,
      toUnixTimestamp64Milli(least(max(rolled.daysThrough), now64(3))) AS daysThrough,
      toUnixTimestamp64Milli(now64(3)) AS storeNow
      FROM ${tables.rolled.name} AS rolled`,
    parameters: {},
  });
  assert(row, 'a maximum over no rows is a row');
  return row;
}

export async function saveProgress(store: FactStore, progress: Progress): Promise<void> {
  await store.command({
    name: 'save roll-up progress',
    sql: `INSERT INTO ${tables.rolled.name} (through, daysThrough) SELECT
      fromUnixTimestamp64Milli({through:Int64}), fromUnixTimestamp64Milli({daysThrough:Int64})`,
    parameters: { ...progress },
  });
}

/** Notes from days before the saved progress have been summed, by slot and by day. */
export async function dropTouched(store: FactStore, progress: Progress): Promise<void> {
  const through = Math.min(progress.through, progress.daysThrough);
  // TRICKY: never before 1970, where the engine's dates wrap round to far in the future. The
  // progress of a new store is 0.
  const before = Math.max(0, through - (through % dayMs) - keepTouchedMs);
  const old = await store.select<{ day: string }>({
    name: 'find old notes of touched slots',
    sql: `SELECT DISTINCT toString(toDate(arrival)) AS day FROM ${tables.touched.name}
      WHERE arrival < fromUnixTimestamp64Milli({before:Int64})`,
    parameters: { before },
  });
  for (const { day } of old) {
    await keepLastNotes(store, day);
    await store.onEachServer((server) =>
      server.command({
        name: 'drop old notes of touched slots',
        sql: `ALTER TABLE ${tables.touched.name} DROP PARTITION {day:String}`,
        parameters: { day },
      }),
    );
  }
}
