/**
 * What the views of a day saw of their videos, made from its facts
 * (docs/decisions/audience-days.md). Views without a mark are on that day alone, and are kept side
 * by side without their names; each marked view has a row of its own, because it continues on
 * another day.
 */

import { tables } from '../tables/schema.ts';
import { isOfDays } from './account-days.ts';
import { countedMedia, mediaOfPart } from './counted-time.ts';
import { factsOfDays } from './day-facts.ts';
import { unionOfPoints } from './range-union.ts';
import { viewNumber } from './regular-view.ts';

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
              toUInt64(position - 1 + mediaFrom + ${countedMedia})),
              position > 0 AND (plays > 0 OR playMs > 0)) AS parts
          FROM (
            SELECT *, ${mediaOfPart.join(', ')} FROM (${factsOfDays})
          )
          GROUP BY accountId, videoId, packageId, day, view
        )
      )
    )
    GROUP BY accountId, videoId, day, packageId, shownView, portion`;
