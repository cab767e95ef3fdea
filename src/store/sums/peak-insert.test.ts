/** The peaks that are kept of facts: how many play at once at most, and since when. */
import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import type { Fact } from '../facts.ts';
import { encodeFacts } from '../journal/fact-batch.ts';
import { noVerdicts } from '../sql/verdicts.ts';
import { partsOfPeak } from '../tables/sums.ts';
import { createPeakJob, keepPeaks, keepTouchedPeaks } from './peaks.ts';
import { repairSums } from './sum-check.ts';
import { createUnsettledDays } from './touched-days.ts';

const slotMs = 900_000;
const dayMs = 86_400_000;
const day = Date.UTC(2025, 11, 31);
const suspect = 'VIDEO:2025-12-31:11';

const made = useNewStore();
let accountId = 100;

type Part = Partial<Fact> & { readonly atMs?: number };
let views = 0;
/** Played from `atMs` on, counted from the beginning of its slot. */
function factOf({ atMs = 0, ...other }: Part): Fact {
  views += 1;
  const slotStart = other.slotStart ?? day;
  return {
    ...{ accountId, slotStart, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
    ...{ view: `00000000-0000-0000-0000-${String(views).padStart(12, '0')}`, stretch: 0 },
    ...{ suspect: '', plays: 1, playMs: 1_000 },
    details: { startMs: slotStart + atMs, laterMs: 0, mediaMs: 0, attributes: {} },
    ...other,
  };
}

/** `grouping video package slot epoch extent peak offset`, the slot counted from the day's first. */
async function kept(): Promise<string[]> {
  const rows = await made().rows<Record<string, string | number>>(
    `SELECT toString(grouping) AS name, videoId, packageId,
      (toUnixTimestamp(slot) - {day:UInt32}) / 900 AS at, ${partsOfPeak.epoch('largest')} AS epoch,
      ${partsOfPeak.extent('largest')} AS extent, ${partsOfPeak.peak('largest')} AS most,
      ${partsOfPeak.offsetMs('largest')} AS offset
    FROM (SELECT grouping, videoId, packageId, slot, max(peak.peak) AS largest FROM peak
      WHERE accountId = {accountId:UInt32} GROUP BY ALL) ORDER BY ALL`,
    { accountId, day: day / 1_000 },
  );
  return rows.map((row) => Object.values(row).join(' '));
}
const ofAccount = async () => (await kept()).filter((row) => row.startsWith('account '));

const days = () => [{ accountId, day }];
const ceiling = { ms: 300, known: 2 };
const undated = { startMs: 0, laterMs: 0, mediaMs: 0, attributes: {} };

test.each<[string, Part[], extent: number, peak: number, sinceMs: number]>([
  ['one', [{ atMs: 70 }], 1_071, 1, 70],
  ['two that overlap', [{ atMs: 70 }, { atMs: 500 }], 2_572, 2, 500],
  ['one that begins where another ends', [{ atMs: 1_070 }, { atMs: 70 }], 3_142, 1, 70],
  [
    'two pairs: the earlier',
    [{ atMs: 0 }, { atMs: 10 }, { atMs: 5_000 }, { atMs: 5_010 }],
    ...[14_024, 2, 10],
  ] as never,
  ['one that began in an earlier slot', [{ atMs: -700 }, { atMs: 40 }], 2_042, 2, 40],
  ['one whose start is not known', [{ details: undated }], 1_000, 0, 0],
  ['one below its ceiling', [{ ceiling }, { atMs: 400 }], 2_404, 1, 0],
  ['one of which nothing counts', [{ ceiling: { ms: 0, known: 2 } }, { atMs: 9 }], 2_013, 1, 9],
  ['one that is set apart', [{ suspect }, { atMs: 9 }], 1_010, 1, 9],
])('%s', async (_, parts, extent, peak, sinceMs) => {
  accountId += 1;
  await made().write(parts.map(factOf));
  await keepPeaks(made().store, days(), noVerdicts);
  expect(await ofAccount()).toEqual([`account 0 0 0 0 ${extent} ${peak} ${sinceMs}`]);
});

test('of a fact that has grown, and is in the store in two parts, the larger', async () => {
  accountId += 1;
  const fact = factOf({});
  for (const playMs of [1_000, 400]) await made().write([{ ...fact, playMs }]);
  await keepPeaks(made().store, days(), noVerdicts);
  expect(await ofAccount()).toEqual(['account 0 0 0 0 1001 1 0']);
});

test('of a video in several packages also all together; each slot by itself', async () => {
  accountId += 1;
  const lastSlot = day + dayMs - slotMs;
  await made().write([
    factOf({}),
    factOf({ atMs: 5, packageId: 2 }),
    factOf({ videoId: 12, slotStart: lastSlot }),
    factOf({ slotStart: day + dayMs }),
  ]);
  await keepPeaks(made().store, days(), noVerdicts);
  expect(await kept()).toEqual([
    'account 0 0 0 0 2007 2 5',
    'account 0 0 95 0 1001 1 0',
    'package 0 1 0 0 1001 1 0',
    'package 0 1 95 0 1001 1 0',
    'package 0 2 0 0 1006 1 5',
    'video 11 0 0 0 2007 2 5',
    'video 11 1 0 0 1001 1 0',
    'video 11 2 0 0 1006 1 5',
    'video 12 1 95 0 1001 1 0',
  ]);
});

test('what is set apart counts when it is accepted, and of several suspects once', async () => {
  accountId += 1;
  const verdicts: CurrentVerdicts = {
    accepted: [{ accountId, suspect }],
    epochs: new Map([[accountId, 3]]),
  };
  const [apart, usual] = [factOf({ atMs: 30, suspect, ceiling }), factOf({ atMs: 20 })];
  const { ceiling: _, ...bare } = apart;
  const withoutCeiling = { ...bare, suspect: '', playMs: 400 };
  const other = factOf({ atMs: 25, suspect: 'VIDEO:2025-12-31:12' });
  await made().write([apart, usual, other, withoutCeiling]);
  await keepPeaks(made().store, days(), verdicts);
  expect(await ofAccount()).toEqual(['account 0 0 0 3 2054 2 30']);
});

test('where counts may have shrunk, peaks of nothing take the place of those before', async () => {
  accountId += 1;
  await made().write([factOf({ suspect })]);
  await keepPeaks(made().store, days(), noVerdicts);
  expect(await kept()).toEqual([]);
  const epochs = new Map([[accountId, 2]]);
  await keepPeaks(made().store, days(), { accepted: [], epochs });
  expect(await ofAccount()).toEqual(['account 0 0 0 2 0 0 0']);
});

const note = (slot: number, arrival: number) =>
  made().run(
    `INSERT INTO touched (arrival, accountId, slot)
      SELECT fromUnixTimestamp64Milli({arrival:Int64}), {accountId:UInt32}, {slot:UInt32}`,
    { accountId, slot: slot / 1_000, arrival },
  );

/** Facts without notes of their slots. */
async function store(facts: readonly Fact[]): Promise<void> {
  const { rows, columns } = encodeFacts(facts);
  await made().store.insertText('stretch', rows, columns);
}

test('of slots that were touched since an instant, and no others', async () => {
  accountId += 1;
  await store([0, 1, 2].map((slot) => factOf({ slotStart: day + slot * slotMs })));
  await store([factOf({ slotStart: day + dayMs })]);
  await note(day, 4_999);
  await note(day + slotMs, 5_000);
  await note(day + dayMs, 5_000);
  await keepTouchedPeaks(made().store, days(), { from: 5_000, verdicts: noVerdicts });
  expect(await ofAccount()).toEqual(['account 0 0 1 0 1001 1 0']);
});

test('touched days when they are due, and then, one account after the other, former ones', async () => {
  const { store: facts } = made();
  await made().run('TRUNCATE TABLE playback_sum');
  const former = [accountId + 1, accountId + 2];
  for (const account of former) {
    const all = [0, 1].map((at) => factOf({ accountId: account, slotStart: day + at * dayMs }));
    await store(all);
    const listed = all.map(({ slotStart }) => ({ accountId: account, day: slotStart }));
    await repairSums(facts, listed, noVerdicts);
  }
  accountId += 3;
  await store([0, 1].map((slot) => factOf({ slotStart: day + slot * slotMs })));
  await note(day, 20_000 - 5_001);
  await note(day + slotMs, 20_000 - 5_000);
  const unsettled = createUnsettledDays();
  const clock = manualClock();
  const of = { store: facts, unsettled, clock, verdicts: () => noVerdicts };
  const upkeep = createPeakJob({ ...of, everyMs: 1_000, lookBackMs: 5_000 });
  unsettled.add(days(), { sinceMs: clock.monotonic(), through: 20_000 });
  clock.advance(1_000);
  await upkeep.keepSome();
  expect(await ofAccount()).toEqual(['account 0 0 1 0 1001 1 0']);
  expect(unsettled.of(accountId)).toEqual([]);

  const keptDays = async (account: number) => {
    const rows = await made().rows(
      'SELECT DISTINCT slot FROM peak WHERE accountId = {account:UInt32}',
      {
        account,
      },
    );
    return rows.length;
  };
  const found = async () => [await keptDays(former[0] ?? 0), await keptDays(former[1] ?? 0)];
  expect(await found()).toEqual([0, 0]);
  await upkeep.keepSome();
  expect(await found()).toEqual([1, 0]);
  await upkeep.keepSome();
  expect(await found()).toEqual([2, 0]);
  for (const _ of [1, 2, 3]) await upkeep.keepSome();
  expect(await found()).toEqual([2, 2]);
  // Each account once: what comes from now on has its peaks.
  await made().run('ALTER TABLE peak DELETE WHERE accountId = {account:UInt32}', {
    account: former[0] ?? 0,
  });
  for (const _ of [1, 2, 3]) await upkeep.keepSome();
  expect(await found()).toEqual([0, 2]);

  unsettled.add(days(), { sinceMs: clock.monotonic(), through: 0 });
  await upkeep.keepAllDue();
  expect(unsettled.of(accountId)).toEqual([day]);
  await upkeep.keepAll();
  expect(unsettled.of(accountId)).toEqual([]);
  expect(await ofAccount()).toHaveLength(2);
});
