/** What counts of the time of facts, in SQL over their columns. */
import { slotMs } from '../tables/slot.ts';
import { keyColumns } from '../tables/sums.ts';

/**
 * All parts of a view in a slot together have at most the slot's length: if they claim more, the
 * later stretches are cut first.
 */
export const timeInSlot = `least(toInt64(playMs), greatest(${slotMs} - (toInt64(sum(playMs) OVER (
  PARTITION BY slot, ${keyColumns.join(', ')}, view ORDER BY stretch)) - playMs), 0))`;

/** Where in the media a part begins and ends, counted from where its stretch began. */
export const mediaOfPart = [
  `toUInt64(if(startMs = 0, 0,
    greatest(toInt64(toUnixTimestamp(slot)) * 1000 - toInt64(startMs), 0))) AS beforeMs`,
  'beforeMs + playMs + laterMs AS wholeMs',
  'intDivOrZero(mediaMs * beforeMs, wholeMs) AS mediaFrom',
  'intDivOrZero(mediaMs * (beforeMs + playMs), wholeMs) AS mediaUntil',
];

/** Of the media, what is lost with the time: over facts with `countedMs` and `mediaOfPart`. */
export const countedMedia = 'intDivOrZero((mediaUntil - mediaFrom) * countedMs, playMs)';
