/** What is read of playback that was set apart. */
import { beforeAll, expect, test } from 'vitest';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import type { SuspectName } from '../../vocabulary/suspects.ts';
import type { Fact } from '../facts.ts';
import { createSuspects, readSuspectViews, type SuspectViewRecall } from './quarantine.ts';

const slotMs = 900_000;
const day = Date.UTC(2025, 11, 31);
const one = 'ADDRESS:2025-12-31:1';
const other = 'VIDEO:2025-12-31:11';
const viewOf = (number: number) => `00000000-0000-0000-0000-00000000000${number}`;

function factOf(view: number, other: Partial<Fact> = {}): Fact {
  return {
    ...{ accountId: 1, slotStart: day, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
    ...{ view: viewOf(view), stretch: 0, suspect: '', plays: 1, playMs: 1_000 },
    ...other,
  };
}

const made = useNewStore();
beforeAll(async () => {
  await made().write([
    factOf(1, { suspect: one, playMs: 600_000 }),
    factOf(1, { suspect: one, stretch: 1, playMs: 400_000 }),
    factOf(1, { suspect: one, slotStart: day + slotMs, stretch: 1, plays: 0 }),
    factOf(2, { suspect: other, videoId: 12, ceiling: { ms: 700, known: 1 } }),
    // Part of it was usual.
    factOf(2, { videoId: 12, stretch: 3, plays: 0, playMs: 30 }),
    factOf(2, { videoId: 12, stretch: 3, plays: 0, playMs: 40, slotStart: day + slotMs }),
    factOf(3),
    factOf(4, { accountId: 2, suspect: other, slotStart: day - slotMs }),
  ]);
  // The same has grown, or comes once more.
  await made().write([factOf(1, { suspect: one, plays: 0, playMs: 5 })]);
});

let ready = true;
const asked: SuspectName[] = [];
const suspects = () =>
  createSuspects({
    store: made().store,
    requireSummed: () => {
      if (!ready) throw new Error('not summed, as the test said');
    },
    rollUp: () => ({
      async sumAgain(names) {
        asked.push(...names);
      },
    }),
  });

test('each suspect of a range, with what it would add, the longest first', async () => {
  const list = (fromMs: number, untilMs: number) =>
    suspects().list({ accountId: 1, fromMs, untilMs });
  const ofOther = { suspect: other, views: 1, videos: 1, plays: 1, playMs: 700 };
  expect(await list(day, day + 2 * slotMs)).toEqual([
    {
      ...{ suspect: one, views: 1, videos: 1, plays: 2, playMs: 901_000 },
      ...{ fromMs: day, untilMs: day + 2 * slotMs },
    },
    { ...ofOther, fromMs: day, untilMs: day + slotMs },
  ]);
  expect((await list(day, day + slotMs - 999))[0]).toMatchObject({ playMs: 900_000 });
  expect(await list(day + 1, day + slotMs)).toEqual([]);
  expect(await list(day + slotMs - 999, day + slotMs + 1)).toMatchObject([{ playMs: 1_000 }]);
  expect(await list(Date.UTC(1969, 0, 1), Date.UTC(2200, 0, 1))).toHaveLength(2);
});

test('the suspects of all accounts since an instant, and whether there is one', async () => {
  const names = async (sinceMs: number) =>
    (await suspects().namesSince(sinceMs)).map(Object.values).sort();
  expect(await names(day + 999)).toEqual([
    [1, one],
    [1, other],
  ]);
  expect(await names(day - slotMs)).toHaveLength(3);
  expect(await names(day + 1_000)).toEqual([[1, one]]);
  const has = (accountId: number, suspect: string) => suspects().has({ accountId, suspect });
  expect(await Promise.all([has(1, one), has(2, one), has(2, other), has(1, '')])).toEqual([
    ...[true, false, true, true],
  ]);
});

test('a verdict is followed, and nothing is read, only while sums lack nothing', async () => {
  await suspects().sumAgain({ accountId: 1, suspect: one });
  expect(asked).toEqual([{ accountId: 1, suspect: one }]);
  ready = false;
  const name = { accountId: 1, suspect: one };
  for (const ask of [
    () => suspects().list({ accountId: 1, fromMs: day, untilMs: day }),
    () => suspects().has(name),
    () => suspects().namesSince(0),
    () => suspects().sumAgain(name),
  ]) {
    await expect(ask()).rejects.toThrow('not summed');
  }
  ready = true;
  expect(asked).toHaveLength(1);
});

test('views that were set apart for some reasons lately, and what of them was usual', async () => {
  const recall = (other: Partial<SuspectViewRecall> = {}) =>
    readSuspectViews(
      made().store,
      {
        ...{ reasons: ['ADDRESS', 'VIDEO'], withinMs: 60_000, mostViews: 10, remember: () => {} },
        ...other,
      },
      day + 60_000,
    );
  const about = { packageId: 1 };
  const apart = { ...about, videoId: 11, view: viewOf(1), suspect: one, usual: [] };
  const partly = { ...about, videoId: 12, view: viewOf(2), suspect: other, usual: [[3, 70]] };
  const inOrder = async (found: Promise<readonly { view: string }[]>) =>
    (await found).toSorted((a, b) => a.view.localeCompare(b.view));
  expect(await inOrder(recall())).toEqual([apart, partly]);
  expect(await recall({ reasons: ['VIDEO'] })).toEqual([partly]);
  expect(await recall({ reasons: ['LENGTH'] })).toEqual([]);
  expect(await recall({ mostViews: 1 })).toHaveLength(1);
  expect(await inOrder(recall({ withinMs: 60_000 + slotMs }))).toMatchObject([
    apart,
    partly,
    { view: viewOf(4) },
  ]);
  expect(await recall({ withinMs: 59_000 })).toMatchObject([{ view: viewOf(1) }]);
});
