/**
 * Which views are *regular*: all facts of one are on one UTC day, have the same attributes, and
 * include its one play if there is any playback. Such a view is counted by its play in any
 * question, so only the others, the *irregular* ones, need a set (docs/decisions/audience-days.md).
 *
 * Invariant: on a day that is checked every view without a mark is regular. Facts that come later
 * make the day unchecked again, by their notes; a mark too many costs time but no exactness.
 */
import { assert } from '../../lib/assert.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import type { FactStore } from '../client/store-client.ts';
import type { SlotRange, SumDifference } from '../facts.ts';
import {
  type AccountDay,
  firstOfAccount,
  isOfDays,
  type ListedDay,
  parametersOfDays,
  slotsOfWholeDays,
} from '../sql/account-days.ts';
import { viewNumber } from '../sql/views.ts';
import { valueNames, valueSql } from '../tables/audience.ts';
import { tables } from '../tables/schema.ts';
import { daySuffix, type GroupingName, unpackSum } from '../tables/sums.ts';
import { listColumns } from '../tables/table.ts';

const { stretch, touched, playbackSum, irregularView, checkedDay } = tables;

/** Checking reads all views of an account, however few days it is for. */
export const checkTimeoutSeconds = 120;

const viewKeys = 'accountId, packageId, videoId, view';
/** All that a question may ask of a fact besides its time. */
export const about = `cityHash64(${valueNames.map((name) => valueSql[name]).join(', ')})`;
const ofPlay = 'cityHash64(slot, stretch)';

/**
 * Selects rows of `irregular_view`: those with usual facts on these days, on all of their days. If
 * parts of the table have not been merged, earlier states of a fact count as other facts.
 */
export const selectIrregular = `SELECT accountId, arrayJoin(days) AS slot, packageId, videoId, view
    FROM (
      SELECT ${viewKeys}, groupUniqArray(toStartOfDay(slot)) AS days,
        countIf(plays > 0) > 0
          AND minIf(${ofPlay}, plays > 0) = maxIf(${ofPlay}, plays > 0) AS hasOnePlay,
        max(plays) > 0 OR max(playMs) > 0 AS hasPlayback,
        min(${about}) != max(${about}) AS differs
      FROM ${stretch.name}
      PREWHERE accountId IN {accounts:Array(UInt32)} AND suspect = '' AND ${viewNumber} IN (
        SELECT ${viewNumber} FROM ${stretch.name} WHERE ${isOfDays} AND suspect = '')
      GROUP BY ${viewKeys}
    )
    WHERE length(days) > 1 OR (hasPlayback AND NOT hasOnePlay) OR differs`;

const markSql = `INSERT INTO ${irregularView.name} (${listColumns(irregularView).join(', ')})
    ${selectIrregular}
    SETTINGS max_partitions_per_insert_block = 0, max_threads = 1,
      max_bytes_before_external_group_by = 300000000`;

/**
 * Marks the irregular views of these days, of one account. `lookBackMs`: anything noted longer ago
 * is in the facts.
 */
export async function checkViews(
  store: FactStore,
  days: readonly AccountDay[],
  lookBackMs: number,
): Promise<void> {
  const parameters = parametersOfDays(days);
  const [now] = await store.select<{ ms: number }>({
    name: 'read the time before checking views',
    sql: 'SELECT toUnixTimestamp64Milli(now64(3)) AS ms',
    parameters: {},
  });
  assert(now, 'what reads no table is a row');
  await store.command(
    { name: 'mark irregular views', sql: markSql, parameters },
    checkTimeoutSeconds,
  );
  await store.command({
    name: 'note checked days',
    sql: `INSERT INTO ${checkedDay.name} (accountId, slot, checkedAt)
    SELECT part.1, toDateTime(part.2, 'UTC'), fromUnixTimestamp64Milli({checked:Int64})
    FROM (SELECT arrayJoin(arrayZip({accounts:Array(UInt32)}, {days:Array(UInt32)})) AS part)`,
    parameters: { ...parameters, checked: now.ms - lookBackMs },
  });
}

export const never = "toDateTime64(0, 3, 'UTC')";

/** When days were checked, and when a note of theirs came last; of slots under a condition. */
export const checksAndNotes = (condition: string) => `
      SELECT accountId, slot AS day, max(checkedAt) AS checked, max(touchedAt) AS lastNote
      FROM ${checkedDay.name}
      WHERE ${condition}
      GROUP BY accountId, day
      UNION ALL
      SELECT accountId, toStartOfDay(slot) AS day, ${never}, max(arrival)
      FROM ${touched.name}
      WHERE ${condition}
      GROUP BY accountId, day`;

/** The whole UTC days (ms) within a range on which every view without a mark is regular. */
export async function readCheckedDays(store: FactStore, range: SlotRange): Promise<number[]> {
  const within = slotsOfWholeDays(range);
  if (!within) return [];
  const rows = await store.select<{ at: number }>({
    name: 'find checked days',
    sql: `SELECT toUnixTimestamp(day) AS at
    FROM (${checksAndNotes(within.sql)}
    )
    GROUP BY day
    HAVING max(checked) > max(lastNote)
    ORDER BY at`,
    parameters: within.parameters,
  });
  return rows.map(({ at }) => at * 1_000);
}

