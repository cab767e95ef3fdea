/** Which values of open dimensions an account's day has: see docs/decisions/bounded-values.md. */
import { betweenVersions, type OpenColumn, openColumns, versionOf } from './attributes.ts';
import type { FactStore } from './fact-store.ts';
import type { AccountDay, DayValues, ValueReader } from './facts.ts';
import { tables } from './schema.ts';

/** The values of one may take some hundred kilobytes. */
const daysPerRead = 20;

/** `requireReady` throws while the store is not ready. */
export function createValueReader(store: FactStore, requireReady: () => void): ValueReader {
  return {
    async valuesOf(days) {
      const values: DayValues[] = [];
      for (let start = 0; start < days.length; start += daysPerRead) {
        requireReady();
        values.push(...(await readValues(store, days.slice(start, start + daysPerRead))));
      }
      return values;
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

/** Columns are named with their table, or the arrays of the same names would be meant. */
function valuesByColumn(): string {
  const of = (column: string) => `${tables.stretch.name}.${column}`;
  return openColumns
    .map((column) => {
      const whole = versionOf[column];
      const value = whole
        ? `concat(${of(whole)}, '${betweenVersions}', ${of(column)})`
        : of(column);
      return `groupUniqArrayIf(${value}, ${of(column)} != '') AS ${column}`;
    })
    .join(', ');
}
