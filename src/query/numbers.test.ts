/**
 * What each statement counts, on the engine: of facts and sums that are not merged yet, where
 * another account has views, packages and videos of the same ids.
 */
import { beforeAll, expect, test } from 'vitest';
import { useNewStore } from '../../test/support/use-new-store.ts';
import { type Fact, type FactQuery, selectKeptDays } from '../store/facts.ts';
import { noVerdicts } from '../store/sql/verdicts.ts';
import { keepPeaks } from '../store/sums/peaks.ts';
import { sumDays, sumTouched } from '../store/sums/sum-insert.ts';
import { compileFacts } from './compile/facts-sql.ts';
import { compileSums } from './compile/sums-sql.ts';
import { selectConcurrency, selectKept, selectPlaying } from './concurrency/concurrency-sql.ts';
import type { Conditions } from './labels/filter-conditions.ts';
import { selectPlayback } from './live/playback.ts';
import type { FactsPlan, SumsPlan } from './plan/query-plan.ts';
import { localTime } from './ranges/local-clock.ts';
import { findOverclaimed } from './ranges/overclaimed-slots.ts';
import { computeRetention } from './retention/retention.ts';
import { selectRetention } from './retention/retention-sql.ts';

const [accountId, slotMs, dayMs] = [7, 900_000, 86_400_000];
const day = Date.UTC(2026, 4, 4);
const span = { fromMs: day, untilMs: day + dayMs };
const suspect = 'VIDEO:2026-05-04:11';
const viewOf = (number: number) => `00000000-0000-0000-0000-00000000000${number}`;

interface Played extends Partial<Omit<Fact, 'view'>> {
  readonly view: number;
  /** From the beginning of the slot. */
  readonly atMs: number;
}

