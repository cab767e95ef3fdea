/** Stores the sums of whole days again, and zero sums where there are no facts. */
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AccountDay } from '../facts.ts';
import { isOfDays, parametersOfDays } from '../sql/account-days.ts';
import { epochOfAccount } from '../sql/verdicts.ts';
import { tables } from '../tables/schema.ts';
import { type SumName, sums, withEpoch } from '../tables/sums.ts';
import { columnsOf } from '../tables/table.ts';
import { isByDay } from './sum-check.ts';
import { forEachCounting, selectSlotSums, storeAtOnceSettingsSql, sumSlots } from './sum-insert.ts';
import { storeWithDays } from './sum-rebuild.ts';

const { playbackSum } = tables;

/** Rows of nothing for what is stored, of the current epoch: below any sum of that epoch. */
const nothing = (condition: string, slotGrouping: string) =>
  `SELECT ${columnsOf(playbackSum)
    .map((column) => {
      if (column === 'grouping') return `toString(grouping) AS ${slotGrouping}`;
      return column in sums ? `${withEpoch(epochOfAccount, 'toUInt64(0)')} AS ${column}` : column;
    })
    .join(', ')}
      FROM ${playbackSum.name}
      WHERE ${condition} AND ${isOfDays} AND ${epochOfAccount} > 0`;

const slotKeys = playbackSum.orderBy.map((key) => (key === 'grouping' ? 'slotGrouping' : key));
const largest = (name: SumName) => `largest_${name}`;
const columns = columnsOf(playbackSum).map((column) =>
  column === 'grouping' ? 'slotGrouping' : column,
);

const repairSql = forEachCounting(
  (counting, kept) => `${storeWithDays(`SELECT ${columns
    .map((column) => (column in sums ? `${largest(column as SumName)} AS ${column}` : column))
    .join(', ')}
    FROM (
      SELECT ${slotKeys.join(', ')},
        ${Object.keys(sums)
          .map((name) => `max(${name}) AS ${largest(name as SumName)}`)
          .join(', ')}
      FROM (
      ${selectSlotSums(isOfDays + kept.ofFacts, counting)}
      UNION ALL
      ${nothing(`NOT (${isByDay})${kept.ofSums}`, 'slotGrouping')}
      )
      GROUP BY ${slotKeys.join(', ')}
    )`)}
    UNION ALL
    ${nothing(`${isByDay}${kept.ofSums}`, 'storedGrouping')}
    SETTINGS ${storeAtOnceSettingsSql}`,
);

export async function repairSums(
  store: FactStore,
  days: readonly AccountDay[],
  verdicts: CurrentVerdicts,
): Promise<void> {
  const parameters = parametersOfDays(days);
  const statement = { name: 'repair sums', condition: isOfDays, sql: repairSql, parameters };
  await sumSlots(store, statement, verdicts);
}
