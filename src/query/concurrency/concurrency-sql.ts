/** How many stretches play at once, from the facts, in SQL. */
import {
  type FactQuery,
  type GroupingName,
  type PeakGrouping,
  partsOfPeak,
  slotMs,
  tables,
  unpackSum,
} from '../../store/facts.ts';
import type { IntervalName } from '../../wire/questions/curves.ts';
import {
  bindFacts,
  type FactScope,
  type QuestionFacts,
  selectFacts,
} from '../plan/question-facts.ts';
import { partFromMs } from '../ranges/counted-facts.ts';
import type { Span } from '../ranges/range-cover.ts';
import { slotsWithin } from '../ranges/slot-ranges.ts';
import { intervalKey, minuteMs } from './local-intervals.ts';

/** What the facts give for an interval, or for the requested piece of it. */
export interface IntervalFacts {
  readonly key: string;
  readonly peak: number;
  /** The first instant (ms) with so many; 0 where the peak is. */
  readonly peakAtMs: number;
  readonly playMs: number;
  /**
   * Playback that is known by its slot alone, where the interval is shorter: an equal share of it
   * is in each minute of the slot.
   */
  readonly slotPlayMs: number;
}

/**
 * Facts are parts of stretches within slots, so each slot is counted by itself. A part is two
 * points, and an end comes before a begin of the same instant, so that the two never count
 * together. In order, with a running count, they take a fifth of the time of the engine's
 * `maxIntersections`.
 */
const peaksOf = `arraySort(groupArrayArrayIf([fromMs * 2 + 1, untilMs * 2], isDated)) AS points,
    arrayCumSum(point -> if(point % 2 = 1, 1, -1), points) AS playing,
    arrayMax(playing) AS unitPeak,
    intDiv(points[indexOf(playing, unitPeak)], 2) AS unitPeakAtMs`;

export function selectConcurrency(facts: QuestionFacts, interval: IntervalName): FactQuery {
  const isMinute = interval === 'minute';
  const sql = `SELECT ${intervalKey(interval, facts.clock)} AS key,
  max((unitPeak, -toInt64(unitPeakAtMs))) AS top, top.1 AS peak, -top.2 AS peakAtMs,
  sum(unitPlayMs) AS playMs, sum(unitSlotPlayMs) AS slotPlayMs
FROM (
${isMinute ? selectMinutes(facts) : selectSlots(facts)}
)
GROUP BY key`;
  return { name: 'concurrency', sql, parameters: bindFacts(facts), groupsBySlot: true };
}

/** Facts without a start are in the time, and in no peak. */
function selectSlots(facts: QuestionFacts): string {
  return `  SELECT slot, ${peaksOf},
    sum(countedMs) AS unitPlayMs, 0 AS unitSlotPlayMs
  FROM (
    SELECT slot, countedMs, startMs > 0 AS isDated, ${partFromMs} AS fromMs,
      fromMs + playMs AS untilMs
    FROM (
${selectFacts(facts)}
    )
    WHERE playMs > 0
  )
  GROUP BY slot`;
}

const minutesOfSlot = slotMs / minuteMs;

/** Each part of a stretch is cut at the minutes. */
function selectMinutes(facts: QuestionFacts): string {
  return `  SELECT slot, unit, ${peaksOf},
    sumIf(greatest(toInt64(least(countedUntilMs, untilMs)) - toInt64(fromMs), 0), isDated)
      AS unitPlayMs,
    sumIf(countedMs, NOT isDated) AS unitSlotPlayMs
  FROM (
    SELECT slot, countedMs, startMs > 0 AS isDated, ${partFromMs} AS partMs,
      partMs + countedMs AS countedUntilMs,
      arrayJoin(if(isDated,
        range(intDiv(partMs, ${minuteMs}), intDiv(partMs + playMs - 1, ${minuteMs}) + 1),
        arrayMap(minute -> toInt64(intDiv(toUnixTimestamp(slot), 60) + minute),
          range(${minutesOfSlot})))) AS unit,
      greatest(partMs, unit * ${minuteMs}) AS fromMs,
      least(partMs + playMs, (unit + 1) * ${minuteMs}) AS untilMs
    FROM (
${selectFacts(facts)}
    )
    WHERE playMs > 0
  )
  GROUP BY slot, unit`;
}

/** How many of each video's stretches were last reported to run to `sinceMs` or later. */
export function selectPlaying(facts: QuestionFacts, sinceMs: number, most: number): FactQuery {
  const sql = `SELECT videoId, count() AS playing, sum(playing) OVER () AS allPlaying
FROM (
${selectFacts(facts)}
)
WHERE (plays > 0 OR playMs > 0) AND laterMs = 0 AND startMs > 0 AND ${partFromMs} + playMs >= {sinceMs:UInt64}
GROUP BY videoId
ORDER BY playing DESC, videoId
LIMIT {most:UInt32}`;
  return { name: 'live', sql, parameters: { ...bindFacts(facts), sinceMs, most } };
}

/* Peaks and playback time of hours and days, from what is kept by slot, in SQL. */

/** `except`: spans that are answered from the facts. The first of equal peaks counts. */
export function selectKept(
  asked: FactScope,
  interval: IntervalName,
  except: readonly Span[],
): FactQuery {
  const { accountId, spans, videoId, packageId, clock, parameters } = asked;
  const within = slotsWithin(spans);
  const without = slotsWithin(except, 'without_');
  const slots = except.length === 0 ? within.sql : `${within.sql} AND NOT (${without.sql})`;
  const grouping = findGrouping(asked);
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
SELECT slot, toUInt256(0) AS kept, ${unpackSum('max(playMs)')} AS largestMs
FROM ${tables.playbackSum.name}
WHERE ${compileConditions(asked, grouping)} AND ${slots}
GROUP BY slot, packageId, videoId
UNION ALL
SELECT slot, max(peak), 0
FROM ${tables.peak.name}
WHERE ${compileConditions(asked, grouping)} AND ${slots}
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
function findGrouping({ videoId, packageId }: FactScope): PeakGrouping & GroupingName {
  if (videoId !== undefined) return 'video';
  return packageId === undefined ? 'account' : 'package';
}

/** A grouping without a column has 0 there; the condition lets the index reach the slots. */
function compileConditions({ videoId, packageId }: FactScope, grouping: PeakGrouping): string {
  const ofPackage = packageId === undefined ? 'packageId = 0' : 'packageId = {packageId:UInt32}';
  return [
    `accountId = {accountId:UInt32} AND grouping = '${grouping}'`,
    videoId === undefined ? 'videoId = 0' : 'videoId = {videoId:UInt32}',
    // A video's peaks are in the rows of all its packages.
    ...(grouping === 'video' && packageId === undefined ? [] : [ofPackage]),
  ].join(' AND ');
}
