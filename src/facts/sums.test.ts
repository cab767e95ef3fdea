/** The statements that sum, as text and on the real engine, against sums made the naive way. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, expectTypeOf, test } from 'vitest';
import { naiveSums, type SummedFact, storedSums } from '../../test/support/naive-sums.ts';
import { useNewStore } from '../../test/support/use-new-store.ts';
import { systemClock } from '../lib/clock.ts';
import type { AttributeDimension } from '../wire/statistics.ts';
import { detailColumns } from './attributes.ts';
import { sumDays, sumDaysSql } from './day-sums.ts';
import { createFactMetrics } from './fact-metrics.ts';
import type { FactStore } from './fact-store.ts';
import type { FactQuery } from './facts.ts';
import { startRollUp } from './roll-up.ts';
import { sumAgainSql } from './sum-again.ts';
import { sumTouched, sumTouchedSql } from './sum-touched.ts';
import {
  type attributeColumns,
  type GroupingName,
  groupingNames,
  groupingOf,
  type groupings,
  type KeyColumn,
  smallestGrouping,
} from './sums.ts';
import { readTouchedDays } from './touched-notes.ts';
import { noVerdictSource, noVerdicts } from './verdicts.ts';

const made = useNewStore();

/** What several of the statements share. */
const intoSums = `INSERT INTO playback_sum
      (accountId, grouping, videoId, packageId, slot, os, osVersion, plays, playMs)`;
const inAllGroupings = `WITH transform(accountId, {epochAccounts:Array(UInt32)}, {epochs:Array(UInt32)}, toUInt32(0)) AS epoch,
      sum(finest_plays) AS whole_plays, sum(finest_playMs) AS whole_playMs
    SELECT accountId, transform(grouping(packageId, videoId, os, osVersion),
        [15, 7, 3, 12, 4, 0],
        ['account', 'package', 'video', 'account-os', 'package-os', 'video-os'], '') AS slotGrouping, videoId, packageId, slot, os, osVersion, bitOr(bitShiftLeft(toUInt128(epoch), 64), whole_plays) AS plays, bitOr(bitShiftLeft(toUInt128(epoch), 64), whole_playMs) AS playMs`;
const ofAllGroupings = `GROUP BY GROUPING SETS (
      (accountId, slot),
      (accountId, slot, packageId),
      (accountId, slot, packageId, videoId),
      (accountId, slot, os, osVersion),
      (accountId, slot, packageId, os, osVersion),
      (accountId, slot, packageId, videoId, os, osVersion))
    HAVING epoch > 0 OR whole_plays > 0 OR whole_playMs > 0`;
const usualPlayback = `SELECT accountId, slot, packageId, videoId, os, osVersion,
        by_view_plays AS finest_plays, if(length(arrayCompact(arraySort(views))) = length(views), arraySum(part -> least(part, 900000), by_view_playMs),
          arraySum(part -> least(part, 900000), arrayReduce('sumMap', arrayMap(view -> [view], views),
            arrayMap(part -> [part], by_view_playMs)).2)) AS finest_playMs
      FROM (
        SELECT accountId, slot, packageId, videoId, os, osVersion, groupArrayIf(view, suspect = '') AS views,
          sumIf(plays, suspect = '') AS by_view_plays, groupArrayIf(toUInt64(if(ceiling = 0, playMs, least(playMs, toUInt32(bitAnd(ceiling, 4294967295))))), suspect = '') AS by_view_playMs
        FROM stretch FINAL`;
const inTouchedSlots = `(accountId, slot) IN (
            SELECT accountId, slot FROM touched
            WHERE arrival >= fromUnixTimestamp64Milli({from:Int64})
          AND ({ofAll:UInt8} OR batch IN {batches:Array(UInt64)}))`;
const inGivenDays = `accountId IN {accounts:Array(UInt32)}
        AND slot >= toDateTime({firstDay:UInt32}, 'UTC')
        AND slot < toDateTime({lastDay:UInt32}, 'UTC') + toIntervalDay(1)
        AND (accountId, toUnixTimestamp(toStartOfDay(slot))) IN (
          SELECT part.1, part.2 FROM (
            SELECT arrayJoin(arrayZip({accounts:Array(UInt32)}, {days:Array(UInt32)})) AS part))`;
