/**
 * Counts checked days (regular-views.ts) by one dimension at a time, so that a question about a
 * year reads rows of days instead of facts (docs/decisions/audience-days.md).
 *
 * Invariant: a day's counts are current while the day is checked, no view of it was marked since
 * they were made, and nothing was taken out of the account. If a viewer of a day has a view without
 * a mark, all the viewer's views are on that day and without a mark, so counts of several days add
 * up. Marked views, and viewers named by the page, are counted from the facts by each question.
 */

import type { Clock } from '../../lib/time/clock.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import { findEpoch } from '../../vocabulary/suspects.ts';
import { waitOutcomes } from '../../vocabulary/waits.ts';
import type { FactStore } from '../client/store-client.ts';
import type { AudienceDay, SlotRange, VerdictSource } from '../facts.ts';
import {
  type AccountDay,
  firstOfAccount,
  isOfDays,
  type ListedDay,
  parametersOfDays,
  slotsOfWholeDays,
} from '../sql/account-days.ts';
import { ofOutcome, settledQuality } from '../sql/quality.ts';
import {
  epochOfAccount,
  erasedState,
  type Kept,
  keptBy,
  parametersOfEpochs,
} from '../sql/verdicts.ts';
import {
  countedMedia,
  factsOfDays,
  leastPlaysToCheck,
  mediaOfPart,
  usualFacts,
  viewNumber,
} from '../sql/views.ts';
import { storeAtOnceSettingsSql } from '../sums/sum-insert.ts';
import { levelDays } from '../sums/view-levels.ts';
import {
  type AudienceCount,
  type AudienceGroupingName,
  audienceCounts,
  audienceGrouping,
  audienceGroupingNames,
  factColumns,
  qualitySumNames,
  qualityViewsNames,
  valueSql,
} from '../tables/audience.ts';
import { tables } from '../tables/schema.ts';
import { daySuffix, type GroupingName, unpackSum } from '../tables/sums.ts';
import { listColumns } from '../tables/table.ts';
import { selectSeenOfDays } from './day-views.ts';
import {
  about,
  checksAndNotes,
  checkTimeoutSeconds,
  checkViews,
  never,
  readDaysToCheck,
} from './regular-views.ts';

/** Of it there is a row for each counted day. */
export const totalGrouping: AudienceGroupingName = 'total';

/** Of a day's last counting. */
const counted = ['countedAt', 'checkedAt', 'epoch', 'marks', 'namedViews'];
const ofLast = counted.map((name, place) => `last.${place + 1} AS counted_${name}`);
const notCounted = `(${never}, ${never}, toUInt32(0), toUInt32(0), toUInt64(0))`;

/** What is known of days: when they were checked, noted and counted, and of what. */
export const statesOf = (condition: string) => `SELECT accountId, day, max(checked) AS checkedAt,
      max(checked) > max(lastNote) AS isChecked, toUInt32(max(marked)) AS marks,
      max(latest) AS last, ${ofLast.join(', ')}
    FROM (
      SELECT *, 0 AS marked, ${notCounted} AS latest FROM (${checksAndNotes(condition)}
      )
      UNION ALL
      SELECT accountId, slot AS day, ${never}, ${never}, uniqExact(${viewNumber}), ${notCounted}
      FROM ${irregularView.name} WHERE ${condition} GROUP BY accountId, day
      UNION ALL
      SELECT accountId, slot AS day, ${never}, ${never}, 0, max((${counted.join(', ')}))
      FROM ${audienceDay.name} WHERE ${condition} AND grouping = '${totalGrouping}'
      GROUP BY accountId, day
    )
    GROUP BY accountId, day`;
export const isCurrent = (epoch: string) => `counted_checkedAt = checkedAt
      AND counted_marks = marks AND counted_epoch = ${epoch}`;

/** The whole UTC days within a range whose counts are current. */
export async function readAudienceDays(
  store: FactStore,
  range: SlotRange,
  verdicts: CurrentVerdicts,
): Promise<AudienceDay[]> {
  const within = slotsOfWholeDays(range);
  if (!within) return [];
  return store.select<AudienceDay>({
    name: 'find counted days',
    sql: `SELECT toUnixTimestamp(day) * 1000 AS day, marks,
      toUnixTimestamp64Milli(counted_countedAt) AS countedAtMs, counted_namedViews AS namedViews
    FROM (${statesOf(within.sql)})
    WHERE isChecked AND ${isCurrent('{epoch:UInt32}')}
    ORDER BY day`,
    parameters: { ...within.parameters, epoch: findEpoch(verdicts, range.accountId) },
  });
}

