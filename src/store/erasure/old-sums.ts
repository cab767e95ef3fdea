/** Sums whose single facts were erased before: they go only with all playback of their time. */
import type { ErasureTarget } from '../../vocabulary/erasures.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import { isOfDays, parametersOfDays } from '../sql/account-days.ts';
import { epochOfAccount, parametersOfEpochs } from '../sql/verdicts.ts';
import { repairPeaks } from '../sums/peaks.ts';
import { slotGroupings, storeAtOnceSettingsSql, storeWithDays } from '../sums/sum-insert.ts';
import { mostDays } from '../sums/verdict-changes.ts';
import { tables } from '../tables/schema.ts';
import { firstVersion, sumOf, sums, versionOfSum, withVersion } from '../tables/sums.ts';
import { columnsOf } from '../tables/table.ts';

const { playbackSum } = tables;
const isBefore = "slot < toDateTime({until:UInt32}, 'UTC')";

/** Of the next version where they shrink; days follow their slots. */
const emptySql = `${storeWithDays(`SELECT ${columnsOf(playbackSum)
  .map((column) => {
    if (column === 'grouping') return 'toString(grouping) AS slotGrouping';
    if (!(column in sums)) return column;
    const stored = `max(${playbackSum.name}.${column})`;
    const left = `if(${isBefore}, toUInt64(0), ${sumOf(stored)})`;
    const version = `greatest(${firstVersion(epochOfAccount)}, ${versionOfSum(stored)})`;
    return `${withVersion(`${version} + (${sumOf(stored)} > ${left})`, left)} AS ${column}`;
  })
  .join(', ')}
    FROM ${playbackSum.name}
    WHERE grouping IN (${slotGroupings}) AND ${isOfDays}
    GROUP BY ${playbackSum.orderBy.join(', ')}`)}
    SETTINGS ${storeAtOnceSettingsSql}`;

/** With the peaks of their days. May be repeated. */
export async function emptyOldSums(
  store: FactStore,
  { accountId, kind, packageId, videoId, untilMs }: ErasureTarget,
  verdicts: CurrentVerdicts,
): Promise<void> {
  const keptSince = verdicts.erasures?.keptSince.get(accountId) ?? 0;
  const isOfAll = kind === 'playback' && packageId === 0 && videoId === 0;
  if (!isOfAll || keptSince === 0) return;
  const until = Math.floor(Math.min(untilMs, keptSince) / 1_000);
  const rows = await store.select<{ day: number }>({
    name: 'find days of old sums',
    sql: `SELECT DISTINCT toUnixTimestamp(toStartOfDay(slot)) * 1000 AS day
      FROM ${playbackSum.name}
      WHERE accountId = {accountId:UInt32} AND grouping = 'account' AND ${isBefore} ORDER BY day`,
    parameters: { accountId, until },
  });
  for (let first = 0; first < rows.length; first += mostDays) {
    const days = rows.slice(first, first + mostDays).map(({ day }) => ({ accountId, day }));
    const parameters = { ...parametersOfDays(days), ...parametersOfEpochs(verdicts), until };
    await store.command({ name: 'empty old sums', sql: emptySql, parameters });
    await repairPeaks(store, days, verdicts);
  }
}
