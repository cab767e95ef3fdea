/** When a roll-up runs by itself, what each turn does, and who waits for another process. */

import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { useNewStore } from '../../../test/support/use-new-store.ts';
import { verdictBook } from '../../../test/support/verdict-book.ts';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { writeTimeoutMs } from '../client/store-client.ts';
import type { Fact } from '../facts.ts';
import { saveProgress } from './progress.ts';
import { type RollUp, type RollUpSharing, startRollUp, usualPace } from './roll-up.ts';

const dayMs = 86_400_000;
const day = Date.UTC(2026, 9, 5);
const pace = { everyMs: 500, daysEveryMs: 1_000, lookBackMs: 12_000 };

const made = useNewStore();
let clock: ReturnType<typeof manualClock>;
let book: ReturnType<typeof verdictBook>;
let rollUp: RollUp | undefined;
let accountId = 0;
let failing: Error | undefined;
/** How long the next look for notes takes. */
let lookMs = 0;
/** What a turn waits for before it reads anything. */
let gate: Promise<void> | undefined;
let turns: { ended: number; failed: number };
/** How long the last turn took. */
let tookSeconds = 0;
/** How many turns had ended each time. */
let flushed: number[];
let flushFails = false;
beforeEach(async () => {
  await made().forgetRollUps();
  accountId += 1;
  clock = manualClock(Date.UTC(2026, 10, 20));
  book = verdictBook();
  failing = undefined;
  lookMs = 0;
  gate = undefined;
  turns = { ended: 0, failed: 0 };
  flushed = [];
  flushFails = false;
});
afterEach(() => rollUp?.stop());

async function flush(): Promise<void> {
  flushed.push(turns.ended);
  if (flushFails) throw new Error('the journal failed, as the test said');
}

function start(sharing?: RollUpSharing, storedThrough = () => 1_000): RollUp {
  rollUp = startRollUp({
    store: {
      ...made().store,
      async select(query, options) {
        await gate;
        if (/touched slots|progress/.test(query.name) && failing) throw failing;
        if (query.name === 'look for touched slots') {
          const ms = lookMs;
          lookMs = 0;
          if (ms > 0) clock.advance(ms);
        }
        return made().store.select(query, options);
      },
    },
    ...{ clock, pace, sharing, verdicts: book, journal: { storedThrough, flush } },
    logger: pino({ level: 'silent' }),
    metrics: {
      rolledUp: (seconds) => {
        turns.ended += 1;
        tookSeconds = seconds;
      },
      rollUpFailed: () => {
        turns.failed += 1;
      },
    },
  });
  return rollUp;
}

/** Until all that it does by itself waits for the clock. */
const asleep = (loops = 2) => waitUntil('the end of a turn', () => clock.waiting() === loops);

/** Moves the clock; what becomes due runs to its end. */
async function pass(ms: number, loops = 2): Promise<void> {
  clock.advance(ms);
  await asleep(loops);
}

const play = (other: Partial<Fact> = {}): Fact => ({
  ...{ accountId, slotStart: day, packageId: 1, videoId: 11, os: 'iOS', osVersion: '18' },
  ...{ view: '00000000-0000-0000-0000-000000000001', stretch: 0, suspect: '' },
  ...{ plays: 1, playMs: 1_000 },
  ...other,
});

test('no insert that is acknowledged takes longer than the look-back', () => {
  expect(usualPace.lookBackMs).toBeGreaterThan(writeTimeoutMs);
  expect(usualPace.everyMs).toBeGreaterThan(0);
});

test('each turn begins with what waits in the journal, and sums although that fails', async () => {
  start();
  await asleep();
  expect(flushed).toEqual([0]);
  flushFails = true;
  await pass(500);
  expect(flushed).toEqual([0, 1]);
  expect(turns).toEqual({ ended: 2, failed: 0 });
});