/* Counts checked days by each grouping, in the background (docs/decisions/audience-days.md). */

const { stretch, playbackSum, irregularView, irregularFact, audienceDay, audienceSeen } = tables;

/** What each row of a grouping keeps of a fact: its name, its time and up to two values. */
const places = audienceGroupingNames.map((name) => {
  const { columns, by } = audienceGrouping(name);
  if (by === 'split') {
    return `arrayMap(from -> ('${name}', toStartOfDay(slot) +
            toIntervalHour(if(toHour(slot) < from, 0, from)), toString(from), ''), range(24))`;
  }
  const [value = "''", version = "''"] = columns.map(({ kept }) => kept);
  const time = by === 'hour' ? 'toStartOfHour(slot)' : 'toStartOfDay(slot)';
  return `[('${name}', ${time}, ${value}, ${version})]`;
});

const ofDay = (name: string, type: string) =>
  `transform(toUnixTimestamp(toStartOfDay(place.2)), {days:Array(UInt32)},
        {${name}:Array(${type})}, to${type}(0))`;

/** What is counted of a fact besides its plays and time, once for all of its places. */
const partsOfFact: Readonly<Record<string, string>> = {
  part_mediaMs: countedMedia,
  isPlayed: 'plays > 0 OR playMs > 0',
  isWait: 'cause > 0',
  ...Object.fromEntries(
    qualitySumNames.map((name) => [`part_${name}`, settledQuality.sums[name].value]),
  ),
  ...Object.fromEntries(
    qualityViewsNames.map((name) => [`is_${name}`, settledQuality.views[name]]),
  ),
};
const partNames = Object.keys(partsOfFact);

const recordOf = <Name extends string>(names: readonly Name[], sql: (name: Name) => string) =>
  Object.fromEntries(names.map((name) => [name, sql(name)])) as Record<Name, string>;
const sumOfParts = (name: string) => `toUInt64(sum(part_${name}))`;
const viewsIf = (condition: string) => `uniqExactIf(viewNumber, isRegular AND ${condition})`;
const made: Readonly<Record<AudienceCount, string>> = {
  plays: 'sum(plays)',
  playMs: 'toUInt64(sum(countedMs))',
  mediaMs: sumOfParts('mediaMs'),
  views: viewsIf('isPlayed'),
  knownViews: viewsIf('isPlayed AND viewer > 0'),
  namedViews: viewsIf('isPlayed AND bitShiftRight(viewer, 62) = 2'),
  viewers: `uniqExactIf(if(viewer = 0, viewNumber, viewer),
        isRegular AND isPlayed AND bitShiftRight(viewer, 62) < 2)`,
  waits: 'sum(isWait)',
  viewsInRange: 'uniqExactIf(viewNumber, isRegular)',
  ...recordOf(qualitySumNames, sumOfParts),
  ...recordOf(qualityViewsNames, (name) => viewsIf(`is_${name}`)),
};

/**
 * Selects all rows of `audience_day` for these days of one account; counts are named `made_` and
 * their name. There is a row of `total` for each day, even if all of its playback was set apart.
 */
export const selectAudienceDays = `SELECT accountId, place.1 AS grouping, place.2 AS slot,
      fromUnixTimestamp64Milli({countedAt:Int64}) AS countedAt, place.3 AS value,
      place.4 AS version, fromUnixTimestamp64Milli(${ofDay('checks', 'Int64')}) AS checkedAt,
      {epoch:UInt32} AS epoch, ${ofDay('marks', 'UInt32')} AS marks,
      ${audienceCounts.map((name) => `${made[name]} AS made_${name}`).join(', ')}
    FROM (
      SELECT accountId, viewer, plays, countedMs, ${partNames.join(', ')},
        ${viewNumber} AS viewNumber, viewNumber NOT IN (
          SELECT ${viewNumber} FROM ${irregularView.name} WHERE ${isOfDays}) AS isRegular,
        arrayJoin(arrayConcat(${places.join(',\n          ')})) AS place
      FROM (
        SELECT *, ${Object.entries(partsOfFact)
          .map(([name, sql]) => `${sql} AS ${name}`)
          .join(',\n          ')}
        FROM (SELECT *, ${mediaOfPart.join(', ')} FROM (${factsOfDays}))
      )
      WHERE isPlayed OR isWait
      UNION ALL
      SELECT part.1, 0, 0, 0, ${partNames.map(() => '0').join(', ')}, 0, 0,
        ('${totalGrouping}', toDateTime(part.2, 'UTC'), '', '')
      FROM (SELECT arrayJoin(arrayZip({accounts:Array(UInt32)}, {days:Array(UInt32)})) AS part)
    )
    GROUP BY accountId, place`;

