/** Views and what they saw, in SQL over facts: what counts of days and questions agree on. */

import { valueNames, valueOfFactSql } from '../tables/audience.ts';
import { tables } from '../tables/schema.ts';
import {
  causeBelowCeiling,
  contentColumns,
  mediaBelowCeiling,
  playBelowCeiling,
  playMsBelowCeiling,
  slotMs,
} from '../tables/sums.ts';
import { isOfDays } from './account-days.ts';

/** SQL of a number for a view of one video in one package, below the numbers of viewers. */
export const viewNumber = `bitAnd(cityHash64(packageId, videoId, view), ${2n ** 62n - 1n})`;

/** Accounts with fewer plays are not checked: telling their views apart takes no time. */
export const leastPlaysToCheck = 250_000;

/**
 * The union of ranges in SQL, over `points` in order: twice a position, plus 1 if a range ends
 * there. So if a range begins where another ends, its begin comes before that end, and the two are
 * joined.
 */
export const unionOfPoints = [
  'arrayMap(point -> 1 - 2 * toInt64(point % 2), points) AS signs',
  'arrayCumSum(signs) AS open',
  'arrayMap(point -> intDiv(point, 2), points) AS positions',
  'arrayFilter((at, by, count) -> by = 1 AND count = 1, positions, signs, open) AS begins',
  'arrayFilter((at, count) -> count = 0, positions, open) AS ends',
];

/* What counts of the time of facts, in SQL over their columns. */

/**
 * All parts of a view in a slot together have at most the slot's length: if they claim more, the
 * later stretches are cut first.
 */
export const timeInSlot = `least(toInt64(playMs), greatest(${slotMs} - (toInt64(sum(playMs) OVER (
  PARTITION BY slot, ${contentColumns.join(', ')}, view ORDER BY stretch)) - playMs), 0))`;

/** Of what a whole stretch has, how much was until so many of its milliseconds. */
const until = (whole: string, ms: string) => `intDivOrZero(${whole} * ${ms}, wholeMs)`;

/** Where in the media a part begins and ends, counted from where its stretch began. */
export const mediaOfPart = [
  `toUInt64(if(startMs = 0, 0,
    greatest(toInt64(toUnixTimestamp(slot)) * 1000 - toInt64(startMs), 0))) AS beforeMs`,
  'beforeMs + playMs + laterMs AS wholeMs',
  `${until('mediaMs', 'beforeMs')} AS mediaFrom`,
  `${until('mediaMs', '(beforeMs + playMs)')} AS mediaUntil`,
];

/** Of the media, what is lost with the time: over facts with `countedMs` and `mediaOfPart`. */
export const countedMedia = 'intDivOrZero((mediaUntil - mediaFrom) * countedMs, playMs)';
/** The same of anything else that a whole stretch has. */
export const countedPart = (whole: string): string =>
  `intDivOrZero((${until(whole, '(beforeMs + playMs)')} - ${until(whole, 'beforeMs')}) * countedMs, playMs)`;

/* The facts that counts of days are made of. */

/** SQL of the usual facts of `parametersOfDays`, each with what counts of it. */
export const usualFacts = `SELECT * REPLACE (
            ${playBelowCeiling('plays', 'ceiling')} AS plays,
            ${playMsBelowCeiling('playMs', 'ceiling')} AS playMs,
            ${causeBelowCeiling('cause', 'ceiling')} AS cause,
            ${mediaBelowCeiling('mediaMs', 'ceiling')} AS mediaMs,
            ${mediaBelowCeiling('mediaBits', 'ceiling')} AS mediaBits),
          ${[...valueNames, ...Object.keys(valueOfFactSql)].join(', ')}
        FROM ${tables.stretch.name} FINAL
        WHERE ${isOfDays} AND suspect = ''`;

/** The same with `countedMs`, the time that counts of all parts of a view together. */
export const factsOfDays = `SELECT *, ${timeInSlot} AS countedMs FROM (${usualFacts})`;

