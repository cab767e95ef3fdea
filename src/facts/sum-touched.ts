/**
 * Sums every slot touched since `from` (ms, the engine's clock) again, in all groupings by slot.
 * The finest sums are made first, in the order in which facts lie on disk, and the others out of
 * them: that is half the work of grouping the facts themselves.
 */
import type { FactStore } from './fact-store.ts';

export async function sumTouched(store: FactStore, from: number): Promise<void> {
  await store.command({
    sql: `INSERT INTO playback
      (accountId, grouping, videoId, packageId, slot, os, osVersion, plays, playMs)
    SELECT accountId,
      concat(
        multiIf(grouping(packageId) = 1, 'account', grouping(videoId) = 1, 'package', 'video'),
        if(grouping(os) = 1, '', '-os')),
      videoId, packageId, slot, os, osVersion, sum(finestPlays), sum(finestPlayMs)
    FROM (
      SELECT accountId, slot, packageId, videoId, os, osVersion,
        sum(plays) AS finestPlays, sum(playMs) AS finestPlayMs
      FROM stretch FINAL
      WHERE (accountId, slot) IN (
        SELECT accountId, slot FROM touched
        WHERE arrival >= fromUnixTimestamp64Milli({from:Int64}))
      GROUP BY accountId, slot, packageId, videoId, os, osVersion
    )
    GROUP BY GROUPING SETS (
      (accountId, slot),
      (accountId, slot, packageId),
      (accountId, slot, packageId, videoId),
      (accountId, slot, os, osVersion),
      (accountId, slot, packageId, os, osVersion),
      (accountId, slot, packageId, videoId, os, osVersion))
    SETTINGS force_grouping_standard_compatibility = 1,
      do_not_merge_across_partitions_select_final = 1`,
    parameters: { from },
  });
}
