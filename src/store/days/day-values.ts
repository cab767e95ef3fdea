/** Which values of open dimensions an account's day has: see docs/decisions/bounded-values.md. */

import { dayMs } from '../../lib/time/utc-day.ts';
import { unknownValue } from '../../vocabulary/dimensions.ts';
import { otherValue } from '../../vocabulary/statistics.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AccountDay, DayValues, EarlierValues, ValueReader } from '../facts.ts';
import { isOfDays, parametersOfDays } from '../sql/account-days.ts';
import {
  audienceGroupingNames,
  betweenVersions,
  namedValueSql,
  type OpenColumn,
  openColumns,
  toldOf,
  valueSql,
  versionOf,
} from '../tables/audience.ts';
import { tables } from '../tables/schema.ts';

/** The values of one may take some hundred kilobytes. */
const daysPerRead = 20;
/**
 * At midnight the days of all accounts begin at once, and their first beacons wait for this. Most
 * accounts play little: what they have is read for hundreds of days together.
 */
const fewDaysPerRead = 250;
const fewFactsPerRead = 20_000;
/** A week has each day of the week, and with it each weekly page. */
const earlierDays = 7;

/** Days that are read by one statement. */
type Part = readonly AccountDay[];

/** `requireReady` throws while the store is not ready. */
export function createValueReader(store: FactStore, requireReady: () => void): ValueReader {
  const inParts = async <Found>(
    parts: readonly Part[],
    read: (part: Part) => Promise<Found[]>,
  ): Promise<Found[]> => {
    const found: Found[] = [];
    for (const part of parts) {
      requireReady();
      found.push(...(await read(part)));
    }
    return found;
  };

  /** `read`: those that are read for a day. */
  const partsOf = async (
    days: readonly AccountDay[],
    { read, mayBeCounted }: { read: (day: AccountDay) => AccountDay[]; mayBeCounted: boolean },
  ): Promise<Part[]> => {
    const facts = new Map<string, number>();
    for (const some of splitChunks(days, fewDaysPerRead)) {
      requireReady();
      const all = some.flatMap(read);
      if (all.length === 0) continue;
      const counted = mayBeCounted ? await findCounted(store, all) : [];
      for (const one of counted) facts.set(createKey(one), Number.POSITIVE_INFINITY);
      const others = all.filter((one) => !facts.has(createKey(one)));
      for (const one of await countFacts(store, others)) facts.set(createKey(one), one.facts);
    }
    const factsOf = (day: AccountDay) =>
      read(day).reduce((sum, one) => sum + (facts.get(createKey(one)) ?? 0), 0);
    return packed(days, factsOf);
  };

  return {
    async valuesOf(days) {
      if (days.length === 0) return [];
      // Of these it costs less to read them than to ask first how much they have.
      const parts =
        days.length <= daysPerRead
          ? [days]
          : await partsOf(days, { read: (day) => [day], mayBeCounted: false });
      return inParts(parts, (part) => readValues(store, part));
    },
    async earlierValuesOf(days, most) {
      const parts = await partsOf(days, { read: daysBefore, mayBeCounted: true });
      return inParts(parts, (part) => readEarlier(store, part, most));
    },
  };
}

/** Those without facts are left out. */
function packed(days: readonly AccountDay[], factsOf: (day: AccountDay) => number): Part[] {
  const parts: Part[] = [];
  const many: AccountDay[] = [];
  let few: AccountDay[] = [];
  let sum = 0;
  for (const day of days) {
    const facts = factsOf(day);
    if (facts > fewFactsPerRead) many.push(day);
    if (facts === 0 || facts > fewFactsPerRead) continue;
    if (few.length === fewDaysPerRead || sum + facts > fewFactsPerRead) {
      parts.push(few);
      few = [];
      sum = 0;
    }
    few.push(day);
    sum += facts;
  }
  if (few.length > 0) parts.push(few);
  return [...parts, ...splitChunks(many, daysPerRead)];
}

function splitChunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

function createKey({ accountId, day }: AccountDay): string {
  return `${accountId} ${day}`;
}

function daysBefore({ accountId, day }: AccountDay): AccountDay[] {
  return Array.from({ length: earlierDays }, (_, ago) => ({
    accountId,
    day: day - (ago + 1) * dayMs,
  })).filter((one) => one.day >= 0);
}

