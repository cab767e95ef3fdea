/**
 * What the views of a day saw of their videos, and how much they played and waited, made from its
 * facts (docs/decisions/audience-days.md). Views without a mark are on that day alone, and are kept
 * side by side without their names; each marked view has a row of its own, because it continues on
 * another day.
 */
import { isOfDays } from '../sql/account-days.ts';
import { bitrateOf, hasQuality, settledQuality } from '../sql/quality.ts';
import {
  countedMedia,
  countedPart,
  factsOfDays,
  mediaOfPart,
  noView,
  unionOfPoints,
  viewHash,
  viewNumber,
} from '../sql/views.ts';
import { tables } from '../tables/schema.ts';

const { irregularView } = tables;

/**
 * Bounds each row. In a row, views with the same number of ranges are side by side, ordered by
 * where they began: so each differs little from the one before, and takes few bytes.
 */
const viewsOfRow = 10_000;

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
      toUInt32(portion) AS portion, toUInt32(countIf(hasPlayback)) AS views,
      toUInt32(sum(isPositioned)) AS positionedViews,
      arraySort(own -> (length(own), own), groupArrayIf(ranges, notEmpty(ranges))) AS sorted,
      arrayFlatten(sorted) AS all,
      arrayFlatten(arrayMap(own -> arrayMap(place -> toUInt8(place = 1), arrayEnumerate(own)),
        sorted)) AS isFirst,
      arrayMap(one -> one.1, all) AS fromMs, arrayMap(one -> one.2, all) AS rangeMs,
      sumMap(changeAtMs, change) AS changes,
      arrayFilter((at, by) -> by != 0, changes.1, changes.2) AS extraAtMs,
      arrayFilter(by -> by != 0, changes.2) AS extra,
      arraySort(groupArrayIf(viewPlayMs, hasPlayback)) AS playMs,
      arraySort(groupArrayIf(viewStallMs, hasStall)) AS stallMs,
      arraySort(groupArrayIf(${bitrateOf('viewBits', 'viewBitsMs')},
        isRegular AND viewBitsMs > 0)) AS bitrate,
      toUInt64(sumIf(viewBits, NOT isRegular)) AS mediaBits,
      toUInt64(sumIf(viewBitsMs, NOT isRegular)) AS bitsMediaMs,
      arraySort(groupArrayIf(${viewHash}, isRegular)) AS viewHashes
    FROM (
      SELECT *, if(isRegular, intDiv(row_number() OVER (
          PARTITION BY accountId, videoId, day, packageId, isRegular
          ORDER BY length(ranges), ranges, viewNumber) - 1, ${viewsOfRow}), 0) AS portion,
        if(isRegular, ${noView}, view) AS shownView
      FROM (
        SELECT accountId, videoId, packageId, day, view, viewNumber, isRegular, isPositioned,
          hasPlayback, hasStall, viewPlayMs, viewStallMs, viewBits, viewBitsMs,
          ${ofView.join(',\n          ')}
        FROM (
          SELECT accountId, videoId, packageId, toStartOfDay(slot) AS day, view,
            ${viewNumber} AS viewNumber, viewNumber NOT IN (
              SELECT ${viewNumber} FROM ${irregularView.name} WHERE ${isOfDays}) AS isRegular,
            max(isPlayed) AS hasPlayback, max(isStall) AS hasStall,
            sum(countedMs) AS viewPlayMs, sumIf(waitMs, isStall) AS viewStallMs,
            sumIf(${countedPart('toUInt128(mediaBits)')}, hasBits) AS viewBits,
            sumIf(${countedMedia}, hasBits) AS viewBitsMs,
            max(position > 0 AND isPlayed) AS isPositioned,
            groupArrayIf((toUInt64(position - 1 + mediaFrom),
              toUInt64(position - 1 + mediaUntil),
              toUInt64(position - 1 + mediaFrom + ${countedMedia})),
              position > 0 AND isPlayed) AS parts
          FROM (
            SELECT *, plays > 0 OR playMs > 0 AS isPlayed,
              ${hasQuality} AND ${settledQuality.isStall} AS isStall,
              ${hasQuality} AND mediaBits > 0 AS hasBits, ${mediaOfPart.join(', ')}
            FROM (${factsOfDays})
          )
          WHERE isPlayed OR cause > 0
          GROUP BY accountId, videoId, packageId, day, view
        )
      )
    )
    GROUP BY accountId, videoId, day, packageId, shownView, portion`;