interface ToCheck {
  /** Accounts with fewer plays are left out. */
  readonly leastPlays: number;
  /** Days that ended, and were noted last, at least so long ago (ms). */
  readonly quietMs: number;
}

/** Of one statement, whose sets of views have to fit into memory; one day may have more. */
const mostPlaysAtOnce = 500_000;

const ofDays = `grouping = '${'account' satisfies GroupingName}${daySuffix}'
        AND videoId = 0 AND packageId = 0`;
const daysToCheckSql = `WITH toUnixTimestamp64Milli(now64(3)) - {quietMs:Int64} AS quietSince
    SELECT accountId, toUnixTimestamp(day) AS at, toUInt32(max(plays)) AS dayPlays
    FROM (
      SELECT accountId, slot AS day, ${never} AS checked, ${never} AS lastNote,
        ${unpackSum('max(plays)')} AS plays
      FROM ${playbackSum.name} WHERE ${ofDays} GROUP BY accountId, slot
      UNION ALL
      SELECT *, 0 FROM (${checksAndNotes('true')}
      )
    )
    WHERE accountId IN (
      SELECT accountId FROM (
        SELECT accountId, slot, ${unpackSum('max(plays)')} AS playsOfDay
        FROM ${playbackSum.name} WHERE ${ofDays} GROUP BY accountId, slot)
      GROUP BY accountId HAVING sum(playsOfDay) >= {leastPlays:UInt64})
    GROUP BY accountId, day
    HAVING dayPlays > 0 AND max(checked) <= max(lastNote)
      AND toUnixTimestamp64Milli(max(lastNote)) <= quietSince
      AND (at + ${dayMs / 1_000}) * 1000 <= quietSince
    ORDER BY accountId, at`;

/** Some days of one account that are to be checked; empty if there are none. */
export async function readDaysToCheck(store: FactStore, toCheck: ToCheck): Promise<AccountDay[]> {
  const rows = await store.select<ListedDay>({
    name: 'find days to check',
    sql: daysToCheckSql,
    parameters: { ...toCheck },
  });
  return firstOfAccount(rows, mostPlaysAtOnce);
}

/** Before notes are dropped: a day that was noted since it was checked stays unchecked. */
export async function keepLastNotes(store: FactStore, arrivalDay: string): Promise<void> {
  await store.command({
    name: 'keep the last notes of checked days',
    sql: `INSERT INTO ${checkedDay.name} (accountId, slot, touchedAt)
    SELECT accountId, toStartOfDay(slot) AS day, max(arrival) FROM ${touched.name}
    WHERE toDate(arrival) = {arrivalDay:Date}
      AND accountId IN (SELECT accountId FROM ${checkedDay.name})
    GROUP BY accountId, day`,
    parameters: { arrivalDay },
  });
}

/* Looks for irregular views without a mark on checked days, and marks them. */

const markKeys = listColumns(irregularView).join(', ');

const checkSql = `SELECT accountId, toUnixTimestamp(slot) * 1000 AS day, count() AS views
    FROM (
    ${selectIrregular}
    )
    WHERE ${isOfDays}
      AND (${markKeys}) NOT IN (SELECT ${markKeys} FROM ${irregularView.name} WHERE ${isOfDays})
    GROUP BY accountId, day
    ORDER BY accountId, day`;

/** Of these days, of one account, the checked ones with such views. */
export async function checkMarks(
  store: FactStore,
  days: readonly AccountDay[],
): Promise<SumDifference[]> {
  const checked = await readChecked(store, days);
  if (checked.length === 0) return [];
  const rows = await store.select<{ accountId: number; day: number; views: number }>(
    { name: 'check marks of views', sql: checkSql, parameters: parametersOfDays(checked) },
    { timeoutSeconds: checkTimeoutSeconds, settings: { max_threads: 1 } },
  );
  return rows.map(({ accountId, day, views }) => ({
    ...{ accountId, day, atMs: day, grouping: 'marks of views', about: '' },
    ...{ expected: { irregular: views }, found: { irregular: 0 }, epochsAhead: 0 },
  }));
}

/** `lookBackMs` as for `checkViews`. */
export async function repairMarks(
  store: FactStore,
  days: readonly AccountDay[],
  lookBackMs: number,
): Promise<void> {
  const checked = await readChecked(store, days);
  if (checked.length > 0) await checkViews(store, checked, lookBackMs);
}

async function readChecked(store: FactStore, days: readonly AccountDay[]): Promise<AccountDay[]> {
  const checked: AccountDay[] = [];
  for (const accountId of new Set(days.map((one) => one.accountId))) {
    const own = days.filter((one) => one.accountId === accountId).map(({ day }) => day);
    const range = { accountId, fromMs: Math.min(...own), untilMs: Math.max(...own) + dayMs };
    const found = new Set(await readCheckedDays(store, range));
    checked.push(...own.filter((day) => found.has(day)).map((day) => ({ accountId, day })));
  }
  return checked;
}
