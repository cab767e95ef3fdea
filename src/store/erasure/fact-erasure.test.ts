/** What each kind of erasure finds, sums without, and deletes. */
import { beforeAll, expect, test } from 'vitest';
import { naiveSums, storedSums } from '../../../test/support/naive-sums.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import type { ErasureTarget } from '../../vocabulary/erasures.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import { createEventLog } from '../facts/event-log.ts';
import type { Fact, FactErasure } from '../facts.ts';
import { encodeFacts } from '../journal/fact-batch.ts';
import { checkPeaks, keepPeaks } from '../sums/peaks.ts';
import { repairSums } from '../sums/sum-check.ts';
import { createFactErasure } from './fact-erasure.ts';

const dayMs = 86_400_000;
const slotMs = 900_000;
/** The last day of a year, and the first of the next. */
const dayOne = Date.UTC(2025, 11, 31);
const dayTwo = dayOne + dayMs;
const lastSlot = dayTwo - slotMs;
const mary = String(2n ** 63n + 5n);
const viewOf = (number: number) => `00000000-0000-0000-0000-00000000000${number}`;

let verdicts: CurrentVerdicts;
let ready = true;
const made = useNewStore();
let erasing: FactErasure;
beforeAll(async () => {
  erasing = createFactErasure({
    store: made().store,
    verdicts: { current: async () => verdicts },
    settlesWithinMs: 7,
    requireSummed: () => {
      if (!ready) throw new Error('not summed, as the test said');
    },
  });
});
/** With the same facts and events, of which nothing is erased. */
let other: number;
beforeAll(async () => {
  await addFacts();
  other = await newAccount(all);
});

const details = (viewer: string) => ({
  ...{ startMs: 0, laterMs: 0, mediaMs: 0, viewer },
  attributes: {},
});

