/**
 * Makes the peaks of whole days again, without storing them, and compares them with those that are
 * kept. A peak that is not kept is not wrong: questions then read the facts.
 */
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { SumDifference } from '../facts.ts';
import { type AccountDay, isOfDays, parametersOfDays } from '../sql/account-days.ts';
import { epochOfAccount, parametersOfEpochs } from '../sql/verdicts.ts';
import { partsOfPeak, storedPeak } from '../tables/peaks.ts';
import { tables } from '../tables/schema.ts';
import { slotMs } from '../tables/slot.ts';
import { columnsOf } from '../tables/table.ts';
import { keepPeaks, selectPeaks } from './peak-insert.ts';
import { mostOfDay, statementTimeoutSeconds } from './sum-check.ts';
import { chooseCounting, forEachCounting, slotSumSettings } from './sum-insert.ts';

const { peak: table } = tables;
const keys = 'accountId, grouping, videoId, packageId, slot';
const { epoch, extent, peak, offsetMs } = partsOfPeak;
/** Of what has no facts. */
const nothing = storedPeak('toUInt32(0)', 'toUInt32(0)', 'toUInt32(0)', 'toUInt32(0)');

/** The earlier an instant is, the longer it is until the end of its slot. */
const untilEndMs = (stored: string) => `(${slotMs} - toInt64(${offsetMs(stored)}))`;

/**
 * Two peaks made from the same number of facts must be the same. With more or fewer facts a peak
 * may be anything, so then only the extents are compared.
 */
const checkSql = forEachCounting(
  (counting, kept) => `SELECT accountId, toUnixTimestamp(toStartOfDay(slot)) * 1000 AS day,
      toUnixTimestamp(slot) * 1000 AS at, grouping, toString((packageId, videoId)) AS about,
      ${extent('made')} AS expected_extent, ${extent('stored')} AS found_extent,
      ${peak('made')} AS expected_peak,
      if(found_extent = expected_extent, ${peak('stored')}, expected_peak) AS found_peak,
      ${untilEndMs('made')} AS expected_untilEndMs,
      if(found_extent = expected_extent, ${untilEndMs('stored')}, expected_untilEndMs)
        AS found_untilEndMs,
      toInt64(${epoch('stored')}) - toInt64(${epochOfAccount}) AS ahead
    FROM (
      SELECT ${keys}, max(madePeak) AS largest, if(largest = 0, ${nothing}, largest) AS made,
        max(storedPeak) AS stored
      FROM (
        SELECT accountId, peakGrouping AS grouping, videoId, packageId, slot, peak AS madePeak,
          toUInt256(0) AS storedPeak
        FROM (
        ${selectPeaks(isOfDays + kept.ofFacts, counting)}
        )
        UNION ALL
        SELECT accountId, toString(grouping), videoId, packageId, slot, toUInt256(0), max(peak)
        FROM ${table.name}
        WHERE ${isOfDays}
        GROUP BY ${keys}
      )
      GROUP BY ${keys}
    )
    WHERE stored > 0 AND (found_extent != expected_extent OR found_peak != expected_peak
      OR found_untilEndMs != expected_untilEndMs OR ahead > 0)
    ORDER BY day, at, grouping, about
    LIMIT ${mostOfDay} BY accountId, day`,
);

type Row = Readonly<Record<string, string | number>>;

/** The kept peaks of these days that differ from their facts, at most 1,000 of each day. */
export async function checkPeaks(
  store: FactStore,
  days: readonly AccountDay[],
  verdicts: CurrentVerdicts,
): Promise<SumDifference[]> {
  const which = { condition: isOfDays, parameters: parametersOfDays(days) };
  const { textOf, parameters } = await chooseCounting(store, which, verdicts);
  const found = await store.select<Row>(
    { name: 'check peaks', sql: textOf(checkSql), parameters },
    {
      timeoutSeconds: statementTimeoutSeconds,
      settings: { ...slotSumSettings, max_threads: 1 },
    },
  );
  return found.map(differenceOf);
}

function differenceOf(row: Row): SumDifference {
  const read = (side: string) => ({
    extent: Number(row[`${side}_extent`]),
    peak: Number(row[`${side}_peak`]),
    untilEndMs: Number(row[`${side}_untilEndMs`]),
  });
  return {
    accountId: Number(row.accountId),
    day: Number(row.day),
    atMs: Number(row.at),
    grouping: `peak of ${row.grouping}`,
    about: String(row.about),
    expected: read('expected'),
    found: read('found'),
    epochsAhead: Number(row.ahead),
  };
}

/** Of the current epoch, and below any peak of that epoch. */
const keepNothingSql = `INSERT INTO ${table.name} (${columnsOf(table).join(', ')})
    SELECT accountId, grouping, videoId, packageId, slot,
      ${storedPeak(epochOfAccount, 'toUInt32(0)', 'toUInt32(0)', 'toUInt32(0)')}
    FROM ${table.name}
    WHERE ${isOfDays} AND ${epochOfAccount} > 0`;

/** Keeps the peaks of whole days again, and then those of nothing where there are no facts. */
export async function repairPeaks(
  store: FactStore,
  days: readonly AccountDay[],
  verdicts: CurrentVerdicts,
): Promise<void> {
  await keepPeaks(store, days, verdicts);
  const parameters = { ...parametersOfDays(days), ...parametersOfEpochs(verdicts) };
  await store.command({ name: 'keep peaks of nothing', sql: keepNothingSql, parameters });
}
