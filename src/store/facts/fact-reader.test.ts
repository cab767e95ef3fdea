/** Answers between erasures, and what counts in a range. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import type { CurrentErasures, ErasureState } from '../../vocabulary/erasures.ts';
import type { CurrentVerdicts } from '../../vocabulary/suspects.ts';
import { noVerdicts } from '../sql/verdicts.ts';
import { createFactReader } from './fact-reader.ts';

const day = Date.UTC(2025, 11, 31);
const dayMs = 86_400_000;

const made = useNewStore();
let clock: ReturnType<typeof manualClock>;
let verdicts: CurrentVerdicts;
let isSingleServer = true;
beforeEach(() => {
  clock = manualClock();
  verdicts = noVerdicts;
  isSingleServer = true;
});

const open = (other: { fewFacts?: number; requireSummed?: () => void } = {}) =>
  createFactReader({
    ...{ store: made().store, clock, fewFacts: other.fewFacts, rollUp: () => undefined },
    verdicts: { current: async () => verdicts },
    requireSummed: other.requireSummed ?? (() => {}),
    opened: { readsAsOfOneMoment: () => isSingleServer },
  });

function erasing(state: ErasureState, other: Partial<CurrentErasures> = {}): CurrentVerdicts {
  const target = { accountId: 1, kind: 'views', viewer: '', views: [], packageId: 0 } as const;
  const one = { ...target, videoId: 0, untilMs: 0, receipt: 'r' };
  const open = [
    { ...one, accountId: 3, state: 'deleting' as const },
    { ...one, state },
  ];
  const erasures = { open, keptSince: new Map(), accounts: new Set([1]), ...other };
  return { ...noVerdicts, epochs: new Map([[1, 1]]), erasures };
}

/** How often an answer is read, and what happens while it is read for the first time. */
async function readingsWhile(happens: () => void): Promise<number> {
  let readings = 0;
  const answer = await open().between(1, async () => {
    readings += 1;
    if (readings === 1) happens();
    return readings;
  });
  expect(answer).toBe(readings);
  return readings;
}

test('an answer is read once, unless an erasure changed what it was read of', async () => {
  expect(await readingsWhile(() => {})).toBe(1);
  verdicts = erasing('deleting');
  expect(await readingsWhile(() => {})).toBe(1);
  verdicts = noVerdicts;
  expect(await readingsWhile(() => (verdicts = erasing('deleting')))).toBe(2);
  verdicts = noVerdicts;
  const kept = erasing('done', { keptSince: new Map([[1, day]]) });
  expect(await readingsWhile(() => (verdicts = { ...kept, epochs: new Map() }))).toBe(2);
  verdicts = noVerdicts;
  const ofOther = { ...noVerdicts, epochs: new Map([[2, 1]]) };
  expect(await readingsWhile(() => (verdicts = ofOther))).toBe(1);
});

/** Lets what waits for the clock have its turn. */
const turn = () => new Promise(setImmediate);

test('while sums are made without something, the answer waits', async () => {
  verdicts = erasing('summing');
  let readings = 0;
  const reading = open().between(1, async () => {
    readings += 1;
  });
  await turn();
  expect(clock.waiting()).toBe(1);
  // Another account does not wait.
  expect(await open().between(2, async () => 'other')).toBe('other');
  clock.advance(49);
  await turn();
  verdicts = erasing('deleting');
  await turn();
  expect(readings).toBe(0);
  clock.advance(1);
  await reading;
  expect(readings).toBe(1);
});

test('an erasure that goes on for too long is reported, with when to ask again', async () => {
  verdicts = erasing('summing');
  let outcome: unknown;
  open()
    .between(1, async () => 'half')
    .catch((error) => {
      outcome = error;
    });
  for (let waited = 0; waited < 9_950; waited += 50) {
    await turn();
    clock.advance(50);
  }
  await turn();
  expect(outcome).toBeUndefined();
  clock.advance(50);
  await turn();
  expect(outcome).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
});

test('answers that each erasure overtakes are given up in the end', async () => {
  let epoch = 0;
  let readings = 0;
  const reading = open().between(1, async () => {
    epoch += 1;
    readings += 1;
    clock.advance(2_500);
    verdicts = { ...noVerdicts, epochs: new Map([[1, epoch]]) };
  });
  await expect(reading).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(readings).toBe(4);
  // Also one that began meanwhile.
  verdicts = noVerdicts;
  let began = 0;
  const overtaken = open().between(1, async () => {
    began += 1;
    clock.advance(10_000);
    verdicts = { ...erasing('summing'), epochs: new Map() };
  });
  await expect(overtaken).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(began).toBe(1);
});

