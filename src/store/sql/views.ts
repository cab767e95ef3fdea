/** Views and what they saw, in SQL over facts: what counts of days and questions agree on. */

import { namedValueSql } from '../tables/audience.ts';
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

/** SQL of some bits of a `viewNumber`: enough to find where a view may be. */
export const viewHash = 'toUInt32(bitAnd(viewNumber, 4294967295))';

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

/** In `view`, where views are side by side. */
export const noView = "toUUID('00000000-0000-0000-0000-000000000000')";

/* The facts that counts of days are made of. */

const namedValues = Object.entries(namedValueSql).map(([name, sql]) => `${sql} AS ${name}`);

/** SQL of the usual facts of `parametersOfDays`, each with what counts of it. */
export const usualFacts = `SELECT * REPLACE (
            ${playBelowCeiling('plays', 'ceiling')} AS plays,
            ${playMsBelowCeiling('playMs', 'ceiling')} AS playMs,
            ${causeBelowCeiling('cause', 'ceiling')} AS cause,
            ${mediaBelowCeiling('mediaMs', 'ceiling')} AS mediaMs,
            ${mediaBelowCeiling('mediaBits', 'ceiling')} AS mediaBits),
          ${namedValues.join(', ')}
        FROM ${tables.stretch.name} FINAL
        WHERE ${isOfDays} AND suspect = ''`;

/** The same with `countedMs`, the time that counts of all parts of a view together. */
export const factsOfDays = `SELECT *, ${timeInSlot} AS countedMs FROM (${usualFacts})`;
