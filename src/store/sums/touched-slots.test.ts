import { expect, test } from 'vitest';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import {
  divideNotes,
  type Notes,
  readBatches,
  readTouchedDays,
  unseenNotes,
} from './touched-days.ts';

const made = useNewStore();

test.each<[string, [number, number][], [number, number][], number[] | undefined]>([
  ['none', [], [], undefined],
  ['one that is new', [[7, 1]], [], [7]],
  ['one that was seen', [[7, 2]], [[7, 2]], undefined],
  [
    'one that was seen in part',
    [
      [7, 2],
      [8, 1],
    ],
    [
      [7, 1],
      [8, 1],
    ],
    [7],
  ],
  [
    'some of each',
    [
      [7, 2],
      [8, 1],
      [9, 3],
    ],
    [[8, 1]],
    [7, 9],
  ],
])('batches that were not seen: %s', (_, now, seen, batches) => {
  const found = unseenNotes(5, new Map(now), new Map(seen));
  expect(found).toEqual(batches && { from: 5, batches });
});

test('so many batches that the statement takes all notes', () => {
  const of = (length: number) => new Map(Array.from({ length }, (_, batch) => [batch, 1]));
  expect(unseenNotes(5, of(400), new Map())?.batches).toHaveLength(400);
  expect(unseenNotes(5, of(401), new Map())).toEqual({ from: 5, batches: undefined });
});

test('notes since an instant, of all batches or some', async () => {
  const dayMs = 86_400_000;
  const day = Date.UTC(2026, 9, 5);
  const note = (batch: number, arrival: number, slot: number) =>
    made().run(
      `INSERT INTO touched (arrival, accountId, slot, batch)
        SELECT fromUnixTimestamp64Milli({arrival:Int64}), 1, {slot:UInt32}, {batch:UInt64}`,
      { batch, arrival, slot: slot / 1_000 },
    );
  await note(7, 4_999, day);
  await note(7, 5_000, day + dayMs - 900_000);
  await note(8, 6_000, day + dayMs);
  await note(8, 6_000, day + dayMs);
  await note(9, 6_001, day + 2 * dayMs);

  const found = async (from: number) => {
    const startedAt = Date.now();
    const { storeNow, batches } = await readBatches(made().store, from);
    expect(storeNow).toBeGreaterThanOrEqual(startedAt - 5);
    expect(storeNow).toBeLessThanOrEqual(Date.now() + 5);
    return [...batches].sort();
  };
  expect(await found(5_000)).toEqual([
    [7, 1],
    [8, 2],
    [9, 1],
  ]);
  expect(await found(4_999)).toEqual([
    [7, 2],
    [8, 2],
    [9, 1],
  ]);
  expect(await found(6_001)).toEqual([[9, 1]]);
  expect(await found(6_002)).toEqual([]);

  const all = { from: 5_000, batches: undefined };
  const some = { from: 5_000, batches: [7, 9] };
  const daysOf = async (notes: Notes) =>
    (await readTouchedDays(made().store, notes)).map((one) => one.day).sort();
  expect(await daysOf(all)).toEqual([day, day + dayMs, day + 2 * dayMs]);
  expect(await daysOf(some)).toEqual([day, day + 2 * dayMs]);

  // All of them by the quarter of an hour of their arrival, those named by their batches at once.
  await note(8, 1_800_000, day);
  await note(9, 2_699_999, day + dayMs);
  await note(9, 2_700_000, day + 2 * dayMs);
  expect(await divideNotes(made().store, some)).toEqual([some]);
  const portions = await divideNotes(made().store, all);
  expect(portions.map(({ from, until }) => [from, until])).toEqual([
    [5_000, 900_000],
    [1_800_000, 2_700_000],
    [2_700_000, 3_600_000],
  ]);
  expect(await Promise.all(portions.map(daysOf))).toEqual([
    [day, day + dayMs, day + 2 * dayMs],
    [day, day + dayMs],
    [day + 2 * dayMs],
  ]);
});