const sumSettings = `force_grouping_standard_compatibility = 1,
      do_not_merge_across_partitions_select_final = 1`;

test('the statement that sums the slots just touched', () => {
  expect(sumTouchedSql.usual).toBe(`${intoSums}
    ${inAllGroupings}
    FROM (
      ${usualPlayback}
        WHERE ${inTouchedSlots}
        GROUP BY accountId, slot, packageId, videoId, os, osVersion
      )
    )
    ${ofAllGroupings}
    SETTINGS ${sumSettings}, max_threads = 1`);
});

test('the same where suspects are accepted', () => {
  expect(sumTouchedSql.accepted).toBe(`${intoSums}
    ${inAllGroupings}
    FROM (
      SELECT accountId, slot, packageId, videoId, os, osVersion,
        sum(view_plays) AS finest_plays, sum(view_playMs) AS finest_playMs
      FROM (
        SELECT accountId, slot, packageId, videoId, os, osVersion, view,
          sum(largest_plays) AS view_plays, least(sum(largest_playMs), 900000) AS view_playMs
        FROM (
          WITH suspect = '' OR (accountId, suspect) IN
          arrayZip({suspectAccounts:Array(UInt32)}, {suspects:Array(String)}) AS isCounted
          SELECT accountId, slot, packageId, videoId, os, osVersion, view, stretch,
            maxIf(plays, isCounted) AS largest_plays, if(max(ceiling) = 0, maxIf(playMs, isCounted), least(maxIf(playMs, isCounted), toUInt32(bitAnd(max(ceiling), 4294967295)))) AS largest_playMs
          FROM stretch
          WHERE ${inTouchedSlots}
          GROUP BY accountId, slot, packageId, videoId, os, osVersion, view, stretch
        )
        GROUP BY accountId, slot, packageId, videoId, os, osVersion, view
      )
      GROUP BY accountId, slot, packageId, videoId, os, osVersion
    )
    ${ofAllGroupings}
    SETTINGS ${sumSettings}, max_threads = 1`);
});

test('the statement that sums days', () => {
  expect(sumDaysSql).toBe(`${intoSums}
    SELECT accountId, concat(slotGrouping, '-day'), videoId, packageId, toStartOfDay(slot) AS day, os, osVersion, bitOr(bitShiftLeft(toUInt128(sum(bitShiftRight(largest_plays, 64))), 64), sum(toUInt64(largest_plays))), bitOr(bitShiftLeft(toUInt128(sum(bitShiftRight(largest_playMs, 64))), 64), sum(toUInt64(largest_playMs)))
    FROM (
      SELECT accountId, toString(grouping) AS slotGrouping, videoId, packageId, slot, os, osVersion,
        max(plays) AS largest_plays, max(playMs) AS largest_playMs
      FROM playback_sum
      WHERE grouping IN ('account', 'package', 'video', 'account-os', 'package-os', 'video-os')
        AND ${inGivenDays}
      GROUP BY accountId, grouping, videoId, packageId, slot, os, osVersion
    )
    GROUP BY accountId, slotGrouping, videoId, packageId, day, os, osVersion`);
});

test('the statement that sums days of suspects again stores slots and days at once', () => {
  expect(sumAgainSql.usual).toBe(`${intoSums}
    SELECT accountId, part.1 AS partGrouping, videoId, packageId, part.2 AS partSlot, os, osVersion, bitOr(bitShiftLeft(toUInt128(sum(bitShiftRight(plays, 64))), 64), sum(toUInt64(plays))), bitOr(bitShiftLeft(toUInt128(sum(bitShiftRight(playMs, 64))), 64), sum(toUInt64(playMs)))
    FROM (
    ${inAllGroupings}
    FROM (
      ${usualPlayback}
        WHERE ${inGivenDays}
        GROUP BY accountId, slot, packageId, videoId, os, osVersion
      )
    )
    ${ofAllGroupings}
    )
    ARRAY JOIN [(slotGrouping, slot),
      (concat(slotGrouping, '-day'), toStartOfDay(slot))] AS part
    GROUP BY accountId, partGrouping, videoId, packageId, partSlot, os, osVersion
    SETTINGS ${sumSettings},
      min_insert_block_size_rows = 4000000`);
});

