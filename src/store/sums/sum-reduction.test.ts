/** Sums that are too large since a fact's time was taken back, and what waits until they are not. */
import { beforeEach, expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { countedViews, naiveSums, storedSums } from '../../../test/support/naive-sums.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import { type VerdictBook, verdictBook } from '../../../test/support/verdict-book.ts';
import type { SuspectName } from '../../vocabulary/suspects.ts';
import type { FactStore } from '../client/store-client.ts';
import type { Fact } from '../facts.ts';
import { checkPeaks, keepPeaks } from './peaks.ts';
import { repairSums } from './sum-check.ts';
import { createShrinkSums, type ShrinkSums } from './sum-reduction.ts';
import { createFollowVerdicts, type FollowVerdicts } from './verdict-changes.ts';

const dayMs = 86_400_000;
const slotMs = 900_000;
/** The last day of a year. */
const firstDay = Date.UTC(2025, 11, 31);
const everyMs = 10_000;

const made = useNewStore();
let book: VerdictBook;
let clock: ReturnType<typeof manualClock>;
let shrinkSums: ShrinkSums;
/** The accounts of each time that epochs rise. */
let rises: (readonly number[])[];
/** The suspects whose verdicts were asked for, each time. */
let asked: (readonly SuspectName[])[];
/** Of how many slots each statement looked for sums that are too large, or days it repaired. */
let sizes: Record<'slots' | 'days', number[]>;
let failing = false;
beforeEach(() => {
  book = verdictBook();
  clock = manualClock();
  rises = [];
  asked = [];
  sizes = { slots: [], days: [] };
  failing = false;
  const verdicts = {
    current: book.current,
    async raiseEpochs(accountIds: readonly number[]) {
      if (failing) throw new Error('the catalog failed, as the test said');
      rises.push(accountIds);
      await book.raiseEpochs(accountIds);
    },
  };
  const follow = createFollowVerdicts(made().store, verdicts);
  const followVerdicts: FollowVerdicts = (suspects) => {
    asked.push(suspects);
    return follow(suspects);
  };
  const sizeOf = (list: unknown) => (Array.isArray(list) ? list.length : 0);
  const store: FactStore = {
    ...made().store,
    select(query, options) {
      if (query.name === 'find sums that shrank') sizes.slots.push(sizeOf(query.parameters.slots));
      return made().store.select(query, options);
    },
    command(query, timeoutSeconds) {
      if (query.name === 'repair sums') sizes.days.push(sizeOf(query.parameters.days));
      return made().store.command(query, timeoutSeconds);
    },
  };
  shrinkSums = createShrinkSums({ store, verdicts, followVerdicts, clock, everyMs });
});

let accounts = 0;
/** With facts in these slots, which are summed; and a fact of another account in each of them. */
async function newAccount(slots: readonly number[]): Promise<Fact[]> {
  accounts += 1;
  const facts = slots.map(
    (slotStart, index): Fact => ({
      ...{ accountId: accounts, slotStart, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
      ...{ view: `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`, stretch: 0 },
      ...{ suspect: '', plays: 1, playMs: 10_000 },
      details: { startMs: slotStart, laterMs: 0, mediaMs: 0, attributes: {} },
    }),
  );
  await made().write(facts);
  await repairSums(made().store, daysOf(facts), await book.current());
  await keepPeaks(made().store, daysOf(facts), await book.current());
  return facts;
}

function daysOf(facts: readonly Fact[]) {
  const keys = new Set(facts.map(({ slotStart }) => slotStart - (slotStart % dayMs)));
  return [...keys].map((day) => ({ accountId: facts[0]?.accountId ?? 0, day }));
}

/** Of these facts only so much counts from now on; who calls `add` learns of it by a note. */
async function takeBack(facts: readonly Fact[], ms: number, through = 0): Promise<Fact[]> {
  const bounded = facts.map((fact) => ({ ...fact, ceiling: { ms, known: 1 } }));
  await made().write(bounded);
  shrinkSums.add(bounded, { sinceMs: clock.monotonic(), through });
  return bounded;
}

async function expectSumsOf(written: readonly Fact[]): Promise<void> {
  const { accountId = 0 } = written[0] ?? {};
  const counted = countedViews(written.map(({ details, ...fact }) => fact));
  const sums = { bySlot: naiveSums(counted, false), byDay: naiveSums(counted, true) };
  expect(await storedSums((query) => made().store.select(query), accountId)).toEqual(sums);
}

/** Of facts that were reported again, peaks are only kept anew with the sums. */
async function expectShrunk(written: readonly Fact[]): Promise<void> {
  await expectSumsOf(written);
  expect(await checkPeaks(made().store, daysOf(written), await book.current())).toEqual([]);
}

test('an account waits, and then its sums shrink under its next epoch', async () => {
  const slots = [firstDay, firstDay + dayMs - slotMs, firstDay + dayMs];
  const facts = await newAccount(slots);
  const { accountId = 0 } = facts[0] ?? {};
  const shrunk = await takeBack(facts.slice(1), 4_000);
  clock.advance(everyMs - 1);
  await shrinkSums.settleSome();
  expect(rises).toEqual([]);
  expect(asked).toEqual([]);
  await expectSumsOf(facts);
  // What comes meanwhile does not make it wait for longer.
  shrinkSums.add(shrunk, { sinceMs: clock.monotonic(), through: 0 });
  clock.advance(1);
  await shrinkSums.settleSome();
  expect(rises).toEqual([[accountId]]);
  // Before the epoch rises, and after it.
  expect(asked).toEqual([[], []]);
  await expectShrunk([...facts, ...shrunk]);
  expect(shrinkSums.oldestThrough()).toBeUndefined();
  clock.advance(everyMs);
  await shrinkSums.settleSome();
  expect(rises).toHaveLength(1);
});

test('where no sum is too large, no epoch rises, and nothing waits any more', async () => {
  const facts = await newAccount([firstDay]);
  await takeBack(facts, 10_000);
  await shrinkSums.settleAll();
  expect(rises).toEqual([]);
  expect(shrinkSums.oldestThrough()).toBeUndefined();
  await expectSumsOf(facts);
});

test('each account by its age, and the progress of the one that waits longest', async () => {
  const [first, second] = [await newAccount([firstDay]), await newAccount([firstDay])];
  const ofFirst = await takeBack(first, 1_000, 70);
  clock.advance(1);
  const ofSecond = await takeBack(second, 2_000, 50);
  expect(shrinkSums.oldestThrough()).toBe(50);
  clock.advance(everyMs - 1);
  await shrinkSums.settleSome();
  await expectShrunk([...first, ...ofFirst]);
  await expectSumsOf(second);
  expect(shrinkSums.oldestThrough()).toBe(50);
  await shrinkSums.settleAll();
  await expectShrunk([...second, ...ofSecond]);
  expect(rises.flat()).toEqual([first[0]?.accountId, second[0]?.accountId]);
});

test('what fails is tried again', async () => {
  const facts = await newAccount([firstDay]);
  const shrunk = await takeBack(facts, 1_000, 30);
  failing = true;
  await expect(shrinkSums.settleAll()).rejects.toThrow('as the test said');
  expect(shrinkSums.oldestThrough()).toBe(30);
  failing = false;
  await shrinkSums.settleAll();
  await expectShrunk([...facts, ...shrunk]);
});

test('of more slots and days than one statement takes, all shrink, and the epoch rises once', async () => {
  // The last slot is on a day of its own.
  const slots = Array.from({ length: 193 }, (_, index) => {
    return firstDay - (index < 192 ? index % 32 : 32) * dayMs + Math.floor(index / 32) * slotMs;
  });
  const facts = await newAccount(slots);
  const shrunk = await takeBack(facts, 1_000);
  await shrinkSums.settleAll();
  expect(rises).toHaveLength(1);
  expect(sizes).toEqual({ slots: [192, 1], days: [31, 2] });
  await expectShrunk([...facts, ...shrunk]);
});