test('what counts in a range, and whether its facts are merged while they are read', async () => {
  await made().write([
    {
      ...{ accountId: 1, slotStart: day, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
      ...{ view: randomUUID(), stretch: 0, suspect: 'VIDEO:2025-12-31:11', plays: 1, playMs: 1 },
    },
  ]);
  const range = { accountId: 1, fromMs: day, untilMs: day + dayMs };
  const accepted = [{ accountId: 1, suspect: 'VIDEO:2025-12-31:11' }];
  verdicts = { ...erasing('deleting'), accepted };
  expect(await open().countedWithin(range)).toEqual({
    accepted: ['VIDEO:2025-12-31:11'],
    erased: { sql: expect.stringContaining('view IN'), parameters: expect.any(Object) },
    mergesAll: true,
  });
  verdicts = noVerdicts;
  const mergesAll = async (fewFacts?: number, of = range) =>
    (await open(fewFacts === undefined ? {} : { fewFacts }).countedWithin(of)).mergesAll;
  // The store knows how many there are without reading any.
  expect(await mergesAll(1)).toBe(true);
  expect(await mergesAll(0)).toBe(false);
  expect(await mergesAll(0, { ...range, accountId: 2 })).toBe(true);
  const nextYear = { fromMs: day + dayMs, untilMs: day + 2 * dayMs };
  expect(await mergesAll(0, { ...range, ...nextYear })).toBe(true);
  expect(await mergesAll()).toBe(true);
  isSingleServer = false;
  expect(await mergesAll(0)).toBe(true);
  // A part of the range has its share of the facts.
  expect(await open({ fewFacts: 0.25 }).countedWithin(range)).toMatchObject({
    manyFactsMs: dayMs / 4,
  });
});

test('since when facts are kept, and what there is before the first roll-up', async () => {
  const reader = open();
  expect(await reader.keptSince(1)).toBe(0);
  verdicts = erasing('done', { keptSince: new Map([[1, day]]) });
  expect(await reader.keptSince(1)).toBe(day);
  expect(await reader.keptSince(2)).toBe(0);
  expect(reader.completeThrough()).toBe(0);
  expect(await reader.unsettledDays(1)).toEqual([]);
  expect(await reader.unsettledPeaks(1)).toEqual([]);
});

test('nothing is read while sums lack what was acknowledged', async () => {
  const query = { name: 'test', sql: 'SELECT 1 AS one', parameters: {} };
  const range = { accountId: 1, fromMs: day, untilMs: day + dayMs };
  expect(await open().read(query)).toEqual([{ one: 1 }]);
  expect(await open().readMany(query)).toEqual([{ one: 1 }]);
  expect(await open().checkedDays(range)).toEqual([]);
  expect(await open().audienceDays(range)).toEqual([]);
  const early = open({
    requireSummed: () => {
      throw new Error('not summed, as the test said');
    },
  });
  for (const ask of [
    () => early.read(query),
    () => early.readMany(query),
    () => early.write(query, 'csv', AbortSignal.timeout(1)),
    () => early.unsettledDays(1),
    () => early.unsettledPeaks(1),
    () => early.checkedDays(range),
    () => early.audienceDays(range),
    () => early.countedWithin(range),
  ]) {
    await expect(ask()).rejects.toThrow('not summed');
  }
});

test('rows that stay the same are read once an hour; others, or too many, each time', async () => {
  const reader = open();
  const read = async (count: number, isFinal?: () => boolean) => {
    const [row] = await reader.readMany<{ at: number }>({
      name: 'test',
      sql: 'SELECT number, toUnixTimestamp64Micro(now64(6)) AS at FROM numbers({count:UInt32})',
      parameters: { count },
      ...(isFinal && { isFinal }),
    });
    return row?.at;
  };
  const first = await read(2, () => true);
  clock.advance(3_600_000);
  expect(await read(2, () => false)).toBe(first);
  expect(await read(2)).not.toBe(first);
  expect(await read(1, () => true)).not.toBe(first);
  expect(await read(3, () => false)).not.toBe(await read(3, () => false));
  expect(await read(5_000, () => true)).not.toBe(await read(5_000, () => true));
  clock.advance(1);
  expect(await read(2, () => true)).not.toBe(first);
});

test('how much there is may be as of some seconds ago, and no longer', async () => {
  const reader = open();
  const sql = 'SELECT toUnixTimestamp64Micro(now64(6)) AS at';
  const estimate = { name: 'test', sql, parameters: {}, isEstimate: true };
  const first = await reader.read(estimate);
  clock.advance(5_000);
  expect(await reader.readMany(estimate)).toEqual(first);
  clock.advance(1);
  expect(await reader.read(estimate)).not.toEqual(first);
});
