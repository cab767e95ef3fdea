/** Which values of open dimensions an account's day has: see docs/decisions/bounded-values.md. */
import type { FactStore } from '../client/store-client.ts';
import type { AccountDay, DayValues, ValueReader } from '../facts.ts';
import {
  betweenVersions,
  type OpenColumn,
  openColumns,
  valueSql,
  versionOf,
} from '../tables/audience.ts';
import { tables } from '../tables/schema.ts';

/** The values of one may take some hundred kilobytes. */
const daysPerRead = 20;

/** `requireReady` throws while the store is not ready. */
export function createValueReader(store: FactStore, requireReady: () => void): ValueReader {
  return {
    async valuesOf(days) {
      const found: DayValues[] = [];
      for (let start = 0; start < days.length; start += daysPerRead) {
        requireReady();
        found.push(...(await readValues(store, days.slice(start, start + daysPerRead))));
      }
      return found;
    },
  };
}

type Row = AccountDay & Record<OpenColumn, string[]> & { readonly isApart: 0 | 1 };

async function readValues(store: FactStore, days: readonly AccountDay[]): Promise<DayValues[]> {
  const rows = await store.select<Row>({
    name: 'read values of days',
    // Slot by slot, so that the index finds days that lie far apart.
    sql: `SELECT accountId, toUnixTimestamp(toStartOfDay(slot)) AS day,
        suspect != '' AS isApart, ${valuesByColumn()}
      FROM ${tables.stretch.name}
      WHERE (accountId, slot) IN (
        SELECT part.1, toDateTime(part.2 + 900 * arrayJoin(range(96)), 'UTC') FROM (
          SELECT arrayJoin(arrayZip({accounts:Array(UInt32)}, {days:Array(UInt32)})) AS part))
      GROUP BY accountId, day, isApart`,
    parameters: {
      accounts: days.map(({ accountId }) => accountId),
      days: days.map(({ day }) => day / 1_000),
    },
  });
  return rows.map(({ accountId, day, isApart, ...values }) => {
    return { accountId, day: day * 1_000, areApart: isApart === 1, values };
  });
}

/** Written out: on a cluster a column that is read from others can't lend its name to an array. */
function valuesByColumn(): string {
  return openColumns
    .map((column) => {
      const whole = versionOf[column];
      const own = valueSql[column];
      const value = whole ? `concat(${valueSql[whole]}, '${betweenVersions}', ${own})` : own;
      return `groupUniqArrayIf(${value}, ${own} != '') AS ${column}`;
    })
    .join(', ');
}