/** Slot by slot, so that the index finds days that lie far apart. */
const slotsOf = (accounts: string, days: string) => `(accountId, slot) IN (
            SELECT part.1, toDateTime(part.2 + 900 * arrayJoin(range(96)), 'UTC') FROM (
              SELECT arrayJoin(arrayZip({${accounts}:Array(UInt32)}, {${days}:Array(UInt32)}))
                AS part))`;

/** Of those that have any. */
function countFacts(store: FactStore, days: readonly AccountDay[]) {
  return store.select<AccountDay & { facts: number }>({
    name: 'count facts of days',
    sql: `SELECT accountId, toUnixTimestamp(toStartOfDay(slot)) * 1000 AS day,
        toUInt32(count()) AS facts
      FROM ${tables.stretch.name}
      WHERE ${slotsOf('accounts', 'days')}
      GROUP BY accountId, day`,
    parameters: {
      accounts: days.map(({ accountId }) => accountId),
      days: days.map(({ day }) => day / 1_000),
    },
  });
}

/** Counts have a row for each value: of an account with many plays they are read much faster. */
function findCounted(store: FactStore, days: readonly AccountDay[]) {
  return store.select<AccountDay>({
    name: 'find counts of values',
    sql: `SELECT DISTINCT accountId, toUnixTimestamp(slot) * 1000 AS day
      FROM ${tables.audienceDay.name}
      WHERE ${isOfDays} AND grouping = 'total'`,
    parameters: parametersOfDays(days),
  });
}

type Row = AccountDay & Record<OpenColumn, string[]> & { readonly isApart: 0 | 1 };

async function readValues(store: FactStore, days: readonly AccountDay[]): Promise<DayValues[]> {
  const rows = await store.select<Row>({
    name: 'read values of days',
    sql: `SELECT accountId, toUnixTimestamp(toStartOfDay(slot)) AS day,
        suspect != '' AS isApart, ${valuesByColumn()}
      FROM ${tables.stretch.name}
      WHERE ${slotsOf('accounts', 'days')}
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
      (column) =>
        `groupUniqArrayIf(${toldValue(column)}, ${namedValueSql[column]} != '') AS ${column}`,
    )
    .join(', ');
}

/** SQL over a fact; a version stands after what it is of. */
function toldValue(column: OpenColumn): string {
  const whole = versionOf[column];
  const own = namedValueSql[column];
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
const fromFacts = `SELECT accountId, at, arrayJoin([${selectPairs(openColumns)}]) AS pair, pair.1 AS name,
        pair.2 AS value, number
      FROM (
        SELECT accountId, at, ${toldOfOpen.join(', ')}, count() AS number
        FROM (
          SELECT accountId, toUnixTimestamp(toStartOfDay(slot)) AS at, ${toldOfOpen.join(', ')}
          FROM ${stretch.name}
          WHERE ${slotsOf('factAccounts', 'factDays')} AND suspect = '' AND plays > 0
          LIMIT ${mostFacts} BY accountId)
        GROUP BY GROUPING SETS (${toldOfOpen.map((told) => `(accountId, at, ${told})`).join(', ')}))
      WHERE pair.3 NOT IN ('', {unknown:String}, {other:String})`;

function selectPairs(columns: readonly OpenColumn[]): string {
  return columns
    .map((column) => `('${column}', ${toldValue(column)}, ${namedValueSql[column]})`)
    .join(', ');
}

const fromCounts = `SELECT accountId, toUnixTimestamp(slot) AS at,
        (toString(grouping), '', '') AS pair, pair.1 AS name,
        if(version = '', value, concat(value, '${betweenVersions}', version)) AS value,
        plays AS number
      FROM ${audienceDay.name}
      WHERE ${isOfDays} AND grouping IN (${audienceGroupingNames
        .filter((name) => (openColumns as readonly string[]).includes(name))
        .map((name) => `'${name}'`)
        .join(', ')})
        AND if(version = '', value, version) NOT IN ('', {unknown:String}, {other:String})`;

async function readEarlier(store: FactStore, days: Part, most: number): Promise<EarlierValues[]> {
  const before = days.flatMap(daysBefore);
  const counted = await findCounted(store, before);
  const areCounted = new Set(counted.map(createKey));
  const others = before.filter((one) => !areCounted.has(createKey(one)));
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
      ...{ ...parametersOfDays(before), most, unknown: unknownValue, other: otherValue },
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
    const name = createKey({ accountId, day });
    const others = found.get(name)?.values ?? nothing;
    found.set(name, { accountId, day, values: { ...others, [column]: values } });
  }
  return [...found.values()];
}
