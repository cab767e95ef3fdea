/** Which values of open dimensions an account's day has: see docs/decisions/bounded-values.md. */

import { dayMs } from '../../lib/time/utc-day.ts';
import { unknownValue } from '../../vocabulary/dimensions.ts';
import { otherValue } from '../../vocabulary/statistics.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AccountDay, DayValues, EarlierValues, ValueReader } from '../facts.ts';
import { isOfDays, parametersOfDays } from '../sql/account-days.ts';
import {
  betweenVersions,
  type OpenColumn,
  openColumns,
  toldOf,
  valueSql,
  versionOf,
} from '../tables/audience.ts';
import { tables } from '../tables/schema.ts';

/** The values of one may take some hundred kilobytes. */
const daysPerRead = 20;
/** A week has each day of the week, and with it each weekly page. */
const earlierDays = 7;

/** `requireReady` throws while the store is not ready. */
export function createValueReader(store: FactStore, requireReady: () => void): ValueReader {
  const inParts = async <Found>(
    days: readonly AccountDay[],
    read: (part: readonly AccountDay[]) => Promise<Found[]>,
  ): Promise<Found[]> => {
    const found: Found[] = [];
    for (let start = 0; start < days.length; start += daysPerRead) {
      requireReady();
      found.push(...(await read(days.slice(start, start + daysPerRead))));
    }
    return found;
  };
  return {
    valuesOf: (days) => inParts(days, (part) => readValues(store, part)),
    earlierValuesOf: (days, most) => inParts(days, (part) => readEarlier(store, part, most)),
  };
}

/** SQL of the facts of these days: slot by slot, so that the index finds days that lie far apart. */
const isOfSlots = (accounts: string, days: string) => `(accountId, slot) IN (
        SELECT part.1, toDateTime(part.2 + 900 * arrayJoin(range(96)), 'UTC') FROM (
          SELECT arrayJoin(arrayZip({${accounts}:Array(UInt32)}, {${days}:Array(UInt32)})) AS part))`;

type Row = AccountDay & Record<OpenColumn, string[]> & { readonly isApart: 0 | 1 };