function factOf({ view, atMs, ...other }: Played): Fact {
  const slotStart = other.slotStart ?? day;
  return {
    ...{ accountId, slotStart, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
    ...{ view: viewOf(view), stretch: 0, suspect: '', plays: 1, playMs: 60_000 },
    details: {
      ...{ startMs: slotStart + atMs, laterMs: 0, position: 0, mediaMs: other.playMs ?? 60_000 },
      attributes: { country: 'KR' },
    },
    ...other,
  };
}

/** The first view has grown since it was summed, and lies in two parts of the table. */
const first: readonly Played[] = [
  { view: 1, atMs: 0, playMs: 20_000 },
  { view: 2, atMs: 30_000, packageId: 2, osVersion: '9', playMs: 40_000 },
];
const second: readonly Played[] = [
  { view: 1, atMs: 0 },
  { view: 3, atMs: 100_000, slotStart: day + slotMs, os: 'Linux', osVersion: '', playMs: 5_000 },
  { view: 4, atMs: 200_000, suspect, playMs: 500_000 },
  // Of another account, of which there is more of everything.
  ...[1, 2, 3, 5].map((view) => ({ accountId: 8, view, atMs: 0, playMs: 800_000 })),
];

const made = useNewStore();
beforeAll(async () => {
  for (const table of ['stretch', 'playback_sum', 'peak']) {
    await made().run(`SYSTEM STOP MERGES ${table}`);
  }
  const days = [accountId, 8].map((account) => ({ accountId: account, day }));
  for (const some of [first, second]) {
    await made().write(some.map(factOf));
    await sumTouched(made().store, { from: 0, batches: undefined }, noVerdicts);
    await sumDays(made().store, days);
    await keepPeaks(made().store, days, noVerdicts);
  }
});

const read = <Row>(query: FactQuery) => made().store.selectMany<Row>(query);

const clock = [{ sinceMs: day, offsetMs: 32_400_000 }];
const bySlot = { slots: [span], days: [] };
const byDay = { slots: [], days: [span] };
const keysOf = (...sql: string[]) => ({ sql, parameters: {}, conditions: [] });
const noConditions = { sql: [], parameters: {} };
const counts = ['plays', 'playMs'] as const;
const planned = { accountId, spans: [span], clock: [], conditions: noConditions };
const source = { accountId, spans: [span], accepted: [], overclaimed: [], mergesAll: true };

const sums = { ...planned, source: 'sums', counts, grouping: 'account', cover: bySlot } as const;
const where = (sql: string, values: Conditions['parameters']) => {
  return { sql: [sql], parameters: values };
};
const ofVideo = where('videoId = {video:UInt32}', { video: 11 });
const row = (plays: number, playMs: number, ...keys: string[]) => ({
  ...Object.fromEntries(keys.map((key, index) => [`key${index}`, key])),
  ...{ count_plays: plays, count_playMs: playMs },
});

test.each<[string, Partial<SumsPlan>, readonly object[]]>([
  ['all', { keys: keysOf() }, [row(3, 105_000)]],
  [
    'systems and versions',
    { grouping: 'account-os', keys: keysOf('os', 'osVersion') },
    [row(1, 5_000, 'Linux', 'Unknown'), row(1, 60_000, 'iOS', '18'), row(1, 40_000, 'iOS', '9')],
  ],
  [
    'systems of a package',
    {
      ...{ grouping: 'package-os', keys: keysOf('os') },
      conditions: where('packageId = {package:UInt32}', { package: 2 }),
    },
    [row(1, 40_000, 'iOS')],
  ],
  [
    'versions of a system, of a video in all packages',
    {
      ...{ grouping: 'video-os', keys: keysOf('osVersion') },
      conditions: { ...ofVideo, sql: [...ofVideo.sql, "os = 'iOS'"] },
    },
    [row(1, 60_000, '18'), row(1, 40_000, '9')],
  ],
])('from sums, by slot and by day: %s', async (_, given, expected) => {
  const plan = { ...sums, keys: keysOf(), ...given };
  expect(await read(compileSums(plan, 9))).toEqual(expected);
  expect(await read(compileSums({ ...plan, cover: byDay }, 9))).toEqual(expected);
});

test.each<[string, string, Partial<SumsPlan>]>([
  ['dates', '2026-05-04', { keys: keysOf(`toDate(${localTime(clock)})`) }],
  ['hours', '9', { keys: keysOf(`toHour(${localTime(clock)})`) }],
  [
    'dates of a video in all packages',
    '2026-05-04',
    { keys: keysOf(`toDate(${localTime(clock)})`), grouping: 'video', conditions: ofVideo },
  ],
])('from sums by the clock of a zone: %s', async (_, key, given) => {
  const plan = { ...sums, clock, keys: keysOf(), ...given };
  expect(await read(compileSums(plan, 9))).toEqual([row(3, 105_000, key)]);
});

test.each([
  [1, [row(1, 60_000, '18'), row(2, 45_000, 'Other')]],
  [2, [row(1, 60_000, '18'), row(1, 40_000, '9'), row(1, 5_000, 'Other')]],
  [3, [row(1, 60_000, '18'), row(1, 40_000, '9'), row(1, 5_000, 'Unknown')]],
])('from sums, the %i values played most, and all others as one', async (mostListed, expected) => {
  const plan = { ...sums, grouping: 'account-os', keys: keysOf('osVersion'), mostListed } as const;
  const rows = await read<{ key0: string }>(compileSums(plan, 9));
  expect(rows.toSorted((a, b) => (a.key0 < b.key0 ? -1 : 1))).toEqual(expected);
});

test('what is stored as Other is in its row', async () => {
  const keys = keysOf("if(osVersion = '18', 'Other', osVersion)");
  const plan = { ...sums, grouping: 'account-os', keys, mostListed: 1 } as const;
  expect(await read(compileSums(plan, 9))).toEqual([row(3, 105_000, 'Other')]);
});

test('beginnings of slots from facts, beside sums', async () => {
  const begun = { fromMs: day, untilMs: day + slotMs };
  const cut = [{ fromMs: day, untilMs: day + 25_000 }];
  const plan: SumsPlan = {
    ...{ ...sums, keys: keysOf() },
    cover: { slots: [{ fromMs: day + slotMs, untilMs: day + dayMs }], days: [] },
    beginnings: { ...source, spans: [begun], cut },
  };
  // 25 seconds of the one that had begun, and what the other slot has.
  expect(await read(compileSums(plan, 9))).toEqual([{ count_plays: 2, count_playMs: 30_000 }]);
});

const facts: FactsPlan = {
  ...{
    ...planned,
    ...source,
    keys: keysOf('os'),
    cut: [],
    askedAtMs: 0,
    distinguished: 0,
    passes: 1,
  },
  source: 'facts',
  counts: ['plays', 'playMs', 'views', 'seenMs'],
  lengths: [{ videoId: 11, accessKey: 'film', title: '', folderId: 3, durationMs: 50_000 }],
  ...{ regular: undefined, audienceDays: undefined },
};
const countsOf = (plays: number, playMs: number, seenMs: number) => ({
  ...{ count_facts: plays, count_plays: plays, count_playMs: playMs, count_views: plays },
  count_seenMs: seenMs,
});

test.each([
  ['all merged', {}, 0],
  ['merged where slots lie in several parts', { mergesAll: false }, 0],
  ['overclaimed', { overclaimed: [day] }, 0],
  ['with an accepted suspect', { accepted: [suspect] }, 1],
])('from facts: %s', async (_, change, more) => {
  const rows = await read<Record<string, unknown>>(compileFacts({ ...facts, ...change }, 9));
  // Each view has seen its length at most.
  const ofSystem = countsOf(2 + more, 100_000 + more * 500_000, 90_000 + more * 50_000);
  const ofLinux = countsOf(1, 5_000, 5_000);
  expect(rows.toSorted((a, b) => (String(a.key0) < String(b.key0) ? -1 : 1))).toEqual([
    expect.objectContaining({
      ...{ isTotal: 1, key0: '', count_facts: 3 + more, count_views: 3 + more },
      count_seenMs: 95_000 + more * 50_000,
    }),
    expect.objectContaining({ isTotal: 0, key0: 'Linux', ...ofLinux }),
    expect.objectContaining({ isTotal: 0, key0: 'iOS', ...ofSystem }),
  ]);
});

test('of facts that are cut only what was played before counts, and what it saw', async () => {
  const cut = [{ fromMs: day, untilMs: day + 25_000 }];
  const spans = [{ fromMs: day, untilMs: day + slotMs }];
  const rows = await read(compileFacts({ ...facts, spans, cut, keys: keysOf() }, 9));
  // The other view had not begun.
  expect(rows).toMatchObject([{ count_plays: 1, count_playMs: 25_000, count_seenMs: 25_000 }]);
});

test('days with playback, and whether their peaks are kept', async () => {
  const ofAccount = (id: number) => ({
    ...{ name: 'test', sql: selectKeptDays(''), parameters: { accountId: id } },
  });
  const kept = { day: day / 1_000, isKept: 1, plays: 3, playMs: 105_000 };
  expect(await read(ofAccount(accountId))).toEqual([kept]);
  expect(await read(ofAccount(8))).toMatchObject([{ isKept: 1, plays: 4 }]);
  // As an earlier release stored it, without a peak.
  await made().run(
    `INSERT INTO playback_sum (accountId, grouping, slot, plays, playMs)
      SELECT 8, 'account', {slot:UInt32}, 1, 1`,
    { slot: (day + 2 * slotMs) / 1_000 },
  );
  expect(await read(ofAccount(8))).toMatchObject([{ isKept: 0, plays: 5 }]);
  expect(await read(ofAccount(accountId))).toEqual([kept]);
});

test('slots are overclaimed whose facts claim more than is summed', async () => {
  expect(await read(findOverclaimed(source))).toEqual([]);
  expect(await read(findOverclaimed({ ...source, accepted: [suspect] }))).toEqual([
    { seconds: day / 1_000 },
  ]);
});

const asked = {
  ...{ ...source, timeZone: 'UTC', localSpans: [], clock: [{ sinceMs: day, offsetMs: 0 }] },
  parameters: { clockSince0: day / 1_000, clockOffset0: 0 },
};
const key = String(day / 1_000);

test.each([
  ['the account', {}, { peak: 2, peakAtMs: day + 30_000, playMs: 105_000 }],
  ['a package', { packageId: 2 }, { peak: 1, peakAtMs: day + 30_000, playMs: 40_000 }],
  ['a video', { videoId: 11 }, { peak: 2, peakAtMs: day + 30_000, playMs: 105_000 }],
  [
    'a video in a package',
    { videoId: 11, packageId: 1 },
    { peak: 1, peakAtMs: day, playMs: 65_000 },
  ],
])('the peak of a day, as it is kept and from facts: of %s', async (_, given, expected) => {
  const curve = { ...asked, ...given };
  expect(await read(selectKept(curve, 'day', []))).toMatchObject([{ key, ...expected }]);
  expect(await read(selectConcurrency(curve, 'day'))).toMatchObject([{ key, ...expected }]);
});

test('peaks of hours without a span, and of minutes', async () => {
  const rest = { fromMs: day, untilMs: day + slotMs };
  expect(await read(selectKept(asked, 'hour', [rest]))).toMatchObject([
    { peak: 1, peakAtMs: day + slotMs + 100_000, playMs: 5_000 },
  ]);
  const minutes = await read<Record<string, number>>(selectConcurrency(asked, 'minute'));
  const ordered = minutes.map(({ peak, peakAtMs, playMs }) => [peakAtMs, peak, playMs]);
  expect(ordered.toSorted(([a = 0], [b = 0]) => a - b)).toEqual([
    [day + 30_000, 2, 90_000],
    [day + 60_000, 1, 10_000],
    [day + slotMs + 100_000, 1, 5_000],
  ]);
});

test('who watches now, and whether anything played', async () => {
  const live = (sinceMs: number) => read(selectPlaying(asked, sinceMs, 9));
  expect(await live(day + 70_000)).toEqual([{ videoId: 11, playing: 2, allPlaying: 2 }]);
  expect(await live(day + slotMs + 105_001)).toEqual([]);
  const parts = async (fromMs: number, untilMs: number) =>
    read(selectPlayback(asked, { fromMs: day + fromMs, untilMs: day + untilMs }));
  expect(await parts(59_999, 60_000)).toEqual([{ parts: 2 }]);
  expect(await parts(70_000, slotMs)).toEqual([{ parts: 0 }]);
});

test('how far a video is watched', async () => {
  const video = { lengthMs: 50_000, parts: 2 };
  const changes = await read<never>(selectRetention({ ...asked, videoId: 11 }, video));
  const { views, positionedViews, averageSeen, list } = computeRetention(changes, video);
  expect({ views, positionedViews, averageSeen }).toEqual({
    ...{ views: 3, positionedViews: 3, averageSeen: 0.6333 },
  });
  expect(list.map(({ audience }) => audience)).toEqual([3, 2]);
});