/** Small blocks: a row of one becomes dozens, of a place each. */
const countingSettingsSql = `${storeAtOnceSettingsSql}, max_threads = 1, max_block_size = 8192,
      max_bytes_before_external_group_by = 300000000, max_bytes_before_external_sort = 300000000`;

const countSql = `INSERT INTO ${audienceDay.name} (${listColumns(audienceDay).join(', ')})
    ${selectAudienceDays}
    SETTINGS ${countingSettingsSql}`;
const noteSeenSql = `INSERT INTO ${audienceSeen.name} (${listColumns(audienceSeen).join(', ')})
    SELECT ${listColumns(audienceSeen).join(', ')} FROM (
    ${selectSeenOfDays}
    )
    SETTINGS ${countingSettingsSql}`;

/**
 * Marks all views of those viewers of a day who also watched on another day or have a marked view.
 * All other viewers then have every view on that day and without a mark.
 */
const markOfViewersSql = `INSERT INTO ${irregularView.name} (${listColumns(irregularView).join(', ')})
    SELECT accountId, own.1, own.2, own.3, own.4
    FROM (
      SELECT accountId, arrayJoin(views) AS own
      FROM (
        SELECT accountId, ${valueSql.viewer} AS viewer,
          groupUniqArray((toStartOfDay(slot), packageId, videoId, view)) AS views,
          min(toStartOfDay(slot)) != max(toStartOfDay(slot)) AS isElsewhere,
          max(${viewNumber} IN (
            SELECT ${viewNumber} FROM ${irregularView.name} WHERE ${isOfDays})) AS hasMark
        FROM ${stretch.name}
        PREWHERE accountId IN {accounts:Array(UInt32)} AND suspect = ''
          AND bitShiftRight(viewer, 62) = 1 AND viewer IN (
            SELECT ${valueSql.viewer} FROM ${stretch.name} WHERE ${isOfDays} AND suspect = '')
        GROUP BY accountId, viewer
        HAVING isElsewhere OR hasMark
      )
    )
    SETTINGS max_partitions_per_insert_block = 0, max_threads = 1`;

const copied = Object.keys(irregularFact.columns).filter(
  (column) => !['accountId', 'slot', 'about', 'countedAt'].includes(column),
);

/** Selects rows of `irregular_fact`, all of these days: what marked views are, in each hour. */
export const selectIrregularFacts = `SELECT accountId, hour AS slot, ${copied.join(', ')},
      hash AS about, fromUnixTimestamp64Milli({countedAt:Int64}) AS countedAt
    FROM (
      SELECT DISTINCT accountId, toStartOfHour(slot) AS hour, ${copied.join(', ')},
        cityHash64(${[about, ...factColumns, 'cause', 'outcome', 'hasPlayback'].join(', ')}) AS hash
      FROM (
        SELECT * REPLACE (if(${ofOutcome('waiting')}, ${waitOutcomes.left}, outcome) AS outcome),
          plays > 0 OR playMs > 0 AS hasPlayback
        FROM (${usualFacts})
      )
      WHERE (hasPlayback OR cause > 0) AND ${viewNumber} IN (
        SELECT ${viewNumber} FROM ${irregularView.name} WHERE ${isOfDays})
    )`;

const noteIrregularSql = `INSERT INTO ${irregularFact.name} (
      accountId, slot, ${copied.join(', ')}, about, countedAt)
    ${selectIrregularFacts}
    SETTINGS ${storeAtOnceSettingsSql}`;

/** Of one statement. */
const mostPlaysAtOnce = 200_000;
/** To count more would take longer than a statement may. */
const mostPlaysOfDay = 1_000_000;

/** In this order they are deleted: who finds counts reads what is beside them, too. */
const tablesOfDays = [audienceDay, irregularFact, audienceSeen];
const selectKept = (condition: string) =>
  tablesOfDays
    .map(
      ({ name }) => `SELECT accountId, toStartOfDay(slot) AS day, countedAt
      FROM ${name} WHERE ${condition}`,
    )
    .join('\n      UNION ALL ');

const isDay = `grouping = '${'account' satisfies GroupingName}${daySuffix}'
        AND videoId = 0 AND packageId = 0`;
/** States of days with their plays, none where nobody may ask for the day. `isDue`: to be counted. */
const selectDays = (condition: string, { ofSums }: Kept) => `SELECT *, isChecked AND dayPlays > 0
        AND dayPlays <= ${mostPlaysOfDay} AND NOT (${isCurrent(epochOfAccount)}) AS isDue
    FROM (${statesOf(condition)}) AS state
    LEFT JOIN (
      SELECT accountId, slot AS day, ${unpackSum('max(plays)')} AS dayPlays
      FROM ${playbackSum.name} WHERE ${isDay} AND ${condition}${ofSums} GROUP BY accountId, slot
    ) AS sum USING (accountId, day)`;

