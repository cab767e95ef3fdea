/** Which days have all their peaks, in SQL. Slots that an earlier release stored have none. */
import { partsOfPeak } from '../tables/peaks.ts';
import { tables } from '../tables/schema.ts';
import { epochOf, sumOf } from '../tables/sums.ts';

const { playbackSum, peak } = tables;

const ofAccount = `accountId = {accountId:UInt32} AND grouping = 'account'
  AND videoId = 0 AND packageId = 0`;

/**
 * SQL of the UTC days with playback: how much, and whether the peaks of all their slots are kept. A
 * slot has either all its peaks or none. A peak of an earlier epoch does not count: something was
 * taken out since. `within` limits the slots.
 */
export function selectKeptDays(within: string): string {
  return `SELECT toUnixTimestamp(toStartOfDay(slot)) AS day, min(kept >= needed) AS isKept,
  sum(slotPlays) AS plays, sum(slotMs) AS playMs
FROM (
SELECT slot, max(playsOf) AS slotPlays, max(playMsOf) AS slotMs, max(neededEpoch) AS needed,
  max(keptEpoch) AS kept
FROM (
SELECT slot, ${sumOf('max(plays)')} AS playsOf, ${sumOf('max(playMs)')} AS playMsOf,
  1 + ${epochOf('max(playMs)')} AS neededEpoch, 0 AS keptEpoch
FROM ${playbackSum.name} WHERE ${ofAccount}${within} GROUP BY slot
UNION ALL
SELECT slot, 0, 0, 0, 1 + ${partsOfPeak.epoch(`max(${peak.name}.peak)`)}
FROM ${peak.name} WHERE ${ofAccount}${within} GROUP BY slot
)
GROUP BY slot
)
WHERE slotMs > 0
GROUP BY day
ORDER BY day`;
}
