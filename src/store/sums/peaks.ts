/**
 * Makes the peaks of slots, from their facts. Facts are parts of stretches within slots, so each
 * slot is counted by itself. A part is two points, and an end comes before a begin of the same
 * instant, so that the two never count together. The points in order, with a running count, are the
 * curve.
 */

import type { Clock } from '../../lib/time/clock.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { SumDifference } from '../facts.ts';
import {
  type AccountDay,
  isOfDays,
  parametersOfDays,
  selectKeptDays,
} from '../sql/account-days.ts';
import { epochOfAccount, isOfSuspects, parametersOfEpochs } from '../sql/verdicts.ts';
import { stretchKey, tables } from '../tables/schema.ts';
import { partsOfPeak, playMsBelowCeiling, slotMs, storedPeak } from '../tables/sums.ts';
import { listColumns } from '../tables/table.ts';
import { mostOfDay, statementTimeoutSeconds } from './sum-check.ts';
import {
  type Counting,
  chooseCounting,
  forEachCounting,
  slotSumSettings,
  storeAtOnceSettingsSql,
  sumSlots,
} from './sum-insert.ts';
import { createSettleDays, createUnsettledDays, type UnsettledDays } from './touched-days.ts';

const { stretch, peak, touched } = tables;

const finestKeys = 'accountId, slot, packageId, videoId';

/** 0 where the start is not known. */
const offsetMs = `toUInt32(if(startMs = 0, 0,
            greatest(toInt64(startMs) - toInt64(toUnixTimestamp(slot)) * 1000, 0)))`;

/** An extent grows with every change of a fact, also of its ceiling. */
const knownOf = (ceiling: string) => `bitShiftRight(${ceiling}, 32)`;

const countedFacts: Readonly<Record<Counting, (condition: string) => string>> = {
  usual: (condition) => `SELECT ${finestKeys}, ${playMsBelowCeiling('playMs', 'ceiling')} AS partMs,
            playMs + ${knownOf('ceiling')} AS reportedMs, startMs, suspect = '' AS isCounted
          FROM ${stretch.name} FINAL
          WHERE ${condition} AND playMs > 0`,
  // Of a stretch under several suspects the largest counts, once.
  accepted: (condition) => `SELECT ${finestKeys},
            ${playMsBelowCeiling('largestMs', 'largestCeiling')} AS partMs,
            largestMs + ${knownOf('largestCeiling')} AS reportedMs, startMs, largestMs > 0 AS isCounted
          FROM (
            WITH suspect = '' OR ${isOfSuspects} AS isOfCounted
            SELECT ${finestKeys}, startMs, maxIf(playMs, isOfCounted) AS largestMs,
              max(ceiling) AS largestCeiling
            FROM ${stretch.name}
            WHERE ${condition}
            GROUP BY ${stretchKey.join(', ')}
          )`,
};

const groupingOfRow = `transform(grouping(packageId, videoId), [3, 1, 2, 0],
        ['account', 'package', 'video', 'video'], '')`;

const values: Readonly<Record<keyof typeof peak.columns, string>> = {
  accountId: 'accountId',
  grouping: `${groupingOfRow} AS peakGrouping`,
  videoId: 'videoId',
  packageId: 'packageId',
  slot: 'slot',
  peak: `${storedPeak('epoch', 'extent', 'largest', 'firstMs')} AS peak`,
};

/**
 * Selects rows of table `peak`. If counts may have shrunk before, peaks of 0 are included, to
 * replace earlier ones.
 */
export function selectPeaks(condition: string, counting: Counting): string {
  return `WITH ${epochOfAccount} AS epoch,
      arraySort(groupArrayArray(points)) AS ordered,
      arrayCumSum(point -> if(point % 2 = 1, 1, -1), ordered) AS playing,
      arrayMax(playing) AS largest,
      intDiv(ordered[indexOf(playing, largest)], 2) AS firstMs,
      sum(ofExtent) AS extent
    SELECT ${listColumns(peak)
      .map((column) => values[column])
      .join(', ')}
    FROM (
      WITH startMs > 0 AS isDated, ${offsetMs} AS offsetMs
      SELECT ${finestKeys}, sumIf(reportedMs + isDated + offsetMs, isCounted) AS ofExtent,
        groupArrayArrayIf([offsetMs * 2 + 1, (offsetMs + partMs) * 2],
          isCounted AND isDated AND partMs > 0) AS points
      FROM (
          ${countedFacts[counting](condition)}
      )
      GROUP BY ${finestKeys}
    )
    GROUP BY GROUPING SETS (
      (accountId, slot),
      (accountId, slot, packageId),
      (accountId, slot, videoId),
      (accountId, slot, packageId, videoId))
    HAVING (epoch > 0 OR extent > 0) AND (grouping(packageId, videoId) != 2 OR count() > 1)`;
}

