/** How far the roll-up has come, kept for the next start; letting go of what it needs no more. */
import type { FactStore } from './fact-store.ts';

const keepTouchedDays = 3;

/** Milliseconds of the engine's clock; 0 before the first roll-up. */
export interface Progress {
  readonly through: number;
  readonly daysThrough: number;
}

export async function readProgress(store: FactStore): Promise<Progress> {
  const [row] = await store.select<Progress>({
    // Not from the future, should the clock have been set back meanwhile.
    sql: `SELECT toUnixTimestamp64Milli(least(max(rolled.through), now64(3))) AS through,
      toUnixTimestamp64Milli(least(max(rolled.daysThrough), now64(3))) AS daysThrough
      FROM rolled`,
    parameters: {},
  });
  return { through: row?.through ?? 0, daysThrough: row?.daysThrough ?? 0 };
}

export async function saveProgress(store: FactStore, progress: Progress): Promise<void> {
  await store.command({
    sql: `INSERT INTO rolled (through, daysThrough) SELECT
      fromUnixTimestamp64Milli({through:Int64}), fromUnixTimestamp64Milli({daysThrough:Int64})`,
    parameters: { ...progress },
  });
}

/** What was touched days before the progress that is saved has been summed, by slot and by day. */
export async function dropTouched(store: FactStore, progress: Progress): Promise<void> {
  const through = Math.min(progress.through, progress.daysThrough);
  const old = await store.select<{ day: string }>({
    sql: `SELECT DISTINCT toString(toDate(arrival)) AS day FROM touched
      WHERE toDate(arrival) <
        toDate(fromUnixTimestamp64Milli({through:Int64}) - toIntervalDay({days:UInt8}))`,
    parameters: { through, days: keepTouchedDays },
  });
  for (const { day } of old) {
    await store.command({
      sql: 'ALTER TABLE touched DROP PARTITION {day:String}',
      parameters: { day },
    });
  }
}