test.each<[KeyColumn[], string]>([
  [[], 'account'],
  [['packageId'], 'package'],
  [['videoId'], 'video'],
  [['packageId', 'videoId'], 'video'],
  [['os'], 'account-os'],
  [['osVersion'], 'account-os'],
  [['packageId', 'osVersion'], 'package-os'],
  [['videoId', 'os'], 'video-os'],
  [['os', 'osVersion', 'videoId', 'packageId'], 'video-os'],
])('the smallest grouping with the columns %j: %s', (columns, name) => {
  expect(smallestGrouping(columns)).toBe(name);
});

type Telling<Column extends KeyColumn> = {
  [name in GroupingName]: [Column] extends [(typeof groupings)[name]['groupBy'][number]]
    ? name
    : never;
}[GroupingName];
/** The attributes by which nobody could ask about a video in a package. */
type Unanswered = {
  [name in AttributeDimension]: [
    Telling<(typeof attributeColumns)[name] | 'packageId' | 'videoId'>,
  ] extends [never]
    ? name
    : never;
}[AttributeDimension];

test('an attribute without groupings does not compile', () => {
  expectTypeOf<Unanswered>().toBeNever();
});

test('a column that no grouping has throws instead of giving a wrong answer', () => {
  const unknown = ['country' as KeyColumn];
  expect(() => smallestGrouping(unknown)).toThrow('no grouping has the columns country');
});

test('no two groupings have the same number or the same columns', () => {
  const records = groupingNames.map(groupingOf);
  const codes = records.flatMap(({ code, dayCode }) => [code, dayCode]);
  expect(new Set(codes).size).toBe(codes.length);
  const joined = records.map(({ groupBy }) => groupBy.join());
  expect(new Set(joined).size).toBe(joined.length);
});

const dayMs = 86_400_000;
const slotMs = 900_000;
const dayOne = Date.UTC(2025, 11, 31);
/** The last slot of a day and a year, and the first of the next. */
const slots = [dayOne, dayOne + dayMs - slotMs, dayOne + dayMs];

/** Every combination, each with an amount of its own. */
const facts: SummedFact[] = slots
  .flatMap((slotStart) => [1, 2].map((packageId) => ({ slotStart, packageId })))
  .flatMap((one) => [11, 12].map((videoId) => ({ ...one, videoId })))
  .flatMap((one) =>
    [
      ['iOS', '18'],
      ['iOS', '26'],
      ['Linux', 'Unknown'],
    ].map(([os = '', osVersion = '']) => ({ ...one, os, osVersion })),
  )
  .map((one, index) => ({ ...one, plays: index % 2, playMs: 2 ** index % 800_011 }));

async function insert(accountId: number, rows: readonly SummedFact[], share = 1): Promise<void> {
  await made().store.insertRows(
    'stretch',
    rows.map((fact, index) => [
      accountId,
      new Date(fact.slotStart).toISOString().slice(0, 19).replace('T', ' '),
      fact.packageId,
      fact.videoId,
      fact.os,
      fact.osVersion,
      `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`,
      0,
      '',
      fact.plays,
      Math.floor(fact.playMs * share),
      ...[0, 0, 0, 0, 0, 0],
      ...detailColumns.map(() => ''),
    ]),
  );
}

async function touch(accountId: number, slot: number, arrivalMs: number): Promise<void> {
  await made().run(
    `INSERT INTO touched (arrival, accountId, slot)
      SELECT fromUnixTimestamp64Milli({arrivalMs:Int64}), {accountId:UInt32}, {slot:UInt32}`,
    { arrivalMs, accountId, slot: slot / 1_000 },
  );
}

