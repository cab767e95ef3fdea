/**
 * Sums the days of suspects again after a verdict. All slots and the days themselves are stored by
 * one insert, so a question sees all of the change or nothing of it. Their peaks follow: peaks of a
 * lower epoch than the sums are not used.
 */
import type { CurrentVerdicts, SuspectName } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AccountDay } from '../facts.ts';
import { isOfDays, parametersOfDays } from '../sql/account-days.ts';
import { isOfSuspects, parametersOfSuspects } from '../sql/verdicts.ts';
import { tables } from '../tables/schema.ts';
import { daySuffix, type SumName, sums, wholeOf } from '../tables/sums.ts';
import { columnsOf } from '../tables/table.ts';
import { keepPeaks } from './peak-insert.ts';
import { forEachCounting, selectSlotSums, storeAtOnceSettingsSql, sumSlots } from './sum-insert.ts';

/** More days than playback from strangers may be old; those of a larger suspect change in turn. */
export const mostDays = 31;

const { stretch, playbackSum } = tables;

const values = columnsOf(playbackSum).map((column) => {
  if (column === 'grouping') return 'part.1 AS partGrouping';
  if (column === 'slot') return 'part.2 AS partSlot';
  return column in sums ? wholeOf(column as SumName, column) : column;
});
const namesOfPart: Readonly<Record<string, string>> = {
  grouping: 'partGrouping',
  slot: 'partSlot',
};
const keys = playbackSum.orderBy.map((key) => namesOfPart[key] ?? key);

/** Makes of each sum of a slot a `part` for its grouping and slot, and one for its day. */
export const withDays = `ARRAY JOIN [(slotGrouping, slot),
      (concat(slotGrouping, '${daySuffix}'), toStartOfDay(slot))] AS part`;

/** Stores what a statement like that of `selectSlotSums` selects, and the days it makes. */
export function storeWithDays(slotSums: string): string {
  return `INSERT INTO ${playbackSum.name}
      (${columnsOf(playbackSum).join(', ')})
    SELECT ${values.join(', ')}
    FROM (
    ${slotSums}
    )
    ${withDays}
    GROUP BY ${keys.join(', ')}`;
}

export const sumAgainSql = forEachCounting(
  (counting, kept) => `${storeWithDays(selectSlotSums(isOfDays + kept.ofFacts, counting))}
    SETTINGS ${storeAtOnceSettingsSql}`,
);

export async function sumAgain(
  store: FactStore,
  suspects: readonly SuspectName[],
  verdicts: CurrentVerdicts,
): Promise<void> {
  const days = await readDaysOf(store, suspects);
  for (let first = 0; first < days.length; first += mostDays) {
    const portion = days.slice(first, first + mostDays);
    const parameters = parametersOfDays(portion);
    const statement = { name: 'sum again', condition: isOfDays, sql: sumAgainSql, parameters };
    await sumSlots(store, statement, verdicts);
    await keepPeaks(store, portion, verdicts);
  }
}

async function readDaysOf(
  store: FactStore,
  suspects: readonly SuspectName[],
): Promise<AccountDay[]> {
  const parameters = parametersOfSuspects(suspects);
  const rows = await store.select<{ accountId: number; day: number }>({
    name: 'find days of suspects',
    sql: `SELECT DISTINCT accountId, toUnixTimestamp(toStartOfDay(slot)) AS day
      FROM ${stretch.name}
      WHERE accountId IN {suspectAccounts:Array(UInt32)} AND suspect != '' AND ${isOfSuspects}
      ORDER BY accountId, day`,
    parameters,
  });
  return rows.map(({ accountId, day }) => ({ accountId, day: day * 1_000 }));
}