const isOfTouched = `${isOfDays}
        AND (accountId, slot) IN (
          SELECT accountId, slot FROM ${touched.name}
          WHERE arrival >= fromUnixTimestamp64Milli({from:Int64}) AND ${isOfDays})`;

const keepSql = (condition: string) =>
  forEachCounting(
    (counting, kept) => `INSERT INTO ${peak.name} (${listColumns(peak).join(', ')})
    ${selectPeaks(condition + kept.ofFacts, counting)}
    SETTINGS ${storeAtOnceSettingsSql}`,
  );
const keepOfDays = keepSql(isOfDays);
const keepOfTouched = keepSql(isOfTouched);

/** The peaks of all slots of these days. */
export async function keepPeaks(
  store: FactStore,
  days: readonly AccountDay[],
  verdicts: CurrentVerdicts,
): Promise<void> {
  const parameters = parametersOfDays(days);
  const statement = { name: 'keep peaks', condition: isOfDays, sql: keepOfDays, parameters };
  await sumSlots(store, statement, verdicts);
}

/** Of those slots alone that have a note since `from` (ms, the store's clock). */
export async function keepTouchedPeaks(
  store: FactStore,
  days: readonly AccountDay[],
  { from, verdicts }: { readonly from: number; readonly verdicts: CurrentVerdicts },
): Promise<void> {
  const parameters = { ...parametersOfDays(days), from };
  const statement = { condition: isOfTouched, sql: keepOfTouched, parameters };
  await sumSlots(store, { name: 'keep touched peaks', ...statement }, verdicts);
}

/* Makes the peaks of whole days again, without storing them, and compares them with those that are
 * kept. A peak that is not kept is not wrong: questions then read the facts.
 */

const keys = 'accountId, grouping, videoId, packageId, slot';
/** Of what has no facts. */
const nothing = storedPeak('toUInt32(0)', 'toUInt32(0)', 'toUInt32(0)', 'toUInt32(0)');

/** The earlier an instant is, the longer it is until the end of its slot. */
const untilEndMs = (stored: string) => `(${slotMs} - toInt64(${partsOfPeak.offsetMs(stored)}))`;

/**
 * Two peaks made from the same number of facts must be the same. With more or fewer facts a peak
 * may be anything, so then only the extents are compared.
 */
const checkSql = forEachCounting(
  (counting, kept) => `SELECT accountId, toUnixTimestamp(toStartOfDay(slot)) * 1000 AS day,
      toUnixTimestamp(slot) * 1000 AS at, grouping, toString((packageId, videoId)) AS about,
      ${partsOfPeak.extent('made')} AS expected_extent, ${partsOfPeak.extent('stored')} AS found_extent,
      ${partsOfPeak.peak('made')} AS expected_peak,
      if(found_extent = expected_extent, ${partsOfPeak.peak('stored')}, expected_peak) AS found_peak,
      ${untilEndMs('made')} AS expected_untilEndMs,
      if(found_extent = expected_extent, ${untilEndMs('stored')}, expected_untilEndMs)
        AS found_untilEndMs,
      toInt64(${partsOfPeak.epoch('stored')}) - toInt64(${epochOfAccount}) AS ahead
    FROM (
      SELECT ${keys}, max(madePeak) AS largest, if(largest = 0, ${nothing}, largest) AS made,
        max(storedPeak) AS stored
      FROM (
        SELECT accountId, peakGrouping AS grouping, videoId, packageId, slot, peak AS madePeak,
          toUInt256(0) AS storedPeak
        FROM (
        ${selectPeaks(isOfDays + kept.ofFacts, counting)}
        )
        UNION ALL
        SELECT accountId, toString(grouping), videoId, packageId, slot, toUInt256(0), max(peak)
        FROM ${peak.name}
        WHERE ${isOfDays}
        GROUP BY ${keys}
      )
      GROUP BY ${keys}
    )
    WHERE stored > 0 AND (found_extent != expected_extent OR found_peak != expected_peak
      OR found_untilEndMs != expected_untilEndMs OR ahead > 0)
    ORDER BY day, at, grouping, about
    LIMIT ${mostOfDay} BY accountId, day`,
);

type Row = Readonly<Record<string, string | number>>;

/** The kept peaks of these days that differ from their facts, at most 1,000 of each day. */
export async function checkPeaks(
  store: FactStore,
  days: readonly AccountDay[],
  verdicts: CurrentVerdicts,
): Promise<SumDifference[]> {
  const which = { condition: isOfDays, parameters: parametersOfDays(days) };
  const { textOf, parameters } = await chooseCounting(store, which, verdicts);
  const found = await store.select<Row>(
    { name: 'check peaks', sql: textOf(checkSql), parameters },
    {
      timeoutSeconds: statementTimeoutSeconds,
      settings: { ...slotSumSettings, max_threads: 1 },
    },
  );
  return found.map(toDifference);
}