const select = (query: FactQuery) => made().store.select<Record<string, string | number>>(query);

const since = (from: number) => ({ from, batches: undefined });
const daysOf = (accountId: number, days: readonly number[]) =>
  days.map((day) => ({ accountId, day }));

test('sums of slots and days are those of the facts, however often and when they are made', async () => {
  await made().run('SYSTEM STOP MERGES playback_sum');
  // Half of the time at first; the same twice, so that equal sums lie side by side.
  for (const share of [0.5, 1, 1]) {
    await insert(1, facts, share);
    for (const slot of slots) await touch(1, slot, 1_000);
    await sumTouched(made().store, since(1_000), noVerdicts);
    await sumDays(made().store, daysOf(1, [dayOne, dayOne + dayMs]));
  }
  expect(await storedSums(select, 1)).toEqual({
    bySlot: naiveSums(facts, false),
    byDay: naiveSums(facts, true),
  });
  await made().run('SYSTEM START MERGES playback_sum');
});

test('what was touched since the border is summed, what was touched before it is not', async () => {
  await made().forgetRollUps();
  const [early = 0, late = 0, next = 0] = slots;
  await insert(2, facts);
  await touch(2, early, 5_999);
  await touch(2, late, 6_000);
  await sumTouched(made().store, since(6_000), noVerdicts);
  const ofLate = facts.filter(({ slotStart }) => slotStart === late);
  const bySlot = naiveSums(ofLate, false);
  expect(await storedSums(select, 2)).toEqual({ bySlot, byDay: [] });

  expect(await readTouchedDays(made().store, since(6_000))).toEqual(daysOf(2, [dayOne]));
  expect(await readTouchedDays(made().store, since(6_001))).toEqual([]);
  await touch(2, next, 6_002);
  await touch(2, next + slotMs, 6_003);
  const touched = await readTouchedDays(made().store, since(6_000));
  expect(new Set(touched)).toEqual(new Set(daysOf(2, [dayOne, dayOne + dayMs])));

  // Days are made of the slots that are summed, whichever of them was touched.
  await sumTouched(made().store, since(6_002), noVerdicts);
  await sumDays(made().store, daysOf(2, [dayOne + dayMs]));
  const ofNext = facts.filter(({ slotStart }) => slotStart === next);
  expect((await storedSums(select, 2)).byDay).toEqual(naiveSums(ofNext, true));
});

test('suspects are told apart only where an accepted one has facts', async () => {
  const suspect = 'VIDEO:2025-12-31:11';
  const [fact] = facts;
  await made().write(
    [5, 6].map((accountId) => ({
      ...{ ...(fact as SummedFact), accountId, suspect, stretch: 0 },
      view: '00000000-0000-0000-0000-000000000001',
    })),
  );
  const ran: string[] = [];
  const store: FactStore = { ...made().store, command: async ({ sql }) => void ran.push(sql) };
  for (const accepted of [[], [{ accountId: 7, suspect }], [{ accountId: 6, suspect }]]) {
    await sumTouched(store, since(0), { ...noVerdicts, accepted });
  }
  const { usual, accepted } = sumTouchedSql;
  expect(ran).toEqual([usual, usual, accepted]);
});

test('a roll-up promises no more than what was stored before it began to sum', async () => {
  let storedThrough = 1_000;
  const { store } = made();
  const overtaken: FactStore = {
    ...store,
    command: async (query) => {
      await store.command(query);
      storedThrough += 1_000;
    },
  };
  const rollUp = startRollUp({
    store: overtaken,
    journal: { storedThrough: () => storedThrough, flush: async () => {} },
    verdicts: noVerdictSource,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    metrics: createFactMetrics(new Registry()),
    pace: { everyMs: 2 ** 30, daysEveryMs: 0, lookBackMs: 0 },
  });
  await rollUp.run();
  const before = storedThrough;
  await touch(4, dayOne, Date.now() + 1_000);
  await rollUp.run();
  expect(storedThrough).toBeGreaterThan(before);
  expect(rollUp.completeThrough()).toBe(before);
  await rollUp.stop();
});