test('one turn after the other, with a pause; after a failure a second', async () => {
  const { whyFailing } = start();
  await asleep();
  expect(turns).toEqual({ ended: 1, failed: 0 });
  await pass(499);
  expect(turns.ended).toBe(1);
  await pass(1);
  expect(turns.ended).toBe(2);
  failing = new Error('the store failed, as the test said');
  await pass(500);
  expect(turns).toEqual({ ended: 2, failed: 1 });
  expect(whyFailing()).toBe('the store failed, as the test said');
  await pass(999);
  expect(turns.failed).toBe(1);
  failing = undefined;
  await pass(1);
  expect(turns).toEqual({ ended: 3, failed: 1 });
  expect(whyFailing()).toBeUndefined();
});

test('after a long turn, a pause just as long', async () => {
  start();
  await asleep();
  lookMs = 7_000;
  await pass(500);
  expect(turns.ended).toBe(2);
  expect(tookSeconds).toBe(7);
  await pass(6_999);
  expect(turns.ended).toBe(2);
  await pass(1);
  expect(turns.ended).toBe(3);
});

test('a turn settles days or peaks, and then shrinks sums', async () => {
  const { unsettledDays, unsettledPeaks } = start();
  await asleep();
  await made().write([play(), play({ ceiling: { ms: 400, known: 1 } })]);
  await pass(500);
  const waiting = () => [unsettledDays(accountId), unsettledPeaks(accountId)];
  expect(waiting()).toEqual([[day], [day]]);
  // That is over, and untouched for long enough: an import passed it.
  await pass(500);
  expect(waiting()).toEqual([[], [day]]);
  await pass(500);
  expect(waiting()).toEqual([[], []]);
  const [row] = await made().rows<{ ms: number }>(
    `SELECT toUInt64(max(playMs)) AS ms FROM playback_sum
      WHERE accountId = {accountId:UInt32} AND grouping = 'account-day'`,
    { accountId },
  );
  expect(row).toEqual({ ms: 400 });
});

test('when asked to, all that is due; or all, however lately it was touched', async () => {
  const { run, runWhole, unsettledDays, unsettledPeaks } = start();
  await asleep();
  const today = Math.floor(clock.now() / dayMs) * dayMs;
  await made().write([play({ slotStart: today })]);
  await run();
  const waiting = () => [unsettledDays(accountId), unsettledPeaks(accountId)];
  expect(waiting()).toEqual([[today], [today]]);
  await runWhole();
  expect(waiting()).toEqual([[], []]);
});

test('progress is saved each time for those who follow, and views are checked when asked', async () => {
  start();
  await asleep();
  expect(await made().rows('SELECT 1 FROM rolled')).toEqual([]);
  await rollUp?.stop();
  const { run, checkViews } = start({ isFollowed: true });
  await asleep();
  expect((await made().rows('SELECT 1 FROM rolled')).length).toBeGreaterThan(0);
  await made().write([play()]);
  await run();
  clock.advance(pace.daysEveryMs);
  await run();
  await made().run('TRUNCATE TABLE touched');
  await checkViews();
  const checked = await made().rows(
    'SELECT 1 FROM checked_day WHERE accountId = {accountId:UInt32}',
    { accountId },
  );
  expect(checked).toHaveLength(1);
});

test('a verdict is followed when it is asked for', async () => {
  const suspect = 'VIDEO:2026-10-05:11';
  const { sumAgain } = start();
  await asleep();
  await made().write([play({ suspect })]);
  await pass(500);
  const sums = () =>
    made().rows('SELECT 1 FROM playback_sum WHERE accountId = {accountId:UInt32}', { accountId });
  expect(await sums()).toEqual([]);
  book.accept(accountId, suspect);
  await sumAgain([{ accountId, suspect }]);
  expect((await sums()).length).toBeGreaterThan(0);
});

test('the end waits for the turn that is under way', async () => {
  const { stop } = start();
  await asleep();
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  clock.advance(500);
  await new Promise(setImmediate);
  let hasEnded = false;
  const ending = stop().then(() => {
    hasEnded = true;
  });
  await new Promise(setImmediate);
  expect(hasEnded).toBe(false);
  resolve();
  await ending;
  expect(turns.ended).toBe(2);
});