/** Of one account, the last checked days whose counts are not current; empty if there are none. */
async function readDaysToCount(store: FactStore, verdicts: CurrentVerdicts): Promise<AccountDay[]> {
  const erasing = verdicts.erasures?.open.map(({ accountId }) => accountId) ?? [];
  const kept = keptBy(verdicts);
  const rows = await store.select<ListedDay>({
    name: 'find days to count',
    sql: `SELECT accountId, toUnixTimestamp(day) AS at, dayPlays
    FROM (${selectDays('true', kept)})
    WHERE isDue AND accountId NOT IN {erasing:Array(UInt32)}
    ORDER BY accountId, at DESC`,
    parameters: { ...parametersOfEpochs(verdicts), ...kept.parameters, erasing },
  });
  return firstOfAccount(rows, mostPlaysAtOnce);
}

const isOfErased = 'accountId IN {erased:Array(UInt32)}';
/** `isUnread`: no question will read any counts of the day; of others the last may be current. */
const outdatedSql = (kept: Kept) => `SELECT accountId, groupArray(at) AS days,
      max(before) AS beforeMs
    FROM (
      SELECT accountId, toUnixTimestamp(day) AS at,
        NOT isDue AND (dayPlays = 0 OR counted_epoch != ${epochOfAccount}) AS isUnread,
        if(isUnread, toUnixTimestamp64Milli(lastKept) + 1,
          toUnixTimestamp64Milli(counted_countedAt)) AS before
      FROM (
        SELECT accountId, day, min(countedAt) AS firstKept, max(countedAt) AS lastKept
        FROM (${selectKept(isOfErased)})
        GROUP BY accountId, day
      ) AS counts
      LEFT JOIN (${selectDays(isOfErased, kept)}) AS known USING (accountId, day)
      WHERE toUnixTimestamp64Milli(firstKept) < before
    )
    GROUP BY accountId, if(isUnread, 0, before)
    ORDER BY accountId`;

/**
 * Of accounts of which something was erased, deletes counts that no question reads: a process that
 * was killed may have left them, with what was erased since. Of a day that is due another process
 * may be storing counts, so that its last ones stay until it is counted.
 */
export async function deleteOutdatedCounts(
  store: FactStore,
  verdicts: CurrentVerdicts,
): Promise<void> {
  if (!verdicts.erasures) return;
  const kept = keptBy(verdicts);
  const erased = [...verdicts.erasures.accounts];
  const found = await store.select<OutdatedCounts>(
    {
      name: 'find outdated counts',
      sql: outdatedSql(kept),
      parameters: { ...parametersOfEpochs(verdicts), ...kept.parameters, erased },
    },
    { timeoutSeconds: checkTimeoutSeconds, settings: { max_threads: 1 } },
  );
  for (const { accountId, days, beforeMs } of found) {
    const ofAccount = days.map((at) => ({ accountId, day: at * 1_000 }));
    await deleteCounted(store, ofAccount, beforeMs);
  }
}

interface OutdatedCounts {
  readonly accountId: number;
  /** Seconds. */
  readonly days: readonly number[];
  readonly beforeMs: number;
}

/** Counts some checked days by each grouping; whether there were any. */
export async function countSomeDays(
  store: FactStore,
  verdicts: Pick<VerdictSource, 'current'>,
): Promise<boolean> {
  const current = await verdicts.current();
  const days = await readDaysToCount(store, current);
  const [first] = days;
  if (first === undefined) return false;
  const { accountId } = first;
  const epoch = findEpoch(current, accountId);
  const countedAt = await countDays(store, days, epoch);
  if (erasedState(await verdicts.current(), accountId) !== erasedState(current, accountId)) {
    // What was read before an erasure, and written after it; another process may have counted since.
    await deleteCounted(store, days, countedAt + 1);
  }
  return true;
}

