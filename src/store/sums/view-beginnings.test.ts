/** Whatever beginnings were told of a stretch, one counts, with the longest time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { namedFacts } from '../../../test/support/named-facts.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import type { Fact } from '../facts.ts';
import { noVerdicts } from '../sql/verdicts.ts';
import { slotMs, sums } from '../tables/sums.ts';
import { sameBeginningMs, selectOtherBeginnings } from './view-beginnings.ts';
import { levelDays } from './view-levels.ts';

const dayMs = 86_400_000;
const day = Date.UTC(2026, 10, 20);
const noon = day + dayMs / 2;
const view = '00000000-0000-0000-0000-000000000001';

const made = useNewStore();
let accountId = 0;

interface Told {
  readonly stretch?: number;
  readonly atMs: number;
  readonly playMs: number;
  readonly mediaMs?: number;
  readonly position?: number;
}

/** As a beacon is cut into slots. */
function factsOf({ stretch = 0, atMs, playMs, mediaMs = playMs, position }: Told): Fact[] {
  const facts: Fact[] = [];
  for (let slotStart = slotOf(atMs); slotStart === slotOf(atMs) || slotStart < atMs + playMs; ) {
    const fromMs = Math.max(atMs, slotStart);
    const untilMs = Math.min(atMs + playMs, slotStart + slotMs);
    facts.push({
      ...{ accountId, slotStart, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18', view },
      ...{ stretch, suspect: '', playMs: untilMs - fromMs },
      plays: stretch === 0 && fromMs === atMs ? 1 : 0,
      details: {
        ...{ startMs: atMs, laterMs: atMs + playMs - untilMs, mediaMs, position },
        attributes: { browser: 'Firefox' },
      },
    });
    slotStart += slotMs;
  }
  return facts;
}

const slotOf = (ms: number) => Math.floor(ms / slotMs) * slotMs;
const column = (name: string) => name;

type Row = Readonly<Record<'at' | 'counted' | 'ms', number>>;

/** What counts of each account, by slot. */
async function countedOf(accountIds: readonly number[]): Promise<Row[][]> {
  const rows = await made().rows<Row & { accountId: number }>(
    `SELECT accountId, toUnixTimestamp(slot) * 1000 AS at,
      toUInt32(sum(${sums.plays.ofStretch(column)})) AS counted,
      toUInt32(sum(${sums.playMs.ofStretch(column)})) AS ms
    FROM stretch FINAL WHERE accountId IN {accountIds:Array(UInt32)}
    GROUP BY accountId, slot HAVING counted > 0 OR ms > 0 ORDER BY slot`,
    { accountIds },
  );
  const own = Map.groupBy(rows, (row) => row.accountId);
  return accountIds.map((one) =>
    (own.get(one) ?? []).map(({ at, counted, ms }) => ({ at, counted, ms })),
  );
}
const counted = async () => (await countedOf([accountId])).flat();

/** Each in an account of its own: what is settled together costs no more than one of them. */
const newAccounts = (count: number) => Array.from({ length: count }, () => ++accountId);

/** The same, of all that was told. */
function expected(told: readonly Told[]): Row[] {
  const slots = new Map<number, { counted: number; ms: number }>();
  for (const ofStretch of Map.groupBy(told, ({ stretch = 0 }) => stretch).values()) {
    const [first, ...others] = ofStretch.sort((one, other) => one.atMs - other.atMs);
    if (!first) continue;
    let { atMs: lastMs, playMs: longestMs } = first;
    for (const { atMs, playMs } of others) {
      if (atMs - lastMs > sameBeginningMs) break;
      lastMs = atMs;
      longestMs = Math.max(longestMs, playMs);
    }
    for (const fact of factsOf({ ...first, playMs: longestMs })) {
      const slot = slots.get(fact.slotStart) ?? { counted: 0, ms: 0 };
      slots.set(fact.slotStart, {
        counted: slot.counted + fact.plays,
        ms: slot.ms + fact.playMs,
      });
    }
  }
  return [...slots]
    .filter(([, { counted, ms }]) => counted > 0 || ms > 0)
    .map(([at, slot]) => ({ at, ...slot }))
    .sort((one, other) => one.at - other.at);
}

const level = (accountIds: readonly number[] = [accountId]) =>
  levelDays(
    made().store,
    accountIds.flatMap((accountId) =>
      [-1, 0, 1].map((days) => ({ accountId, day: day + days * dayMs })),
    ),
    noVerdicts,
  );

const minute = 60_000;

const twoBeginnings: readonly [string, Told[], Row[]][] = [
  [
    'half a second apart, over the border of a slot',
    [
      { atMs: noon - 200, playMs: 10_000 },
      { atMs: noon + 300, playMs: 20_000 },
    ],
    [
      { at: noon - slotMs, counted: 1, ms: 200 },
      { at: noon, counted: 0, ms: 19_800 },
    ],
  ],
  [
    'the smaller one is the later one to be told',
    [
      { atMs: noon + 300, playMs: 20_000 },
      { atMs: noon - 200, playMs: 0 },
    ],
    [
      { at: noon - slotMs, counted: 1, ms: 200 },
      { at: noon, counted: 0, ms: 19_800 },
    ],
  ],
  [
    'a minute apart, in one slot',
    [
      { atMs: noon, playMs: 100_000 },
      { atMs: noon + minute, playMs: 90_000 },
    ],
    [{ at: noon, counted: 1, ms: 100_000 }],
  ],
  [
    'more than a minute apart: neither a play nor time',
    [
      { atMs: noon + minute + 1, playMs: 500_000 },
      { atMs: noon, playMs: 4_000 },
    ],
    [{ at: noon, counted: 1, ms: 4_000 }],
  ],
  [
    'more than a minute apart, over several slots',
    [
      { atMs: noon, playMs: 4_000 },
      { atMs: noon + 2 * minute, playMs: 3 * slotMs },
    ],
    [{ at: noon, counted: 1, ms: 4_000 }],
  ],
  [
    'each from the one before',
    [
      { atMs: noon + 100_000, playMs: 30_000 },
      { atMs: noon, playMs: 4_000 },
      { atMs: noon + 50_000, playMs: 5_000 },
    ],
    [{ at: noon, counted: 1, ms: 30_000 }],
  ],
  [
    'on the days before and after midnight',
    [
      { atMs: day + 100, playMs: 5_000 },
      { atMs: day - 100, playMs: 5_000 },
    ],
    [
      { at: day - slotMs, counted: 1, ms: 100 },
      { at: day, counted: 0, ms: 4_900 },
    ],
  ],
];

test('of two beginnings of a stretch one counts, with the longest time', async () => {
  const accounts = newAccounts(twoBeginnings.length);
  for (const turn of [0, 1, 2]) {
    await writeAll(accounts, (index) => twoBeginnings[index]?.[1].slice(turn, turn + 1) ?? []);
  }
  expect(await level(accounts)).toBe(true);
  const found = await countedOf(accounts);
  for (const [index, [name, told, rows]] of twoBeginnings.entries()) {
    expect({ name, rows: expected([...told]) }).toEqual({ name, rows });
    expect({ name, rows: found[index] }).toEqual({ name, rows });
  }
  expect(await level(accounts)).toBe(false);
});

async function writeAll(
  accounts: readonly number[],
  toldOf: (index: number) => readonly Told[],
): Promise<void> {
  const facts = accounts.flatMap((one, index) =>
    toldOf(index)
      .flatMap(factsOf)
      .map((fact) => ({ ...fact, accountId: one })),
  );
  if (facts.length > 0) await made().write(facts);
}

test('what a stretch saw goes on from its first beginning', async () => {
  accountId += 1;
  await made().write(
    factsOf({ atMs: noon + 100, playMs: 60_000, mediaMs: 90_000, position: 9_000 }),
  );
  await made().write(factsOf({ atMs: noon, playMs: 10_000, mediaMs: 15_000, position: 5_000 }));
  await level();
  const rows = await made().rows(
    `SELECT playMs, laterMs, mediaMs, position, browser FROM ${namedFacts}
    WHERE accountId = {accountId:UInt32} AND startMs = {noon:UInt64}`,
    { accountId, noon },
  );
  expect(rows).toEqual([
    { playMs: 60_000, laterMs: 0, mediaMs: 90_000, position: 5_001, browser: 'Firefox' },
  ]);
});

const told = fc.record({
  stretch: fc.integer({ min: 0, max: 1 }),
  atMs: fc.oneof(
    fc.integer({ min: -90, max: 90 }).map((seconds) => noon + seconds * 1_000),
    fc.integer({ min: -40, max: 40 }).map((minutes) => day + minutes * minute),
  ),
  playMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3 * slotMs })),
});

