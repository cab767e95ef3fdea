import { beforeEach, expect, test } from 'vitest';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import { checkViews, readCheckedDays } from '../days/regular-views.ts';
import {
  doubtProgress,
  dropTouched,
  forgetProgress,
  readProgress,
  saveProgress,
} from './progress.ts';

const dayMs = 86_400_000;
const noon = Date.UTC(2026, 10, 21, 12);
const midnight = noon - dayMs / 2;

const made = useNewStore();
beforeEach(() => made().forgetRollUps());

const note = (arrival: number) =>
  made().run(
    `INSERT INTO touched (arrival, accountId, slot)
      SELECT fromUnixTimestamp64Milli({arrival:Int64}), 1, 0`,
    { arrival },
  );

const read = (skewMs = 0) => readProgress(made().store, skewMs);
const unknown = { through: 0, daysThrough: 0 };

async function arrivals(): Promise<number[]> {
  const rows = await made().rows<{ arrival: number }>(
    'SELECT toUnixTimestamp64Milli(arrival) AS arrival FROM touched ORDER BY 1',
  );
  return rows.map(({ arrival }) => arrival);
}

test('a new store has no progress', async () => {
  expect(await read()).toMatchObject({ ...unknown, isAhead: false });
});

// Of a new store days are summed later than slots.
test.each([
  ['nothing was summed', 0, 0],
  ['no day was summed', noon, 0],
  ['a day was summed just after the beginning of time', noon, 2 * dayMs],
])('while %s, no note is dropped', async (_, through, daysThrough) => {
  await note(noon - 40 * dayMs);
  await note(noon);
  await dropTouched(made().store, { through, daysThrough });
  expect(await arrivals()).toEqual([noon - 40 * dayMs, noon]);
});

test.each([
  ['slots', { through: noon, daysThrough: noon + 9 * dayMs }],
  ['days', { through: noon + 9 * dayMs, daysThrough: noon }],
])('notes are kept for three days before the progress of %s', async (_, progress) => {
  const kept = midnight - 3 * dayMs;
  for (const arrival of [kept - 2 * dayMs, kept - 1, kept, noon]) await note(arrival);
  await dropTouched(made().store, progress);
  expect(await arrivals()).toEqual([kept, noon]);
});

test('a day that was noted after its views were checked is not checked when the notes are gone', async () => {
  const first = noon - 40 * dayMs;
  const checked = async () => {
    const days = await readCheckedDays(made().store, { accountId: 1, fromMs: 0, untilMs: dayMs });
    return days.length === 1;
  };
  await note(first);
  await checkViews(made().store, [{ accountId: 1, day: 0 }], Date.now() - first - dayMs / 2);
  expect(await checked()).toBe(true);
  await note(first + dayMs);
  await dropTouched(made().store, { through: noon, daysThrough: noon });
  expect(await arrivals()).toEqual([]);
  expect(await checked()).toBe(false);
  await checkViews(made().store, [{ accountId: 1, day: 0 }], 0);
  expect(await checked()).toBe(true);
});

test('progress in the future, by a clock that was set back, counts for nothing', async () => {
  const minuteMs = 60_000;
  const through = Date.now() + 9 * minuteMs;
  const daysThrough = noon - 40 * dayMs;
  await saveProgress(made().store, { through, daysThrough });
  expect(await read()).toMatchObject({ ...unknown, isAhead: true });
  expect(await read(8 * minuteMs)).toMatchObject({ ...unknown, isAhead: true });
  // As another server of the store may have saved it, whose clock is ahead.
  const { storeNow, ...known } = await read(9 * minuteMs);
  expect(known).toEqual({ through: storeNow, daysThrough, isAhead: false });
});

test('progress up to which the clock goes a second time counts once it is saved beyond', async () => {
  const { store } = made();
  const stepped = noon - dayMs;
  const until = stepped + 3_600_000;
  await saveProgress(store, { through: until, daysThrough: until });
  await doubtProgress(store, until);
  expect(await read()).toMatchObject({ through: until, daysThrough: until });
  await doubtProgress(store, stepped);
  expect(await read()).toMatchObject({ ...unknown, isAhead: false });
  await saveProgress(store, { through: stepped + 1_000, daysThrough: stepped });
  expect(await read()).toMatchObject(unknown);
  await saveProgress(store, { through: until + 1, daysThrough: until });
  expect(await read()).toMatchObject({ through: until + 1, daysThrough: 0 });
  await saveProgress(store, { through: until + 9, daysThrough: until + 1 });
  expect(await read()).toMatchObject({ through: until + 9, daysThrough: until + 1 });
  await forgetProgress(store);
  expect(await read()).toMatchObject(unknown);
});