/** Of one account; resolves to the time of the counts (ms, by the store's clock). */
async function countDays(
  store: FactStore,
  days: readonly AccountDay[],
  epoch: number,
): Promise<number> {
  const ofDays = parametersOfDays(days);
  const run = (name: string, sql: string, parameters: object) =>
    store.command({ name, sql, parameters: { ...ofDays, ...parameters } }, checkTimeoutSeconds);
  await run('mark views of viewers', markOfViewersSql, {});
  // What is marked from now on is not in these numbers, so that such a day is counted again.
  const states = await store.select<CountedOf>({
    name: 'read states of days',
    sql: `SELECT toUnixTimestamp(day) AS at, marks, toUnixTimestamp64Milli(checkedAt) AS checkedMs,
      toUnixTimestamp64Milli(now64(3)) AS nowMs,
      toUnixTimestamp64Milli(counted_countedAt) AS countedMs
    FROM (${statesOf(isOfDays)})`,
    parameters: ofDays,
  });
  const known = new Map(states.map((state) => [state.at, state]));
  // After the last counting, also where the clock was set back since.
  const countedAt = Math.max(
    0,
    ...states.flatMap(({ nowMs, countedMs }) => [nowMs, countedMs + 1]),
  );
  await run('note irregular facts', noteIrregularSql, { countedAt });
  await run('note what views saw', noteSeenSql, { countedAt });
  await run('count days', countSql, {
    ...{ countedAt, epoch },
    checks: ofDays.days.map((at) => known.get(at)?.checkedMs ?? 0),
    marks: ofDays.days.map((at) => known.get(at)?.marks ?? 0),
  });
  const [earlier] = await store.select({
    name: 'look for earlier counts',
    sql: `SELECT day FROM (${selectKept(`${isOfDays} AND ${isCountedBefore}`)}) LIMIT 1`,
    parameters: { ...ofDays, before: countedAt },
  });
  if (earlier) await deleteCounted(store, days, countedAt);
  return countedAt;
}

const isCountedBefore = 'countedAt < fromUnixTimestamp64Milli({before:Int64})';

/** Of these days, what was counted before an instant (ms, by the store's clock). */
async function deleteCounted(store: FactStore, days: readonly AccountDay[], before: number) {
  const parameters = { ...parametersOfDays(days), before };
  for (const { name } of tablesOfDays) {
    const sql = `ALTER TABLE ${name} DELETE WHERE ${isOfDays} AND ${isCountedBefore}
      SETTINGS mutations_sync = 1`;
    await store.onEachServer((server) =>
      server.command({ name: `delete from ${name}`, sql, parameters }, checkTimeoutSeconds),
    );
  }
}

interface CountedOf {
  /** Seconds. */
  readonly at: number;
  readonly marks: number;
  readonly checkedMs: number;
  readonly nowMs: number;
  /** When it was counted last; 0: never. */
  readonly countedMs: number;
}

/* Checks the days of accounts with many plays for irregular views (regular-views.ts), and counts
 * them (docs/decisions/audience-days.md), now and then and a part of the time: until then questions read facts.
 */

/** At most a quarter of the time. */
const restPerWork = 3;
const lookEveryMs = 60_000;
/** Late beacons of a day come for as long as devices were offline, most of them soon. */
const quietMs = 10 * 60_000;
/** It reads all counts of accounts of which something was erased. */
const outdatedEveryMs = 3_600_000;

export interface ViewJob {
  /** Some of the days that are due. */
  checkSome(): Promise<void>;
  /** All days of all accounts that are over and that nothing has touched within the look-back. */
  checkAll(): Promise<void>;
}

interface ViewUpkeepOptions {
  readonly store: FactStore;
  readonly verdicts: Pick<VerdictSource, 'current'>;
  readonly clock: Clock;
  readonly lookBackMs: number;
}

export function createViewJob(options: ViewUpkeepOptions): ViewJob {
  const { store, verdicts, clock, lookBackMs } = options;
  let restUntil = Number.NEGATIVE_INFINITY;
  let outdatedAgainAt = Number.NEGATIVE_INFINITY;

  const check = async (toCheck: { leastPlays: number; quietMs: number }): Promise<boolean> => {
    const startedAt = clock.monotonic();
    // Also after a failure.
    restUntil = startedAt + lookEveryMs;
    if (startedAt >= outdatedAgainAt) {
      outdatedAgainAt = startedAt + outdatedEveryMs;
      await deleteOutdatedCounts(store, await verdicts.current());
    }
    const days = await readDaysToCheck(store, toCheck);
    if (days.length > 0) {
      await levelDays(store, days, await verdicts.current());
      await checkViews(store, days, lookBackMs);
    } else if (!(await countSomeDays(store, verdicts))) return false;
    restUntil = clock.monotonic() + restPerWork * (clock.monotonic() - startedAt);
    return true;
  };

  return {
    async checkSome() {
      if (clock.monotonic() >= restUntil) await check({ leastPlays: leastPlaysToCheck, quietMs });
    },
    async checkAll() {
      while (await check({ leastPlays: 0, quietMs: lookBackMs }));
    },
  };
}
