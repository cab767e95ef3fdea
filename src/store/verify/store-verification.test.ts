/** What is stored of days and is not what their facts make: each kind is found, and repaired. */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { naiveSums, storedSums } from '../../../test/support/naive-sums.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import { countSomeDays } from '../days/day-counts.ts';
import { checkViews } from '../days/regular-views.ts';
import type { Fact, StoreVerification, SumDifference } from '../facts.ts';
import { type RollUp, usualPace } from '../roll-up/roll-up.ts';
import { noVerdicts } from '../sql/verdicts.ts';
import { tables } from '../tables/schema.ts';
import { createStoreVerification } from './store-verification.ts';

const dayMs = 86_400_000;
const slotMs = 900_000;
/** The last day of a year, and the first of the next. */
const dayOne = Date.UTC(2025, 11, 31);
const dayTwo = dayOne + dayMs;
const suspect = 'ADDRESS:2025-12-31:1';

function factOf(accountId: number, number: number, other: Partial<Fact>): Fact {
  const slotStart = other.slotStart ?? dayOne;
  return {
    ...{ accountId, slotStart, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
    ...{ view: `00000000-0000-0000-0000-00000000000${number}`, stretch: 0, suspect: '' },
    ...{ plays: 1, playMs: 60_000 },
    details: {
      ...{ startMs: slotStart + 10_000, laterMs: 0, position: 0, mediaMs: 60_000 },
      attributes: { browser: 'Firefox' },
    },
    ...other,
  };
}

/** The second view goes on, on the next day, and so it has a mark on both. */
const usual = [1, 2].flatMap((accountId) => [
  factOf(accountId, 1, {}),
  factOf(accountId, 2, { slotStart: dayTwo - slotMs, playMs: 30_000 }),
  factOf(accountId, 2, { slotStart: dayTwo, stretch: 1, plays: 0 }),
  factOf(accountId, 3, { slotStart: dayTwo, packageId: 2 }),
]);
const setApart = factOf(1, 4, { suspect, playMs: 5_000 });
const days = [1, 2].flatMap((accountId) => [dayOne, dayTwo].map((day) => ({ accountId, day })));
/** Of the account whose views are checked. */
const own = days.filter(({ accountId }) => accountId === 1);

let verdicts: CurrentVerdicts;
const made = useNewStore();
let upkeep: StoreVerification;
let apartMs: number | undefined;
let rollUp: Pick<RollUp, 'runWhole'> | undefined;
beforeAll(() => {
  upkeep = createStoreVerification({
    store: made().store,
    opened: { coveredSkewMs: 3_000, measureSkewMs: async () => apartMs },
    verdicts: { current: async () => verdicts },
    pace: { ...usualPace, lookBackMs: 0 },
    now: Date.now,
    requireSummed: () => {},
    rollUp: () => rollUp,
  });
});
/** Sums, and no epoch: each test begins with the same, whichever ran before. */
beforeEach(async () => {
  const names = Object.values(tables).map(({ name }) => name);
  await Promise.all(names.map((name) => made().run(`TRUNCATE TABLE ${name}`)));
  verdicts = noVerdicts;
  apartMs = undefined;
  rollUp = undefined;
  await made().write([...usual, setApart]);
  await upkeep.repairSums(days);
  await checkViews(made().store, own, 0);
});

/** Sums made from now on take the place of those before. */
async function repair(): Promise<void> {
  const epoch = (verdicts.epochs.get(1) ?? 0) + 9;
  verdicts = { ...verdicts, epochs: new Map([[1, epoch]]) };
  await upkeep.repairSums(own);
  expect(await upkeep.checkSums(own)).toEqual([]);
}

const differenceOf = (grouping: string, atMs: number, about = ''): SumDifference => ({
  ...{ accountId: 1, day: atMs - (atMs % dayMs), atMs, grouping, about },
  ...{ expected: {}, found: {}, epochsAhead: 0 },
});
const at = (slot: number) => `accountId = 1 AND slot = toDateTime(${slot / 1_000}, 'UTC')`;
const lastSlot = dayTwo - slotMs;

test('sums that are too large, gone, ahead or of what nobody played', async () => {
  const add = (values: string, where: string) =>
    made().run(`INSERT INTO playback_sum SELECT * REPLACE (${values})
      FROM playback_sum FINAL WHERE ${where}`);
  const ahead = (epochs: number) => `bitShiftLeft(toUInt128(${epochs}), 96)`;
  await add('plays + 7 AS plays, playMs + 1 AS playMs', `${at(dayOne)} AND grouping = 'account'`);
  await made().run(
    `ALTER TABLE playback_sum DELETE WHERE ${at(lastSlot)} AND grouping = 'account-os'`,
  );
  await add(`'none' AS os`, `${at(dayTwo)} AND grouping = 'video-os' AND packageId = 2`);
  await add(`plays + ${ahead(5)} AS plays`, `${at(dayTwo)} AND grouping = 'package-day'`);
  await add(`playMs + ${ahead(3)} AS playMs`, `${at(lastSlot)} AND grouping = 'video'`);

  const values = (plays: number, playMs: number) => ({ plays, playMs });
  expect(await upkeep.checkSums(days)).toEqual([
    {
      ...differenceOf('account', dayOne, "(1,0,0,'','')"),
      ...{ expected: values(1, 60_000), found: values(8, 60_001) },
    },
    {
      ...differenceOf('account-os', lastSlot, "(1,0,0,'iOS','18')"),
      ...{ expected: values(1, 30_000), found: values(0, 0) },
    },
    {
      ...differenceOf('video', lastSlot, "(1,11,1,'','')"),
      ...{ expected: values(1, 30_000), found: values(1, 30_000), epochsAhead: 3 },
    },
    ...[1, 2].map((packageId) => {
      const both = values(packageId - 1, 60_000);
      return {
        ...differenceOf('package-day', dayTwo, `(1,0,${packageId},'','')`),
        ...{ expected: both, found: both, epochsAhead: 5 },
      };
    }),
    {
      ...differenceOf('video-os', dayTwo, "(1,11,2,'none','18')"),
      ...{ expected: values(0, 0), found: values(1, 60_000) },
    },
  ]);
  await repair();
  await expectSums(1, usual);
  await expectSums(2, usual);
});

test('only the days that are named are looked at, and repaired', async () => {
  expect(await upkeep.checkSums([])).toEqual([]);
  // These were never checked for views.
  expect(await upkeep.checkSums(days.filter(({ accountId }) => accountId === 2))).toEqual([]);
  const ofOthers = "accountId = 2 AND grouping = 'account'";
  await made().run(`ALTER TABLE playback_sum DELETE WHERE ${ofOthers}`);
  const found = await upkeep.checkSums(days);
  expect(found.map(({ accountId, grouping }) => [accountId, grouping])).toEqual(
    [1, 2, 3].map(() => [2, 'account']),
  );
  await repair();
  expect(await upkeep.checkSums(days)).toEqual(found);
});

async function expectSums(accountId: number, facts: readonly Fact[]): Promise<void> {
  const counted = facts.filter((fact) => fact.accountId === accountId);
  const stored = await storedSums((query) => made().store.select(query), accountId);
  const expected = { bySlot: naiveSums(counted, false), byDay: naiveSums(counted, true) };
  expect(stored).toEqual(expected);
}

test('what is set apart counts while its suspect is accepted', async () => {
  verdicts = { ...verdicts, accepted: [{ accountId: 1, suspect }] };
  const found = await upkeep.checkSums(days);
  const wrong = ['account', 'package', 'video'].flatMap((name) =>
    [name, `${name}-os`].flatMap((slots) => [slots, `${slots}-day`, `peak of ${slots}`]),
  );
  const groupings = wrong.filter((name) => !/^peak .*-os$/.test(name));
  expect(found.map(({ grouping }) => grouping).sort()).toEqual(groupings.sort());
  expect(found[0]).toMatchObject({
    expected: { plays: 2, playMs: 65_000 },
    found: { plays: 1, playMs: 60_000 },
  });
  await repair();
  await expectSums(1, [...usual, setApart]);
  verdicts = { ...verdicts, accepted: [] };
  await repair();
  await expectSums(1, usual);
});

test('peaks that are not those of their facts', async () => {
  const put = (by: string, where: string) =>
    made().run(`INSERT INTO peak SELECT * REPLACE (peak + ${by} AS peak) FROM peak FINAL
      WHERE ${where}`);
  const shifted = (value: number, bits: number) => `bitShiftLeft(toUInt256(${value}), ${bits})`;
  await put(shifted(3, 32), `${at(dayOne)} AND grouping = 'account'`);
  await put('500', `${at(dayOne)} AND grouping = 'package'`);
  await put(`${shifted(1, 64)} + ${shifted(7, 32)}`, `${at(lastSlot)} AND grouping = 'video'`);
  await put(shifted(4, 128), `${at(dayTwo)} AND grouping = 'account'`);
  await made().run(`INSERT INTO peak SELECT accountId, grouping, videoId, 77, slot, peak FROM peak FINAL
    WHERE ${at(dayTwo)} AND grouping = 'package' AND packageId = 2`);

  const peak = (extent: number, most: number, untilEndMs = 890_000) => ({
    ...{ extent, peak: most, untilEndMs },
  });
  const one = peak(70_001, 1);
  expect(await upkeep.checkSums(days)).toEqual([
    {
      ...differenceOf('peak of account', dayOne, '(0,0)'),
      ...{ expected: one, found: peak(70_001, 4) },
    },
    {
      ...differenceOf('peak of package', dayOne, '(1,0)'),
      ...{ expected: one, found: peak(70_001, 1, 890_500) },
    },
    {
      ...differenceOf('peak of video', lastSlot, '(1,11)'),
      // Of other facts, the peak may be any.
      ...{ expected: peak(40_001, 1), found: peak(40_002, 1) },
    },
    {
      ...differenceOf('peak of account', dayTwo, '(0,0)'),
      ...{ expected: peak(140_002, 2), found: peak(140_002, 2), epochsAhead: 4 },
    },
    {
      ...differenceOf('peak of package', dayTwo, '(77,0)'),
      ...{ expected: peak(0, 0, 900_000), found: peak(70_001, 0, 900_000) },
    },
  ]);
  await repair();
});

test('marks that are gone, of days that were checked', async () => {
  await made().run('ALTER TABLE irregular_view DELETE WHERE accountId = 1');
  const expected = [dayOne, dayTwo].map((day) => ({
    ...differenceOf('marks of views', day),
    ...{ expected: { irregular: 1 }, found: { irregular: 0 } },
  }));
  expect(await upkeep.checkSums(days)).toEqual(expected);
  const [, ...others] = days;
  expect(await upkeep.checkSums(others)).toEqual(expected.slice(1));
  // A day that was never checked needs none.
  await made().run(`ALTER TABLE checked_day DELETE WHERE ${at(dayTwo)}`);
  expect(await upkeep.checkSums(days)).toEqual(expected.slice(0, 1));
  await repair();
});

test('counts of days that are not those of their facts', async () => {
  expect(await countSomeDays(made().store, { current: async () => verdicts })).toBe(true);
  const ofDayOne = `accountId = 1 AND toDate(slot) = '2025-12-31'`;
  await made().run(`INSERT INTO audience_day SELECT * REPLACE (views + 1 AS views)
    FROM audience_day FINAL WHERE ${ofDayOne} AND grouping = 'browser' AND value = 'Firefox'`);
  await made().run(
    `ALTER TABLE audience_day DELETE WHERE ${at(dayTwo)} AND grouping = 'package' AND value = '2'`,
  );
  await made().run(`INSERT INTO irregular_fact SELECT * REPLACE (
      toUUID('00000000-0000-0000-0000-000000000009') AS view)
    FROM irregular_fact FINAL WHERE ${ofDayOne}`);
  await made().run(`ALTER TABLE irregular_fact DELETE WHERE ${at(dayTwo)}`);
  await made().run(`ALTER TABLE audience_seen UPDATE rangeMs = [5] WHERE ${ofDayOne}
    AND view = toUUID('00000000-0000-0000-0000-000000000000')`);
  await made().run(`ALTER TABLE audience_seen DELETE WHERE ${at(dayTwo)} AND packageId = 2`);

  const found = await upkeep.checkSums(days.toReversed());
  expect(found).toEqual([
    {
      ...differenceOf('counts of browser', dayOne, "('Firefox','')"),
      ...{ expected: { views: 1 }, found: { views: 2 } },
    },
    {
      ...differenceOf('counts of package', dayTwo, "('2','')"),
      expected: {
        plays: 1,
        playMs: 60_000,
        mediaMs: 60_000,
        views: 1,
        viewers: 1,
        viewsInRange: 1,
      },
      found: { plays: 0, playMs: 0, mediaMs: 0, views: 0, viewers: 0, viewsInRange: 0 },
    },
    ...[
      [dayOne, 2],
      [dayTwo, 0],
    ].map(([day = 0, facts = 0]) => ({
      ...differenceOf('counts of facts beside', day),
      ...{ expected: { facts: 1 }, found: { facts } },
    })),
    ...[
      [dayOne, 2, 1],
      [dayTwo, 2, 1],
    ].map(([day = 0, rows = 0, right = 0]) => ({
      ...differenceOf('counts of what views saw', day, '11'),
      ...{ expected: { rows }, found: { rows: right } },
    })),
  ]);
  // Of the days that are named alone, though the other lies between them.
  const around = [dayOne, dayTwo + dayMs].map((day) => ({ accountId: 1, day }));
  expect(await upkeep.checkSums(around)).toEqual(found.filter(({ day }) => day === dayOne));
  await repair();
});

test('how the store is, how far its clocks are apart, and whether its files are damaged', async () => {
  expect(await upkeep.health()).toMatchObject({ version: expect.stringMatching(/^\d+\./) });
  expect(await upkeep.clocks()).toBeUndefined();
  apartMs = 1_500;
  expect(await upkeep.clocks()).toEqual({ apartMs: 1_500, coveredMs: 3_000 });
  expect(await upkeep.checkParts(() => {})).toEqual([]);
});

test('all that is noted is summed as soon as something has been summed before', async () => {
  await upkeep.rollUp();
  let runs = 0;
  rollUp = {
    async runWhole() {
      runs += 1;
    },
  };
  await upkeep.rollUp();
  expect(runs).toBe(1);
});

test('which accounts, days and names there are, with sums alone as with facts', async () => {
  await made().run(`INSERT INTO playback_sum (accountId, grouping, slot, packageId, videoId, plays)
    VALUES (3, 'video', '2026-01-02 00:15:00', 5, 6, 1), (3, 'package', '2026-01-02 00:15:00', 7, 0, 1)`);
  expect(await upkeep.accounts()).toEqual([1, 2, 3]);
  expect(await upkeep.daysOf(1)).toEqual([
    { accountId: 1, day: dayOne, facts: 3 },
    { accountId: 1, day: dayTwo, facts: 2 },
  ]);
  expect(await upkeep.daysOf(3)).toEqual([{ accountId: 3, day: dayTwo + dayMs, facts: 0 }]);
  expect(await upkeep.namesOf(1)).toEqual([1, 2].map((packageId) => ({ packageId, videoId: 11 })));
  expect(await upkeep.namesOf(3)).toEqual([{ packageId: 5, videoId: 6 }]);
});