test('one that follows tries again, too', async () => {
  failing = new Error('the store failed, as the test said');
  const { whyFailing, ranOnce } = start({ follows: true, needsNoSums: true });
  await asleep(1);
  expect(whyFailing()).toBe('the store failed, as the test said');
  failing = undefined;
  await pass(1_000, 1);
  await ranOnce();
  expect(whyFailing()).toBeUndefined();
  expect(turns).toEqual({ ended: 0, failed: 0 });
});

test('it has run once as soon as the others are heard of', async () => {
  let others = 0;
  let hasRun = false;
  const { ranOnce, completeThrough } = start({ othersStoredThrough: () => others });
  void ranOnce().then(() => {
    hasRun = true;
  });
  await asleep();
  expect([hasRun, completeThrough()]).toEqual([false, 0]);
  others = 5_000;
  await pass(500);
  await waitUntil('the first run', () => hasRun);
  expect(completeThrough()).toBe(1_000);
  others = 900;
  await pass(500);
  expect(completeThrough()).toBe(900);
});

test('whoever waits for the first run learns of the end, too', async () => {
  failing = new Error('the store failed, as the test said');
  const { ranOnce, stop } = start();
  await asleep();
  await stop();
  await ranOnce();
  expect(clock.waiting()).toBe(0);
  clock.advance(10_000);
  expect(turns).toEqual({ ended: 0, failed: 1 });
});

test('one that follows flushes and sums nothing, and promises what the other process reports', async () => {
  let reported = 0;
  let hasRun = false;
  const follower = start({ follows: true, reported: () => reported });
  void follower.ranOnce().then(() => {
    hasRun = true;
  });
  await asleep(1);
  await made().write([play()]);
  await pass(500, 1);
  expect(hasRun).toBe(false);
  expect(follower.unsettledDays(accountId)).toEqual([day]);
  expect(follower.unsettledPeaks(accountId)).toEqual([day]);
  reported = 7_000;
  await pass(500, 1);
  await waitUntil('the first run', () => hasRun);
  expect(follower.completeThrough()).toBe(7_000);
  expect(turns).toEqual({ ended: 0, failed: 0 });
  expect(flushed).toEqual([]);
  const sums = () =>
    made().rows('SELECT 1 FROM playback_sum WHERE accountId = {accountId:UInt32}', { accountId });
  expect(await sums()).toEqual([]);
  await follower.run();
  expect((await sums()).length).toBeGreaterThan(0);
});

test('one that needs no sums has run at once', async () => {
  const { ranOnce, completeThrough } = start({ follows: true, needsNoSums: true });
  await ranOnce();
  expect(completeThrough()).toBe(0);
});

test.each([
  [pace.lookBackMs, 0],
  [20_000, 20_000 - usualPace.lookBackMs],
  [1_000, 0],
])(
  'by the store, with a look-back of %i ms: what may be off by %i ms',
  async (lookBackMs, skewMs) => {
    const through = Date.now() - 60_000;
    await saveProgress(made().store, { through, daysThrough: through });
    const started = startRollUp({
      ...{ store: made().store, clock, verdicts: book, journal: { storedThrough: () => 1, flush } },
      ...{ pace: { ...pace, lookBackMs }, sharing: { follows: true } },
      logger: pino({ level: 'silent' }),
      metrics: { rolledUp: () => {}, rollUpFailed: () => {} },
    });
    const before = Date.now();
    await started.ranOnce();
    const promised = (storeNow: number) => clock.now() - (storeNow - through + skewMs);
    expect(started.completeThrough()).toBeLessThanOrEqual(promised(before - 5));
    expect(started.completeThrough()).toBeGreaterThanOrEqual(promised(Date.now() + 5));
    await started.stop();
  },
);
