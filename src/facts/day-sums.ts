/**
 * Sums by UTC day beside those by slot, for questions that ask for no hour: a year is 365 rows a
 * system and not 35,040. They are made out of the sums by slot, less often, so that a day on which
 * much is played is not summed again twice a second; until then its slots answer for it.
 */
import type { FactStore } from './fact-store.ts';

export const dayMs = 24 * 60 * 60 * 1_000;

/** Sums anew every UTC day of which a slot was touched since `from` (ms, the engine's clock). */
export async function sumTouchedDays(store: FactStore, from: number): Promise<void> {
  await store.command({
    sql: `INSERT INTO playback
      (accountId, grouping, videoId, packageId, slot, os, osVersion, plays, playMs)
    SELECT accountId, concat(slotGrouping, '-day'), videoId, packageId, toStartOfDay(slot) AS day,
      os, osVersion, sum(largestPlays), sum(largestPlayMs)
    FROM (
      SELECT accountId, toString(grouping) AS slotGrouping, videoId, packageId, slot, os, osVersion,
        max(plays) AS largestPlays, max(playMs) AS largestPlayMs
      FROM playback
      WHERE grouping IN ('account-os', 'package-os', 'video-os')
        AND (accountId, toStartOfDay(slot)) IN (
          SELECT accountId, toStartOfDay(slot) FROM touched
          WHERE arrival >= fromUnixTimestamp64Milli({from:Int64}))
      GROUP BY accountId, grouping, videoId, packageId, slot, os, osVersion
    )
    GROUP BY accountId, slotGrouping, videoId, packageId, day, os, osVersion`,
    parameters: { from },
  });
}

/** The UTC days (ms) of an account that were touched since: what day sums may lack. */
export async function touchedDaysOf(
  store: FactStore,
  accountId: number,
  from: number,
): Promise<number[]> {
  const rows = await store.select<{ day: number }>({
    sql: `SELECT DISTINCT toUnixTimestamp(toStartOfDay(slot)) AS day FROM touched
      WHERE arrival >= fromUnixTimestamp64Milli({from:Int64}) AND accountId = {accountId:UInt32}
      ORDER BY day`,
    parameters: { from, accountId },
  });
  return rows.map(({ day }) => day * 1_000);
}