/* What the views of a day saw of their videos, made from its facts
 * (docs/decisions/audience-days.md). Views without a mark are on that day alone, and are kept side
 * by side without their names; each marked view has a row of its own, because it continues on
 * another day.
 */

const { irregularView } = tables;

/**
 * Bounds each row. In a row, views with the same number of ranges are side by side, ordered by
 * where they began: so each differs little from the one before, and takes few bytes.
 */
const viewsOfRow = 10_000;

/** In `view`, where views are side by side. */
export const noView = "toUUID('00000000-0000-0000-0000-000000000000')";

/** Of a view's parts: where each begins, where it ends, and where what counts of it ends. */
const ofView = [
  `arraySort(arrayFlatten(arrayMap(part -> if(part.1 < part.2,
          [part.1 * 2, part.2 * 2 + 1], []), parts))) AS points`,
  ...unionOfPoints,
  'arrayMax(part -> part.2, parts) AS furthest',
  `arrayConcat(arrayZip(begins, arrayMap((begin, end) -> toUInt64(end - begin), begins, ends)),
          if(notEmpty(parts) AND (empty(ends) OR furthest > ends[-1]),
            [(furthest, toUInt64(0))], [])) AS ranges`,
  'arrayFilter(part -> part.1 < part.2, parts) AS played',
  `arrayConcat(arrayMap(part -> part.1, played), arrayMap(part -> part.3, played),
          begins, ends) AS changeAtMs`,
  `arrayConcat(arrayMap(part -> toInt64(1), played), arrayMap(part -> toInt64(-1), played),
          arrayMap(begin -> toInt64(-1), begins),
          arrayMap(end -> toInt64(1), ends)) AS change`,
];

/** Selects rows of `audience_seen`, all of these days, of one account. */
export const selectSeenOfDays = `SELECT accountId, videoId, day AS slot,
      fromUnixTimestamp64Milli({countedAt:Int64}) AS countedAt, packageId, shownView AS view,
      toUInt32(portion) AS portion, toUInt32(count()) AS views,
      toUInt32(sum(isPositioned)) AS positionedViews,
      arraySort(own -> (length(own), own), groupArrayIf(ranges, notEmpty(ranges))) AS sorted,
      arrayFlatten(sorted) AS all,
      arrayFlatten(arrayMap(own -> arrayMap(place -> toUInt8(place = 1), arrayEnumerate(own)),
        sorted)) AS isFirst,
      arrayMap(one -> one.1, all) AS fromMs, arrayMap(one -> one.2, all) AS rangeMs,
      sumMap(changeAtMs, change) AS changes,
      arrayFilter((at, by) -> by != 0, changes.1, changes.2) AS extraAtMs,
      arrayFilter(by -> by != 0, changes.2) AS extra
    FROM (
      SELECT *, if(isRegular, intDiv(row_number() OVER (
          PARTITION BY accountId, videoId, day, packageId, isRegular
          ORDER BY length(ranges), ranges, viewNumber) - 1, ${viewsOfRow}), 0) AS portion,
        if(isRegular, ${noView}, view) AS shownView
      FROM (
        SELECT accountId, videoId, packageId, day, view, viewNumber, isRegular, isPositioned,
          ${ofView.join(',\n          ')}
        FROM (
          SELECT accountId, videoId, packageId, toStartOfDay(slot) AS day, view,
            ${viewNumber} AS viewNumber, viewNumber NOT IN (
              SELECT ${viewNumber} FROM ${irregularView.name} WHERE ${isOfDays}) AS isRegular,
            max(position > 0) AS isPositioned,
            groupArrayIf((toUInt64(position - 1 + mediaFrom),
              toUInt64(position - 1 + mediaUntil),
              toUInt64(position - 1 + mediaFrom + ${countedMedia})), position > 0) AS parts
          FROM (
            SELECT *, ${mediaOfPart.join(', ')} FROM (${factsOfDays})
          )
          WHERE plays > 0 OR playMs > 0
          GROUP BY accountId, videoId, packageId, day, view
        )
      )
    )
    GROUP BY accountId, videoId, day, packageId, shownView, portion`;