test('in any order, doubled, and settled at any time', async () => {
  const anyOrder = fc.array(fc.tuple(told, fc.boolean()), { minLength: 1, maxLength: 6 });
  const orders = fc.array(anyOrder, { minLength: 8, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(orders, async (all) => {
      const accounts = newAccounts(all.length);
      const doubled = all.map((order) => [...order, ...order.slice(0, 2)]);
      for (let turn = 0; doubled.some((order) => turn < order.length); turn += 1) {
        const ofTurn = doubled.map((order) => order[turn]);
        await writeAll(accounts, (index) => (ofTurn[index] ? [ofTurn[index][0]] : []));
        const settled = accounts.filter((_, index) => ofTurn[index]?.[1]);
        if (settled.length > 0) await level(settled);
      }
      await level(accounts);
      const wanted = all.map((order) => expected(order.map(([one]) => one)));
      expect(await countedOf(accounts)).toEqual(wanted);
    }),
    { numRuns: 1, endOnFailure: true },
  );
});

test('the play goes along, where only a later beginning had it', async () => {
  accountId += 1;
  const later = factsOf({ atMs: noon + 10_000, playMs: 5_000 });
  const earlier = factsOf({ atMs: noon - 10_000, playMs: 1_000 });
  await made().write([...later, ...earlier.map((fact) => ({ ...fact, plays: 0 }) as const)]);
  await level();
  expect(await counted()).toEqual([{ at: noon - slotMs, counted: 1, ms: 5_000 }]);
  expect(await level()).toBe(false);
});

test('a stretch with very many beginnings is settled as any other', { tags: 'long' }, async () => {
  accountId += 1;
  const beginnings = Array.from({ length: 50_000 }, (_, index) => noon + index);
  await made().write(beginnings.flatMap((atMs) => factsOf({ atMs, playMs: 0 })));
  await level();
  expect(await counted()).toEqual([{ at: noon, counted: 1, ms: 0 }]);
  expect(await level()).toBe(false);
});

test('as many views as an import leaves uneven are settled in portions', async () => {
  accountId += 1;
  const views = 3_500;
  const told = [noon, noon + 10_000].flatMap((atMs) => factsOf({ atMs, playMs: 1_000 }));
  await made().write(
    Array.from({ length: views }, (_, index) => {
      const own = view.slice(0, -4) + String(index).padStart(4, '0');
      return told.map((fact) => ({ ...fact, view: own }));
    }).flat(),
  );
  await level();
  expect(await counted()).toEqual([{ at: noon, counted: views, ms: views * 1_000 }]);
  expect(await level()).toBe(false);
});

test('and views of very many days', { tags: 'long' }, async () => {
  accountId += 1;
  const days = 1_500;
  const views = 4;
  const told = Array.from({ length: days * views }, (_, index) => {
    const atMs = noon - index * dayMs;
    const own = view.slice(0, -1) + (index % views);
    const twice = [atMs, atMs + 10_000].flatMap((ms) =>
      factsOf({ stretch: 1 + index, atMs: ms, playMs: 1_000 }),
    );
    return twice.map((fact) => ({ ...fact, view: own }));
  });
  await made().write(told.flat());
  // One of each view's days is enough to find all others.
  const touched = Array.from({ length: views }, (_, index) => ({
    accountId,
    day: day - index * dayMs,
  }));
  await levelDays(made().store, touched, noVerdicts);
  const [{ ms } = { ms: 0 }] = await made().rows<{ ms: number }>(
    `SELECT toUInt32(sum(${sums.playMs.ofStretch(column)})) AS ms
    FROM stretch FINAL WHERE accountId = {accountId:UInt32}`,
    { accountId },
  );
  expect(ms).toBe(days * views * 1_000);
});

test('stretches with beginnings more than a minute apart are named, and no others', async () => {
  accountId += 1;
  const anew = [noon, noon + 5 * minute, noon + 7 * minute].map((atMs) => ({ atMs, playMs: 1 }));
  const corrected = [noon, noon + minute].map((atMs) => ({ stretch: 1, atMs, playMs: 1 }));
  await made().write([...anew, ...corrected].flatMap(factsOf));
  await level();
  expect(await made().rows(selectOtherBeginnings, { accountId })).toEqual([
    {
      ...{ packageId: 1, videoId: 11, view, stretch: 0 },
      beginningsMs: [noon, noon + 5 * minute, noon + 7 * minute],
    },
  ]);
});
