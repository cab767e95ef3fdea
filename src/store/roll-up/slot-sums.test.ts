/** Which slots a roll-up sums, which days it leaves unsettled, and which progress it saves. */
import { beforeEach, describe, expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import type { CurrentVerdicts, SuspectName } from '../../vocabulary/suspects.ts';
import type { Fact } from '../facts.ts';
import { noVerdicts } from '../sql/verdicts.ts';
import { createUnsettledDays, type UnsettledDays } from '../sums/touched-days.ts';
import { readProgress } from './progress.ts';
import { createSlotSums, type SlotSums } from './slot-sums.ts';

const dayMs = 86_400_000;
const slotMs = 900_000;
const day = Date.UTC(2026, 9, 5);
const lookBackMs = 12_000;

const made = useNewStore();
let accountId = 0;
let clock: ReturnType<typeof manualClock>;
let verdicts: CurrentVerdicts;
/** The suspects whose verdicts were asked for, each time. */
let asked: (readonly SuspectName[])[];
let storedThrough: number;
let unsettled: UnsettledDays;
let unsettledPeaks: UnsettledDays;
beforeEach(async () => {
  await made().forgetRollUps();
  accountId += 1;
  clock = manualClock();
  verdicts = noVerdicts;
  asked = [];
  storedThrough = 1_000;
  unsettled = createUnsettledDays();
  unsettledPeaks = createUnsettledDays();
});

const start = (other: Partial<Parameters<typeof createSlotSums>[0]> = {}): SlotSums =>
  createSlotSums({
    ...{ store: made().store, clock, lookBackMs, skewMs: 0, unsettled, unsettledPeaks },
    journal: { storedThrough: () => storedThrough, flush: async () => {} },
    async followVerdicts(suspects) {
      asked.push(suspects);
      return verdicts;
    },
    isFollowed: false,
    ...other,
  });

function playOf(slotStart: number, other: Partial<Fact> = {}): Fact {
  return {
    ...{ accountId, slotStart, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
    ...{ view: '00000000-0000-0000-0000-000000000001', stretch: 0, suspect: '' },
    ...{ plays: 1, playMs: 1_000 },
    ...other,
  };
}

const playMs = async (): Promise<number> => {
  const [row] = await made().rows<{ playMs: number }>(
    `SELECT toUInt64(max(playMs)) AS playMs FROM playback_sum
      WHERE accountId = {accountId:UInt32} AND grouping = 'account'`,
    { accountId },
  );
  return row?.playMs ?? 0;
};

/** A progress that another process left. */
const leave = (through: number, daysThrough: number) =>
  made().run(
    `INSERT INTO rolled (through, daysThrough) SELECT
      fromUnixTimestamp64Milli({through:Int64}), fromUnixTimestamp64Milli({daysThrough:Int64})`,
    { through, daysThrough },
  );

const note = (slot: number, arrival: number) =>
  made().run(
    `INSERT INTO touched (arrival, accountId, slot, batch)
      SELECT fromUnixTimestamp64Milli({arrival:Int64}), {accountId:UInt32}, {slot:UInt32},
      rand64() % 1000000`,
    { accountId, slot: slot / 1_000, arrival },
  );

test('of what an earlier run left, days since their progress and slots since theirs', async () => {
  const daysThrough = Date.now() - 600_000;
  const through = daysThrough + 300_000;
  await leave(through, daysThrough);
  const slots = [day, day + slotMs, day + dayMs];
  await made().write(slots.map((slot) => playOf(slot)));
  await made().run('TRUNCATE TABLE touched');
  await note(day - dayMs, daysThrough - lookBackMs - 1);
  await note(day, daysThrough - lookBackMs);
  await note(day + slotMs, through - lookBackMs - 1);
  await note(day + dayMs, through - lookBackMs);
  const slotSums = start();
  expect(slotSums.completeThrough()).toBe(0);
  await slotSums.sum();
  expect(slotSums.completeThrough()).toBe(1_000);
  const summed = await made().rows<{ at: number }>(
    `SELECT toUnixTimestamp(slot) AS at FROM playback_sum
      WHERE accountId = {accountId:UInt32} AND grouping = 'account'`,
    { accountId },
  );
  expect(summed).toEqual([{ at: (day + dayMs) / 1_000 }]);
  for (const days of [unsettled, unsettledPeaks]) {
    expect(days.of(accountId)).toEqual([day, day + dayMs]);
    expect(days.oldestThrough()).toBe(daysThrough);
  }
});

describe('after the clock was set back by an hour, whoever starts finds what was noted since', () => {
  const hourMs = 3_600_000;
  /** Stored and noted, and not summed, by a process that was killed. */
  const writeUnsummed = async () => {
    await made().write([playOf(day)]);
    await made().run('TRUNCATE TABLE touched');
    await note(day, Date.now() - hourMs / 2);
  };
  const expectSummed = async () => {
    expect(await playMs()).toBe(1_000);
    for (const days of [unsettled, unsettledPeaks]) {
      expect(days.of(accountId)).toEqual([day]);
      expect(days.oldestThrough()).toBe(0);
    }
  };

  test('before the clock has passed what was saved', async () => {
    await leave(Date.now() + hourMs, Date.now() + hourMs);
    await writeUnsummed();
    await start().sum();
    await expectSummed();
  });

  test('after that, if a process had seen it set back', async () => {
    const through = Date.now() - 1_000;
    await leave(through, through);
    const seeing = start();
    await seeing.sum();
    // To the store's clock, the other way round: ours went on.
    clock.advance(hourMs);
    await seeing.sum();
    await writeUnsummed();
    await start().sum();
    await expectSummed();
  });

  test('after that, if a process had started meanwhile', async () => {
    await leave(Date.now() + hourMs, Date.now() + hourMs);
    await start().sum();
    // As it is two hours later.
    const past = ['through', 'daysThrough'].map((name) => `${name} = ${name} - toIntervalHour(2)`);
    await made().run(`ALTER TABLE rolled UPDATE ${past.join(', ')} WHERE true`);
    await writeUnsummed();
    await start().sum();
    await expectSummed();
  });
});

describe('after the clock was set back, whoever sums finds what was noted since', () => {
  const hourMs = 3_600_000;
  /** So short that the clocks of the test and the store do not come apart by a step meanwhile. */
  const shortMs = 500;

  test.each(['sum slots', 'doubt roll-up progress'])(
    'also where "%s" failed for longer than an insert takes',
    async (name) => {
      const through = Date.now() - 1_000;
      await leave(through, through);
      let isFailing = false;
      const sound = made().store;
      const slotSums = start({
        lookBackMs: shortMs,
        store: {
          ...sound,
          async command(query) {
            if (isFailing && query.name === name) throw new Error('failed, as the test said');
            await sound.command(query);
          },
        },
      });
      await slotSums.sum();
      clock.advance(hourMs);
      await made().write([playOf(day)]);
      await made().run('TRUNCATE TABLE touched');
      await note(day, Date.now() - hourMs / 2);
      isFailing = true;
      await expect(slotSums.sum()).rejects.toThrow('as the test said');
      isFailing = false;
      clock.advance(shortMs);
      await slotSums.sum();
      expect(await playMs()).toBe(1_000);
      // A start would look for it, too.
      expect(await readProgress(made().store, 0)).toMatchObject({ through: 0, daysThrough: 0 });
    },
  );

  test('progress still counts where the step is within the skew that a look-back covers', async () => {
    const skewMs = 10_000;
    const slotSums = start({ skewMs, lookBackMs: lookBackMs + skewMs });
    await leave(Date.now() - 1_000, Date.now() - 1_000);
    await slotSums.sum();
    clock.advance(skewMs / 2);
    await made().write([playOf(day)]);
    await made().run('TRUNCATE TABLE touched');
    await note(day, Date.now() - skewMs / 2);
    await slotSums.sum();
    expect(await playMs()).toBe(1_000);
    expect((await readProgress(made().store, skewMs)).through).toBeGreaterThan(0);
    clock.advance(2 * skewMs);
    await slotSums.sum();
    expect((await readProgress(made().store, skewMs)).through).toBe(0);
  });
});

test('notes of hours are summed in portions, each with those of a quarter of an hour', async () => {
  const statements: string[] = [];
  const sound = made().store;
  const slotSums = start({
    store: {
      ...sound,
      async command(query) {
        statements.push(query.name);
        await sound.command(query);
      },
    },
  });
  const slots = [day, day + slotMs, day + dayMs];
  await made().write(slots.map((slot) => playOf(slot)));
  await made().run('TRUNCATE TABLE touched');
  const arrival = Date.now() - 4 * 3_600_000;
  for (const [index, slot] of slots.entries()) {
    const first = arrival + index * 2 * slotMs;
    await made().run(
      `INSERT INTO touched (arrival, accountId, slot, batch)
        SELECT fromUnixTimestamp64Milli({first:Int64}), {accountId:UInt32}, {slot:UInt32}, number
        FROM numbers({index:UInt32} * 150, 150)`,
      { first, accountId, slot: slot / 1_000, index },
    );
  }
  await slotSums.sum();
  expect(statements.filter((name) => name === 'sum slots')).toHaveLength(3);
  const summed = await made().rows<{ at: number }>(
    `SELECT DISTINCT toUnixTimestamp(slot) * 1000 AS at FROM playback_sum
      WHERE accountId = {accountId:UInt32} AND grouping = 'account' ORDER BY at`,
    { accountId },
  );
  expect(summed.map(({ at }) => at)).toEqual(slots);
  expect(unsettled.of(accountId)).toEqual([day, day + dayMs]);
});

test('days of new notes wait since the progress before them', async () => {
  const slotSums = start();
  await slotSums.sum();
  expect(unsettled.of(accountId)).toEqual([]);
  clock.advance(5);
  storedThrough = 2_000;
  const before = Date.now();
  await made().write([playOf(day)]);
  await slotSums.sum();
  expect(slotSums.completeThrough()).toBe(2_000);
  const [waiting] = unsettled.due(({ sinceMs }) => sinceMs === 5, 9);
  expect(waiting).toEqual({ accountId, day });
  expect(unsettled.oldestThrough()).toBeLessThanOrEqual(before);
  expect(unsettled.oldestThrough()).toBeGreaterThan(before - 60_000);
  await made().write([playOf(day, { ceiling: { ms: 500, known: 1 } })]);
  await slotSums.sum();
  expect(await playMs()).toBe(500);
});

test('where an epoch rose, what was summed just before is summed again', async () => {
  const slotSums = start();
  await made().write([playOf(day)]);
  await slotSums.sum();
  const forget = () => made().run('TRUNCATE TABLE playback_sum');
  await forget();
  verdicts = { ...noVerdicts };
  await slotSums.sum();
  expect(await playMs()).toBe(0);
  verdicts = { ...noVerdicts, epochs: new Map([[accountId, 1]]) };
  await slotSums.sum();
  expect(await playMs()).toBe(1_000);
  expect(slotSums.verdicts()).toBe(verdicts);
  verdicts = { ...verdicts };
  const suspects = [{ accountId, suspect: 'VIDEO:2026-10-05:1' }];
  await slotSums.sumAgain(suspects);
  expect(slotSums.verdicts()).toBe(verdicts);
  // Sums ask for none: so the last ones hold while they cannot be read.
  expect(asked).toEqual([[], [], [], suspects]);
});

test('what could not be summed is summed by the next, and nothing is promised before', async () => {
  let isFailing = true;
  const sound = made().store;
  const slotSums = createSlotSums({
    ...{ clock, lookBackMs, skewMs: 0, unsettled, unsettledPeaks, isFollowed: false },
    store: {
      ...sound,
      async command(query) {
        if (isFailing && query.name === 'sum slots') throw new Error('failed, as the test said');
        await sound.command(query);
      },
    },
    journal: { storedThrough: () => storedThrough, flush: async () => {} },
    followVerdicts: async () => verdicts,
  });
  await made().write([playOf(day)]);
  await expect(slotSums.sum()).rejects.toThrow('as the test said');
  expect(slotSums.completeThrough()).toBe(0);
  isFailing = false;
  await slotSums.sum();
  expect(slotSums.completeThrough()).toBe(1_000);
  expect(await playMs()).toBe(1_000);
});

test('what is stored while slots are summed is promised by the next sum', async () => {
  const sound = made().store;
  const slotSums = start({
    store: {
      ...sound,
      async command(query) {
        await sound.command(query);
        storedThrough = 2_000;
      },
    },
  });
  await made().write([playOf(day)]);
  await slotSums.sum();
  expect(storedThrough).toBe(2_000);
  expect(slotSums.completeThrough()).toBe(1_000);
  await slotSums.sum();
  expect(slotSums.completeThrough()).toBe(2_000);
});

/** What is saved, against the store's time now; never is 0. */
async function saved() {
  const { through, daysThrough, storeNow } = await readProgress(made().store, 0);
  return { isSaved: through > 0, ageMs: storeNow - through, behindMs: through - daysThrough };
}
const never = { isSaved: false, behindMs: 0 };

test('progress is saved now and then, and again until all days are settled', async () => {
  const slotSums = start();
  await slotSums.keepProgress();
  await slotSums.sum();
  await slotSums.keepProgress();
  expect(await saved()).toMatchObject(never);

  await made().write([playOf(day)]);
  await slotSums.sum();
  await slotSums.keepProgress();
  const first = await saved();
  expect(first.isSaved).toBe(true);
  expect(first.ageMs).toBeLessThan(60_000);
  const { daysThrough } = await readProgress(made().store, 0);
  expect(daysThrough).toBe(unsettled.oldestThrough());
  await made().run('TRUNCATE TABLE rolled');

  clock.advance(9_999);
  await slotSums.keepProgress();
  expect(await saved()).toMatchObject(never);
  clock.advance(1);
  unsettled.settle([{ accountId, day }]);
  unsettledPeaks.settle([{ accountId, day }]);
  await slotSums.keepProgress();
  expect(await saved()).toMatchObject({ isSaved: true, behindMs: 0 });
  await made().run('TRUNCATE TABLE rolled');

  clock.advance(10_000);
  await slotSums.keepProgress();
  expect(await saved()).toMatchObject(never);
});

test.each(['days', 'peaks'])('the progress of days waits for %s', async (kind) => {
  await leave(Date.now() - 1_000, 0);
  const slotSums = start();
  await made().write([playOf(day)]);
  await slotSums.sum();
  unsettled.settle([{ accountId, day }]);
  unsettledPeaks.settle([{ accountId, day }]);
  const waits: Record<string, () => void> = {
    days: () => unsettled.add([{ accountId, day }], { sinceMs: 0, through: 77_000 }),
    peaks: () => unsettledPeaks.add([{ accountId, day }], { sinceMs: 0, through: 77_000 }),
  };
  waits[kind]?.();
  await slotSums.keepProgress();
  expect((await readProgress(made().store, 0)).daysThrough).toBe(77_000);
});

test('what others follow is saved each time, and notes are dropped only now and then', async () => {
  const slotSums = start({ isFollowed: true });
  await slotSums.keepProgress();
  expect(await saved()).toMatchObject(never);
  await slotSums.sum();
  await slotSums.keepProgress();
  expect(await saved()).toMatchObject({ isSaved: true, behindMs: 0 });
  await note(day, Date.now() - 10 * dayMs);
  await made().run('TRUNCATE TABLE rolled');
  await slotSums.keepProgress();
  expect(await saved()).toMatchObject({ isSaved: true });
  expect(await made().rows('SELECT 1 FROM touched')).toHaveLength(1);
  await made().write([playOf(day)]);
  await slotSums.sum();
  unsettled.settle([{ accountId, day }]);
  unsettledPeaks.settle([{ accountId, day }]);
  await slotSums.keepProgress();
  expect(await made().rows('SELECT 1 FROM touched')).toHaveLength(1);
  const [left] = await made().rows<{ at: number }>(
    'SELECT toUnixTimestamp(arrival) AS at FROM touched',
  );
  expect(left?.at).toBeGreaterThan(Date.now() / 1_000 - 86_400);
});