function factsOf(accountId: number): Fact[] {
  const one = (view: number, slotStart: number, other: Partial<Fact> = {}): Fact => ({
    ...{ accountId, slotStart, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
    ...{ view: viewOf(view), stretch: 0, suspect: '', plays: 1, playMs: 1_000 * view },
    ...other,
  });
  return [
    one(1, dayOne),
    one(2, lastSlot, { details: details(mary) }),
    one(2, dayTwo, { details: details(mary), stretch: 1, plays: 0 }),
    one(3, dayTwo, { packageId: 2 }),
    one(4, dayTwo + slotMs, { videoId: 12 }),
    // Another viewer, whose number differs in the last digit.
    one(5, dayOne, { details: details(String(2n ** 63n + 6n)), videoId: 12, packageId: 2 }),
  ];
}

interface Case {
  readonly target: Partial<ErasureTarget>;
  /** Of the views, numbered, the facts that go. */
  readonly isGone: (fact: Fact) => boolean;
  /** Views whose events go. */
  readonly events: readonly number[];
  readonly count: { readonly views: number; readonly facts: number };
  readonly tags?: 'long'[];
}

const cases: readonly (readonly [string, Case])[] = [
  [
    'views, also one that has events alone',
    {
      target: { kind: 'views', views: [2, 4, 7].map(viewOf) },
      isGone: ({ view }) => [2, 4].map(viewOf).includes(view),
      events: [2, 4, 7],
      count: { views: 3, facts: 3 },
    },
  ],
  [
    'a viewer',
    {
      target: { kind: 'viewer', viewer: mary, views: [2, 7].map(viewOf), untilMs: dayTwo },
      isGone: ({ view }) => view === viewOf(2),
      events: [2, 7],
      count: { views: 2, facts: 2 },
    },
  ],
  [
    'a video of a package until an instant within a second',
    {
      target: { kind: 'playback', packageId: 1, videoId: 11, untilMs: dayTwo + 999 },
      isGone: ({ packageId, videoId, slotStart }) =>
        packageId === 1 && videoId === 11 && slotStart < dayTwo,
      events: [1, 2],
      count: { views: 2, facts: 2 },
    },
  ],
  [
    'a package',
    {
      tags: ['long'],
      target: { kind: 'playback', packageId: 2, untilMs: dayTwo + dayMs },
      isGone: ({ packageId }) => packageId === 2,
      events: [3, 5],
      count: { views: 2, facts: 2 },
    },
  ],
  [
    'a video, and for ever',
    {
      tags: ['long'],
      target: { kind: 'playback', videoId: 12, untilMs: 8_640_000_000_000_000 },
      isGone: ({ videoId }) => videoId === 12,
      events: [4, 5],
      count: { views: 2, facts: 2 },
    },
  ],
];

/** With events in the tests that look at them. */
const all = [1, 2, 3, 4, 5, 7];
const accounts = Array.from({ length: 20 }, (_, index) => index + 1);
/** Of all accounts at once, which takes hardly longer than of one. */
async function addFacts(): Promise<void> {
  const nothing: CurrentVerdicts = { accepted: [], epochs: new Map() };
  await made().write(accounts.flatMap(factsOf));
  const days = accounts.flatMap((accountId) => [dayOne, dayTwo].map((day) => ({ accountId, day })));
  await repairSums(made().store, days, nothing);
  await keepPeaks(made().store, days, nothing);
}

async function newAccount(events: readonly number[] = []): Promise<number> {
  const accountId = accounts.pop() ?? expect.fail('there are enough accounts');
  verdicts = { accepted: [], epochs: new Map() };
  const { write } = createEventLog(
    made().store,
    () => {},
    async () => new Set(),
  );
  const at = { momentMs: 0, sequence: 1, state: 'playing', arrivalMs: Date.now() } as const;
  await write(events.map((view) => ({ accountId, view: viewOf(view), ...at })));
  return accountId;
}

const viewsIn = async (table: string, accountId: number) => {
  const rows = await made().rows<{ view: string }>(
    `SELECT toString(view) AS view FROM ${table} FINAL WHERE accountId = {accountId:UInt32}
      ORDER BY view`,
    { accountId },
  );
  return rows.map(({ view }) => Number(view.at(-1)));
};

for (const [name, { target: given, isGone, events, count, tags = [] }] of cases)
  test(name, { tags }, async () => {
    const accountId = await newAccount(all);
    const nobody = { accountId, viewer: '', views: [], packageId: 0, videoId: 0, untilMs: 0 };
    const target: ErasureTarget = { ...nobody, kind: 'views', ...given };
    expect(await erasing.count(target)).toEqual(count);
    expect(await erasing.isAnyLeft([target])).toBe(true);

    const open = [{ ...target, receipt: 'r', state: 'summing' as const }];
    const erasures = { open, keptSince: new Map(), accounts: new Set([accountId]) };
    verdicts = { accepted: [], epochs: new Map([[accountId, 1]]), erasures };
    await erasing.sumWithout(target);
    const kept = factsOf(accountId).filter((fact) => !isGone(fact));
    const sums = { bySlot: naiveSums(kept, false), byDay: naiveSums(kept, true) };
    expect(await storedSums((query) => made().store.select(query), accountId)).toEqual(sums);
    const days = [dayOne, dayTwo].map((day) => ({ accountId, day }));
    expect(await checkPeaks(made().store, days, verdicts)).toEqual([]);

    await erasing.delete(target);
    expect(await viewsIn('stretch', accountId)).toEqual(
      kept.map(({ view }) => Number(view.at(-1))).sort(),
    );
    expect(await viewsIn('event', accountId)).toEqual(all.filter((view) => !events.includes(view)));
    expect(await viewsIn('stretch', other)).toHaveLength(6);
    expect(await viewsIn('event', other)).toEqual(all);
    expect(await erasing.count(target)).toEqual({ views: 0, facts: 0 });
    expect(await erasing.isAnyLeft([target])).toBe(false);
  });

test('facts before a day go, and their sums stay', async () => {
  const accountId = await newAccount([1]);
  const nobody = { accountId, viewer: '', views: [], packageId: 0, videoId: 0 };
  const target: ErasureTarget = { ...nobody, kind: 'facts', untilMs: dayTwo };
  const keptSince = new Map([[accountId, dayTwo]]);
  const accountIds = new Set([accountId]);
  verdicts = { ...verdicts, erasures: { open: [], keptSince, accounts: accountIds } };
  expect(await erasing.count(target)).toEqual({ views: 3, facts: 3 });
  // A view of which a part is kept is erased: the days before lose nothing by it.
  const view: ErasureTarget = { ...target, kind: 'views', views: [viewOf(2)] };
  const open = [{ ...view, receipt: 'r', state: 'summing' as const }];
  const erasures = { open, keptSince, accounts: accountIds };
  verdicts = { ...verdicts, epochs: new Map([[accountId, 1]]), erasures };
  const before = await peaksBeforeDayTwo(accountId);
  await erasing.sumWithout(view);
  const kept = factsOf(accountId).filter(
    (fact) => fact.slotStart < dayTwo || fact.view !== viewOf(2),
  );
  const sums = { bySlot: naiveSums(kept, false), byDay: naiveSums(kept, true) };
  expect(await storedSums((query) => made().store.select(query), accountId)).toEqual(sums);
  expect(await peaksBeforeDayTwo(accountId)).toEqual(before);

  for (const day of [dayOne, dayTwo]) {
    await made().run(
      'INSERT INTO audience_day (accountId, slot) SELECT {accountId:UInt32}, {slot:UInt32}',
      { accountId, slot: day / 1_000 },
    );
  }
  const counted = () =>
    made().rows(
      'SELECT toUnixTimestamp(slot) * 1000 AS day FROM audience_day WHERE accountId = {accountId:UInt32}',
      { accountId },
    );
  await erasing.delete(target);
  expect(await viewsIn('stretch', accountId)).toEqual([2, 3, 4]);
  expect(await viewsIn('event', accountId)).toEqual([1]);
  expect(await counted()).toEqual([{ day: dayTwo }]);
  await erasing.delete(view);
  expect(await viewsIn('stretch', accountId)).toEqual([3, 4]);
  expect(await counted()).toEqual([]);
});

const peaksBeforeDayTwo = (accountId: number) =>
  made().rows(
    `SELECT slot, grouping, hex(max(peak.peak)) FROM peak
      WHERE accountId = {accountId:UInt32} AND slot < {until:UInt32} GROUP BY ALL ORDER BY ALL`,
    { accountId, until: dayTwo / 1_000 },
  );

test('of what is not there nothing is left, and no sums are made', async () => {
  const accountId = await newAccount();
  const nobody = { accountId, viewer: '', packageId: 0, videoId: 0, untilMs: 0 };
  await erasing.sumWithout({ ...nobody, kind: 'views', views: [viewOf(9)] });
  expect(await erasing.isAnyLeft([])).toBe(false);
});

test('the views of a viewer until an instant, and which views are known', async () => {
  const accountId = await newAccount([1, 7]);
  await newAccount([8]);
  const target = { accountId, kind: 'viewer', viewer: mary, views: [], packageId: 0, videoId: 0 };
  const until = (untilMs: number) => erasing.viewsOf({ ...target, kind: 'viewer', untilMs });
  expect(await until(Date.UTC(1969, 11, 31))).toEqual([]);
  expect(await until(lastSlot)).toEqual([]);
  expect(await until(lastSlot + 999)).toEqual([]);
  expect(await until(lastSlot + 1_000)).toEqual([viewOf(2)]);
  expect(await erasing.knownViews(accountId, [8, 7, 2].map(viewOf))).toEqual([2, 7].map(viewOf));
  expect(await erasing.knownViews(accountId, [])).toEqual([]);
});

test('what is left of a viewer under another view, until the instant, is found', async () => {
  const accountId = await newAccount();
  const target = { accountId, kind: 'viewer', viewer: mary, views: [], packageId: 0, videoId: 0 };
  const until = (untilMs: number): ErasureTarget => ({ ...target, kind: 'viewer', untilMs });
  for (const untilMs of [Date.UTC(1969, 11, 31), lastSlot]) {
    expect(await erasing.isAnyLeft([until(untilMs)])).toBe(false);
  }
  expect(await erasing.isAnyLeft([until(lastSlot + 1_000)])).toBe(true);
  const many = Array.from({ length: 41 }, () => until(lastSlot));
  expect(await erasing.isAnyLeft(many)).toBe(false);
  for (const place of [0, 19, 20, 40]) {
    expect(await erasing.isAnyLeft(many.with(place, until(lastSlot + 1_000)))).toBe(true);
  }
});

test.each([
  ['event', 'day', 'today()'],
  ['irregular_fact', 'slot', 'now()'],
  ['audience_seen', 'slot', 'now()'],
])('what is left in %s', async (table, column, now) => {
  const accountId = await newAccount();
  await made().run(
    `INSERT INTO ${table} (accountId, view, ${column}) SELECT {accountId:UInt32}, {view:UUID}, ${now}`,
    { accountId, view: viewOf(9) },
  );
  const of = (views: number[]): ErasureTarget => ({
    ...{ accountId, kind: 'views', viewer: '', packageId: 0, videoId: 0, untilMs: 0 },
    views: views.map(viewOf),
  });
  expect(await erasing.isAnyLeft([of([8])])).toBe(false);
  expect(await erasing.isAnyLeft([of([8, 9])])).toBe(true);
  await erasing.delete(of([9]));
  expect(await erasing.isAnyLeft([of([8, 9])])).toBe(false);
});

test.each([
  ['irregular_fact', 'playback', { packageId: 3, videoId: 13 }],
  ['audience_seen', 'playback', { packageId: 0, videoId: 13 }],
  ['irregular_fact', 'facts', { packageId: 0, videoId: 0 }],
  ['audience_seen', 'facts', { packageId: 0, videoId: 0 }],
] as const)('what is left in %s of %s before an instant, by whole days', async (...parts) => {
  const [table, kind, names] = parts;
  const accountId = await newAccount();
  const none = { accountId, kind, ...names, viewer: '', views: [], untilMs: dayTwo + 1 };
  // Nothing else: facts would be found first.
  await erasing.delete({
    ...none,
    kind: 'playback',
    packageId: 0,
    videoId: 0,
    untilMs: 2 * dayTwo,
  });
  await made().run(
    `INSERT INTO ${table} (accountId, packageId, videoId, slot)
      SELECT {accountId:UInt32}, 3, 13, {slot:UInt32}`,
    { accountId, slot: dayOne / 1_000 },
  );
  const isLeft = (other: Partial<ErasureTarget>) => erasing.isAnyLeft([{ ...none, ...other }]);
  expect(await isLeft({ untilMs: dayTwo - 1 })).toBe(false);
  expect(await isLeft({ videoId: 14 })).toBe(false);
  expect(await isLeft({})).toBe(true);
  await erasing.delete(none);
  expect(await isLeft({})).toBe(false);
});

test('of more views than one statement deletes, all go', async () => {
  const accountId = await newAccount();
  const [fact] = factsOf(accountId);
  const views = Array.from(
    { length: 5_001 },
    (_, number) => `00000000-0000-0000-0001-${String(number).padStart(12, '0')}`,
  );
  const facts = [0, 4_999, 5_000].map((place) => ({ ...fact, view: views[place] ?? '' }));
  await made().store.insertText(
    'stretch',
    ...(({ rows, columns }) => [rows, columns] as const)(encodeFacts(facts as Fact[])),
  );
  const nobody = { accountId, viewer: '', packageId: 0, videoId: 0, untilMs: 0 };
  await erasing.delete({ ...nobody, kind: 'views', views });
  expect(await viewsIn('stretch', accountId)).toHaveLength(6);
});

test('while sums lack something nothing is read or deleted', async () => {
  const accountId = await newAccount();
  const nobody = { accountId, viewer: '', packageId: 0, videoId: 0, untilMs: 0 };
  const target: ErasureTarget = { ...nobody, kind: 'views', views: [viewOf(1)] };
  ready = false;
  const asked = [
    () => erasing.count(target),
    () => erasing.sumWithout(target),
    () => erasing.delete(target),
    () => erasing.viewsOf(target),
  ];
  for (const ask of asked) await expect((async () => ask())()).rejects.toThrow('not summed');
  ready = true;
  expect(await viewsIn('stretch', accountId)).toHaveLength(6);
  expect(erasing.settlesWithinMs).toBe(7);
});
