/**
 * Sums by UTC day beside those by slot, for questions without an hour: a year is 365 rows per
 * system and not 35,040. They are made from the sums by slot, less often, so that a busy day is not
 * summed again twice a second; until its sums are made, its slots are read instead.
 */

import type { FactStore } from '../client/store-client.ts';
import type { AccountDay } from '../facts.ts';
import { isOfDays, parametersOfDays } from '../sql/account-days.ts';
import { tables } from '../tables/schema.ts';
import { daySuffix, groupingNames, type SumName, sumNames, sums, wholeOf } from '../tables/sums.ts';
import { columnsOf } from '../tables/table.ts';

export async function sumDays(store: FactStore, days: readonly AccountDay[]): Promise<void> {
  const parameters = parametersOfDays(days);
  await store.command({ name: 'sum days', sql: sumDaysSql, parameters });
}

const { playbackSum } = tables;
/** The groupings by slot. */
export const slotGroupings = groupingNames.map((name) => `'${name}'`).join(', ');
const largest = (name: SumName) => `largest_${name}`;

const slotKeys = playbackSum.orderBy.map((key) =>
  key === 'grouping' ? 'toString(grouping) AS slotGrouping' : key,
);
const largestOfSlot = sumNames.map((name) => `max(${name}) AS ${largest(name)}`);

const dayValues = columnsOf(playbackSum).map((column) => {
  if (column === 'grouping') return `concat(slotGrouping, '${daySuffix}')`;
  if (column === 'slot') return 'toStartOfDay(slot) AS day';
  return column in sums ? wholeOf(column as SumName, largest(column as SumName)) : column;
});
const namesOfDay: Readonly<Record<string, string>> = { grouping: 'slotGrouping', slot: 'day' };
const dayKeys = playbackSum.orderBy.map((key) => namesOfDay[key] ?? key);

const sumDaysSql = `INSERT INTO ${playbackSum.name}
      (${columnsOf(playbackSum).join(', ')})
    SELECT ${dayValues.join(', ')}
    FROM (
      SELECT ${slotKeys.join(', ')},
        ${largestOfSlot.join(', ')}
      FROM ${playbackSum.name}
      WHERE grouping IN (${slotGroupings})
        AND ${isOfDays}
      GROUP BY ${playbackSum.orderBy.join(', ')}
    )
    GROUP BY ${dayKeys.join(', ')}`;
