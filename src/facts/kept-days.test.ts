import { expect, test } from 'vitest';
import { selectKeptDays } from './kept-days.ts';

test('days with playback, how much, and whether the peaks of all their slots are kept', () => {
  const slots =
    "accountId = {accountId:UInt32} AND grouping = 'account'\n" +
    '  AND videoId = 0 AND packageId = 0 AND slot < {until:UInt32} GROUP BY slot';
  expect(
    selectKeptDays(' AND slot < {until:UInt32}'),
  ).toBe(`SELECT toUnixTimestamp(toStartOfDay(slot)) AS day, min(kept >= needed) AS isKept,
  sum(slotPlays) AS plays, sum(slotMs) AS playMs
FROM (
SELECT slot, max(playsOf) AS slotPlays, max(playMsOf) AS slotMs, max(neededEpoch) AS needed,
  max(keptEpoch) AS kept
FROM (
SELECT slot, toUInt64(max(plays)) AS playsOf, toUInt64(max(playMs)) AS playMsOf,
  1 + toUInt64(bitShiftRight(max(playMs), 64)) AS neededEpoch, 0 AS keptEpoch
FROM playback_sum WHERE ${slots}
UNION ALL
SELECT slot, 0, 0, 0, 1 + toUInt64(bitShiftRight(max(peak.peak), 128))
FROM peak WHERE ${slots}
)
GROUP BY slot
)
WHERE slotMs > 0
GROUP BY day
ORDER BY day`);
});