function toDifference(row: Row): SumDifference {
  const read = (side: string) => ({
    extent: Number(row[`${side}_extent`]),
    peak: Number(row[`${side}_peak`]),
    untilEndMs: Number(row[`${side}_untilEndMs`]),
  });
  return {
    accountId: Number(row.accountId),
    day: Number(row.day),
    atMs: Number(row.at),
    grouping: `peak of ${row.grouping}`,
    about: String(row.about),
    expected: read('expected'),
    found: read('found'),
    epochsAhead: Number(row.ahead),
  };
}

/** Of the current epoch, and below any peak of that epoch. */
const keepNothingSql = `INSERT INTO ${peak.name} (${listColumns(peak).join(', ')})
    SELECT accountId, grouping, videoId, packageId, slot,
      ${storedPeak(epochOfAccount, 'toUInt32(0)', 'toUInt32(0)', 'toUInt32(0)')}
    FROM ${peak.name}
    WHERE ${isOfDays} AND ${epochOfAccount} > 0`;

/** Keeps the peaks of whole days again, and then those of nothing where there are no facts. */
export async function repairPeaks(
  store: FactStore,
  days: readonly AccountDay[],
  verdicts: CurrentVerdicts,
): Promise<void> {
  await keepPeaks(store, days, verdicts);
  const parameters = { ...parametersOfDays(days), ...parametersOfEpochs(verdicts) };
  await store.command({ name: 'keep peaks of nothing', sql: keepNothingSql, parameters });
}

/* Finds days whose peaks are not all kept. */

export async function readAccountsOfSums(store: FactStore): Promise<number[]> {
  const rows = await store.select<{ accountId: number }>({
    name: 'list accounts of sums',
    sql: `SELECT DISTINCT accountId FROM ${tables.playbackSum.name} ORDER BY accountId`,
    parameters: {},
  });
  return rows.map(({ accountId }) => accountId);
}

export async function readDaysWithoutPeaks(
  store: FactStore,
  accountId: number,
): Promise<AccountDay[]> {
  const rows = await store.select<{ day: number }>({
    name: 'find days without peaks',
    sql: `SELECT day FROM (\n${selectKeptDays('')}\n) WHERE NOT isKept`,
    parameters: { accountId },
  });
  return rows.map(({ day }) => ({ accountId, day: day * 1_000 }));
}

/* Keeps the peaks of slots in line with their facts. That needs the stretches in order, which costs
 * more than their sums. So it is done less often, for whole days, and only for their touched slots.
 * Until then questions read the facts of these days instead.
 */

export interface PeakJob {
  /** Some of what is due, and some of what was left before. */
  keepSome(): Promise<void>;
  keepAllDue(): Promise<void>;
  /** Also of days touched just now. */
  keepAll(): Promise<void>;
}

interface PeakUpkeepOptions {
  readonly store: FactStore;
  /** Days whose peaks may lag behind. */
  readonly unsettled: UnsettledDays;
  /** Those that the sums follow. */
  readonly verdicts: () => CurrentVerdicts;
  readonly clock: Clock;
  /** How long a day may stay unsettled. */
  readonly everyMs: number;
  readonly lookBackMs: number;
}

export function createPeakJob(options: PeakUpkeepOptions): PeakJob {
  const { store, unsettled, verdicts, clock, everyMs, lookBackMs } = options;
  const touched = createSettleDays({
    ...{ unsettled, clock, everyMs, firstPortion: 4 },
    async settle(days) {
      const through = unsettled.oldestThrough(days) ?? 0;
      const from = Math.max(0, through - lookBackMs);
      await keepTouchedPeaks(store, days, { from, verdicts: verdicts() });
    },
  });
  const unkept = createUnsettledDays();
  const former = createSettleDays({
    ...{ unsettled: unkept, clock, everyMs: 0, firstPortion: 1 },
    settle: (days) => keepPeaks(store, days, verdicts()),
  });
  let accounts: number[] | undefined;

  /** Of one account after the other, each once: what is stored from now on has its peaks. */
  const findFormer = async (): Promise<void> => {
    accounts ??= await readAccountsOfSums(store);
    const [accountId] = accounts;
    if (accountId === undefined) return;
    const days = await readDaysWithoutPeaks(store, accountId);
    unkept.add(days, { sinceMs: Number.NEGATIVE_INFINITY, through: 0 });
    accounts.shift();
  };

  return {
    async keepSome() {
      if (await touched.some()) return;
      if (unkept.oldestThrough() === undefined) await findFormer();
      await former.some();
    },
    keepAllDue: touched.allDue,
    keepAll: touched.all,
  };
}