async function readValues(store: FactStore, days: readonly AccountDay[]): Promise<DayValues[]> {
  const rows = await store.select<Row>({
    name: 'read values of days',
    sql: `SELECT accountId, toUnixTimestamp(toStartOfDay(slot)) AS day,
        suspect != '' AS isApart, ${valuesByColumn()}
      FROM ${tables.stretch.name}
      WHERE ${isOfSlots('accounts', 'days')}
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
    .map(
      (column) => `groupUniqArrayIf(${toldValue(column)}, ${valueSql[column]} != '') AS ${column}`,
    )
    .join(', ');
}

/** SQL over a fact; a version stands after what it is of. */
function toldValue(column: OpenColumn): string {
  const whole = versionOf[column];
  const own = valueSql[column];
  return whole ? `concat(${valueSql[whole]}, '${betweenVersions}', ${own})` : own;
}

const { stretch, audienceDay } = tables;

/** Far more than an account without counts has in a week: a part of the values is enough. */
const mostFacts = 2_000_000;

/**
 * The facts that count plays: every view has one, and with it most of what was told of it. Each
 * column is grouped as it lies, by its dictionary; its values are read from the few that are left.
 */
const toldOfOpen = [...new Set(openColumns.map((column) => toldOf[column]))];
const pairsOfTold = openColumns.map(
  (column) => `('${column}', ${toldValue(column)}, ${valueSql[column]})`,
);
const fromFacts = `SELECT accountId, at, arrayJoin([${pairsOfTold.join(', ')}]) AS pair, pair.1 AS name,
        pair.2 AS value, number
      FROM (
        SELECT accountId, at, ${toldOfOpen.join(', ')}, count() AS number
        FROM (
          SELECT accountId, toUnixTimestamp(toStartOfDay(slot)) AS at, ${toldOfOpen.join(', ')}
          FROM ${stretch.name}
          WHERE ${isOfSlots('factAccounts', 'factDays')}
            AND suspect = '' AND plays > 0
          LIMIT ${mostFacts} BY accountId)
        GROUP BY GROUPING SETS (${toldOfOpen.map((told) => `(accountId, at, ${told})`).join(', ')}))
      WHERE pair.3 NOT IN ('', {unknown:String}, {other:String})`;

const fromCounts = `SELECT accountId, toUnixTimestamp(slot) AS at,
        (toString(grouping), '', '') AS pair, pair.1 AS name,
        if(version = '', value, concat(value, '${betweenVersions}', version)) AS value,
        plays AS number
      FROM ${audienceDay.name}
      WHERE ${isOfDays} AND grouping IN (${openColumns.map((column) => `'${column}'`).join(', ')})
        AND if(version = '', value, version) NOT IN ('', {unknown:String}, {other:String})`;

async function readEarlier(
  store: FactStore,
  days: readonly AccountDay[],
  most: number,
): Promise<EarlierValues[]> {
  const before = days
    .flatMap(({ accountId, day }) =>
      Array.from({ length: earlierDays }, (_, ago) => ({
        accountId,
        day: day - (ago + 1) * dayMs,
      })),
    )
    .filter((one) => one.day >= 0);
  if (before.length === 0) return [];
  const parameters = parametersOfDays(before);
  // Counts have a row for each value: of an account with many plays they are read much faster.
  const played = await store.select<AccountDay & { readonly isCounted: 0 | 1 }>({
    name: 'find days with values',
    sql: `SELECT accountId, at * 1000 AS day, max(areCounts) AS isCounted FROM (
        SELECT accountId, toUnixTimestamp(slot) AS at, 1 AS areCounts FROM ${audienceDay.name}
        WHERE ${isOfDays} AND grouping = 'total'
        UNION ALL
        SELECT DISTINCT accountId, toUnixTimestamp(toStartOfDay(slot)) AS at, 0 AS areCounts
        FROM ${stretch.name} WHERE ${isOfSlots('accounts', 'days')})
      GROUP BY accountId, day`,
    parameters,
  });
  if (played.length === 0) return [];
  const others = played.filter(({ isCounted }) => isCounted === 0);
  const rows = await store.select<{ column: OpenColumn; values: string[] } & AccountDay>({
    name: 'read values of earlier days',
    sql: `SELECT accountId, forDay * 1000 AS day, name AS column,
        arrayMap(one -> one.3, arraySlice(arrayReverseSort(groupArray((days, plays, value))),
          1, {most:UInt32})) AS values
      FROM (
        SELECT accountId, forDay, name, value, count() AS days, sum(playsOfDay) AS plays FROM (
          SELECT accountId, at, name, value, sum(number) AS playsOfDay, arrayJoin(arrayFilter(
            later -> has(arrayZip({ofAccounts:Array(UInt32)}, {ofDays:Array(UInt32)}),
              (accountId, later)),
            arrayMap(ago -> toUInt32(at + ${dayMs / 1_000} * (ago + 1)), range(${earlierDays}))
          )) AS forDay
          FROM (${[fromFacts, fromCounts].join('\n      UNION ALL\n      ')})
          GROUP BY accountId, at, name, value)
        GROUP BY accountId, forDay, name, value)
      GROUP BY accountId, forDay, name`,
    parameters: {
      ...{ ...parameters, most, unknown: unknownValue, other: otherValue },
      ofAccounts: days.map(({ accountId }) => accountId),
      ofDays: days.map(({ day }) => day / 1_000),
      factAccounts: others.map(({ accountId }) => accountId),
      factDays: others.map(({ day }) => day / 1_000),
    },
  });
  const none = Object.fromEntries(openColumns.map((column) => [column, [] as string[]]));
  const nothing = none as Record<OpenColumn, string[]>;
  const found = new Map<string, AccountDay & { values: EarlierValues['values'] }>();
  for (const { accountId, day, column, values } of rows) {
    const name = `${accountId} ${day}`;
    const others = found.get(name)?.values ?? nothing;
    found.set(name, { accountId, day, values: { ...others, [column]: values } });
  }
  return [...found.values()];
}
