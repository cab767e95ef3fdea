/** Peaks and playback time of hours and days, from what is kept by slot, in SQL. */
import {
  type FactQuery,
  type GroupingName,
  type PeakGrouping,
  partsOfPeak,
  sumOf,
  tables,
} from '../../store/facts.ts';
import type { IntervalName } from '../../wire/questions/curves.ts';
import type { AskedFacts } from '../plan/question-facts.ts';
import type { Span } from '../ranges/range-cover.ts';
import { slotsWithin } from '../ranges/slot-ranges.ts';
import { intervalKey } from './local-intervals.ts';

/** `except`: spans that are answered from the facts. The first of equal peaks counts. */
export function selectKept(
  asked: AskedFacts,
  interval: IntervalName,
  except: readonly Span[],
): FactQuery {
  const { accountId, spans, videoId, packageId, clock, parameters } = asked;
  const within = slotsWithin(spans);
  const without = slotsWithin(except, 'without_');
  const slots = except.length === 0 ? within.sql : `${within.sql} AND NOT (${without.sql})`;
  const grouping = groupingOf(asked);
  const { peak, offsetMs } = partsOfPeak;
  const key = intervalKey(interval, clock);
  const sql = `SELECT ${key} AS key,
  max((slotPeak, -slotPeakAtMs)) AS top, top.1 AS peak, -top.2 AS peakAtMs,
  sum(slotMs) AS playMs, 0 AS slotPlayMs
FROM (
SELECT slot, ${peak('max(kept)')} AS slotPeak,
  if(slotPeak = 0, 0,
    toInt64(toUnixTimestamp(slot)) * 1000 + ${offsetMs('max(kept)')}) AS slotPeakAtMs,
  sum(largestMs) AS slotMs
FROM (
SELECT slot, toUInt256(0) AS kept, ${sumOf('max(playMs)')} AS largestMs
FROM ${tables.playbackSum.name}
WHERE ${conditionsOf(asked, grouping)} AND ${slots}
GROUP BY slot, packageId, videoId
UNION ALL
SELECT slot, max(peak), 0
FROM ${tables.peak.name}
WHERE ${conditionsOf(asked, grouping)} AND ${slots}
GROUP BY slot
)
GROUP BY slot
)
GROUP BY key`;
  return {
    name: 'concurrency of slots',
    sql,
    parameters: {
      ...{ accountId, ...within.parameters, ...parameters },
      ...(except.length === 0 ? {} : without.parameters),
      ...(videoId === undefined ? {} : { videoId }),
      ...(packageId === undefined ? {} : { packageId }),
    },
  };
}

/** Both tables name it alike. */
function groupingOf({ videoId, packageId }: AskedFacts): PeakGrouping & GroupingName {
  if (videoId !== undefined) return 'video';
  return packageId === undefined ? 'account' : 'package';
}

/** A grouping without a column has 0 there; the condition lets the index reach the slots. */
function conditionsOf({ videoId, packageId }: AskedFacts, grouping: PeakGrouping): string {
  const ofPackage = packageId === undefined ? 'packageId = 0' : 'packageId = {packageId:UInt32}';
  return [
    `accountId = {accountId:UInt32} AND grouping = '${grouping}'`,
    videoId === undefined ? 'videoId = 0' : 'videoId = {videoId:UInt32}',
    // A video's peaks are in the rows of all its packages.
    ...(grouping === 'video' && packageId === undefined ? [] : [ofPackage]),
  ].join(' AND ');
}
