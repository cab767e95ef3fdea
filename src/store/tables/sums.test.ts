import { expect, test } from 'vitest';
import { naiveSums, type SummedFact, storedSums } from '../../../test/support/naive-sums.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import type { FactStore } from '../client/store-client.ts';
import type { FactQuery } from '../facts.ts';
import { encodeFacts } from '../journal/fact-batch.ts';
import { noVerdicts } from '../sql/verdicts.ts';
import { sumDays, sumTouched, sumTouchedSql } from '../sums/sum-insert.ts';
import { readTouchedDays } from '../sums/touched-days.ts';
import { sumAgainSql } from '../sums/verdict-changes.ts';
import { findGrouping, groupingNames, type KeyColumn, smallestGrouping } from './sums.ts';

const made = useNewStore();

test('what runs beside beacons takes one thread, and what a verdict changes is stored at once', () => {
  // No number shows it: else a busy machine has none left, or a question sees half of a change.
  expect(sumTouchedSql.usual).toMatch(/ max_threads = 1$/);
  expect(sumTouchedSql.accepted).toMatch(/ max_threads = 1$/);
  expect(sumAgainSql.usual).toMatch(/ min_insert_block_size_rows = 4000000$/);
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

test('a column that no grouping has throws instead of giving a wrong answer', () => {
  const unknown = ['country' as KeyColumn];
  expect(() => smallestGrouping(unknown)).toThrow('no grouping has the columns country');
});

test('no two groupings have the same number or the same columns', () => {
  const records = groupingNames.map(findGrouping);
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
  const batch = encodeFacts(
    rows.map((fact, index) => ({
      ...{ ...fact, accountId, stretch: 0, suspect: '' },
      view: `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`,
      playMs: Math.floor(fact.playMs * share),
    })),
  );
  await made().store.insertText('stretch', batch.rows, batch.columns);
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
