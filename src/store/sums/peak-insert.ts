/**
 * Makes the peaks of slots, from their facts. Facts are parts of stretches within slots, so each
 * slot is counted by itself. A part is two points, and an end comes before a begin of the same
 * instant, so that the two never count together. The points in order, with a running count, are the
 * curve.
 */
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import { type AccountDay, isOfDays, parametersOfDays } from '../sql/account-days.ts';
import { epochOfAccount, isOfSuspects } from '../sql/verdicts.ts';
import { storedPeak } from '../tables/peaks.ts';
import { stretchKey, tables } from '../tables/schema.ts';
import { belowCeiling } from '../tables/sums.ts';
import { columnsOf } from '../tables/table.ts';
import { type Counting, forEachCounting, storeAtOnceSettingsSql, sumSlots } from './sum-insert.ts';

const { stretch, peak, touched } = tables;

const finestKeys = 'accountId, slot, packageId, videoId';

/** In columns `startMs` and `playMs`; facts of earlier releases do not know their start. */
const offsetMs = `toUInt32(if(startMs = 0, 0,
            greatest(toInt64(startMs) - toInt64(toUnixTimestamp(slot)) * 1000, 0)))`;

/** An extent grows with every change of a fact, also of its ceiling. */
const knownOf = (ceiling: string) => `bitShiftRight(${ceiling}, 32)`;

const countedFacts: Readonly<Record<Counting, (condition: string) => string>> = {
  usual: (condition) => `SELECT ${finestKeys}, ${belowCeiling('playMs', 'ceiling')} AS partMs,
            playMs + ${knownOf('ceiling')} AS reportedMs, startMs > 0 AS isDated,
            ${offsetMs} AS offsetMs, suspect = '' AS isCounted
          FROM ${stretch.name} FINAL
          WHERE ${condition} AND playMs > 0`,
  // Of a stretch under several suspects the largest counts, once.
  accepted: (condition) => `SELECT ${finestKeys},
            ${belowCeiling('largestMs', 'largestCeiling')} AS partMs,
            largestMs + ${knownOf('largestCeiling')} AS reportedMs, largestStartMs > 0 AS isDated,
            ${offsetMs.replaceAll('startMs', 'largestStartMs')} AS offsetMs,
            largestMs > 0 AS isCounted
          FROM (
            WITH suspect = '' OR ${isOfSuspects} AS isOfCounted
            SELECT ${finestKeys}, maxIf(playMs, isOfCounted) AS largestMs,
              max(ceiling) AS largestCeiling, maxIf(startMs, isOfCounted) AS largestStartMs
            FROM ${stretch.name}
            WHERE ${condition}
            GROUP BY ${stretchKey.join(', ')}
          )`,
};

const groupingOfRow = `transform(grouping(packageId, videoId), [3, 1, 2, 0],
        ['account', 'package', 'video', 'video'], '')`;

const values: Readonly<Record<keyof typeof peak.columns, string>> = {
  accountId: 'accountId',
  grouping: `${groupingOfRow} AS peakGrouping`,
  videoId: 'videoId',
  packageId: 'packageId',
  slot: 'slot',
  peak: `${storedPeak('epoch', 'extent', 'largest', 'firstMs')} AS peak`,
};

/**
 * Selects rows of table `peak`. If counts may have shrunk before, peaks of 0 are included, to
 * replace earlier ones.
 */
export function selectPeaks(condition: string, counting: Counting): string {
  return `WITH ${epochOfAccount} AS epoch,
      arraySort(groupArrayArray(points)) AS ordered,
      arrayCumSum(point -> if(point % 2 = 1, 1, -1), ordered) AS playing,
      arrayMax(playing) AS largest,
      intDiv(ordered[indexOf(playing, largest)], 2) AS firstMs,
      sum(ofExtent) AS extent
    SELECT ${columnsOf(peak)
      .map((column) => values[column])
      .join(', ')}
    FROM (
      SELECT ${finestKeys}, sumIf(reportedMs + isDated + offsetMs, isCounted) AS ofExtent,
        groupArrayArrayIf([offsetMs * 2 + 1, (offsetMs + partMs) * 2],
          isCounted AND isDated AND partMs > 0) AS points
      FROM (
          ${countedFacts[counting](condition)}
      )
      GROUP BY ${finestKeys}
    )
    GROUP BY GROUPING SETS (
      (accountId, slot),
      (accountId, slot, packageId),
      (accountId, slot, videoId),
      (accountId, slot, packageId, videoId))
    HAVING (epoch > 0 OR extent > 0) AND (grouping(packageId, videoId) != 2 OR count() > 1)`;
}

const isOfTouched = `${isOfDays}
        AND (accountId, slot) IN (
          SELECT accountId, slot FROM ${touched.name}
          WHERE arrival >= fromUnixTimestamp64Milli({from:Int64}) AND ${isOfDays})`;

const keepSql = (condition: string) =>
  forEachCounting(
    (counting, kept) => `INSERT INTO ${peak.name} (${columnsOf(peak).join(', ')})
    ${selectPeaks(condition + kept.ofFacts, counting)}
    SETTINGS ${storeAtOnceSettingsSql}`,
  );
const keepOfDays = keepSql(isOfDays);
const keepOfTouched = keepSql(isOfTouched);

/** The peaks of all slots of these days. */
export async function keepPeaks(
  store: FactStore,
  days: readonly AccountDay[],
  verdicts: CurrentVerdicts,
): Promise<void> {
  const parameters = parametersOfDays(days);
  const statement = { name: 'keep peaks', condition: isOfDays, sql: keepOfDays, parameters };
  await sumSlots(store, statement, verdicts);
}

/** Of those slots alone that have a note since `from` (ms, the store's clock). */
export async function keepTouchedPeaks(
  store: FactStore,
  days: readonly AccountDay[],
  { from, verdicts }: { readonly from: number; readonly verdicts: CurrentVerdicts },
): Promise<void> {
  const parameters = { ...parametersOfDays(days), from };
  const statement = { condition: isOfTouched, sql: keepOfTouched, parameters };
  await sumSlots(store, { name: 'keep touched peaks', ...statement }, verdicts);
}
