/** Which values of open dimensions an account's day has: see docs/decisions/bounded-values.md. */
import { otherValue } from '../../vocabulary/statistics.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AccountDay, DayValues, Fact, ValueReader } from '../facts.ts';
import { betweenVersions, type OpenColumn, openColumns, versionOf } from '../tables/audience.ts';
import { tables } from '../tables/schema.ts';

/** The values of one may take some hundred kilobytes. */
const daysPerRead = 20;
const factsPerRead = 200;

/** `requireReady` throws while the store is not ready. */
export function createValueReader(store: FactStore, requireReady: () => void): ValueReader {
  return {
    valuesOf: (days) => inReads(days, daysPerRead, (some) => readValues(store, some)),
    leftOutOf: (facts) => inReads(facts, factsPerRead, (some) => readLeftOut(store, some)),
  };

  async function inReads<Asked, Found>(
    asked: readonly Asked[],
    perRead: number,
    read: (some: readonly Asked[]) => Promise<Found[]>,
  ): Promise<Found[]> {
    const found: Found[] = [];
    for (let start = 0; start < asked.length; start += perRead) {
      requireReady();
      found.push(...(await read(asked.slice(start, start + perRead))));
    }
    return found;
  }
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

/** All parts of the order up to the system are given together, so that little is read. */
async function readLeftOut(store: FactStore, facts: readonly Fact[]): Promise<Fact[]> {
  const rows = await store.select<StoredView>({
    name: 'read versions that were left out',
    sql: `SELECT DISTINCT accountId, toUnixTimestamp(slot) * 1000 AS slotStart, packageId, videoId,
        os, osVersion, view
      FROM ${tables.stretch.name}
      WHERE (accountId, slot, packageId, videoId) IN (
          SELECT part.1, toDateTime(part.2, 'UTC'), part.3, part.4
          FROM (SELECT arrayJoin(arrayZip({accounts:Array(UInt32)}, {slots:Array(UInt32)},
            {packages:Array(UInt32)}, {videos:Array(UInt32)})) AS part))
        AND os IN {systems:Array(String)} AND osVersion IN {versions:Array(String)}
        AND view IN {views:Array(UUID)}`,
    parameters: {
      accounts: facts.map(({ accountId }) => accountId),
      slots: facts.map(({ slotStart }) => slotStart / 1_000),
      packages: facts.map(({ packageId }) => packageId),
      videos: facts.map(({ videoId }) => videoId),
      systems: eachOnce(facts.map(({ os }) => os)),
      versions: eachOnce([otherValue, ...facts.map(({ osVersion }) => osVersion)]),
      views: eachOnce(facts.map(({ view }) => view)),
    },
  });
  const stored = new Set(rows.map(nameOf));
  return facts.filter(
    (fact) => stored.has(nameOf({ ...fact, osVersion: otherValue })) && !stored.has(nameOf(fact)),
  );
}

type StoredView = Pick<
  Fact,
  'accountId' | 'slotStart' | 'packageId' | 'videoId' | 'os' | 'osVersion' | 'view'
>;

function nameOf({ accountId, slotStart, packageId, videoId, os, osVersion, view }: StoredView) {
  return JSON.stringify([accountId, slotStart, packageId, videoId, os, osVersion, view]);
}

function eachOnce(values: readonly string[]): string[] {
  return [...new Set(values)];
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
