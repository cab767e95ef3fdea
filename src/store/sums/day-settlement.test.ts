import { expect, test } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { dayMs } from '../../lib/time/utc-day.ts';
import type { AccountDay } from '../facts.ts';
import { createSettleDays, createUnsettledDays } from './touched-days.ts';

const everyMs = 10_000;
const quietMs = 1_500;

interface Given {
  /** What each portion takes. */
  readonly tookMs?: number;
  readonly firstPortion?: number;
}

function begin({ tookMs = 0, ...given }: Given = {}) {
  const clock = manualClock();
  const unsettled = createUnsettledDays();
  const settled: AccountDay[] = [];
  const portions: number[] = [];
  const settling = createSettleDays({
    ...{ unsettled, clock, everyMs, quietMs },
    ...given,
    async settle(days) {
      clock.advance(tookMs);
      settled.push(...days);
      portions.push(days.length);
    },
  });
  const today = Math.floor(clock.now() / dayMs) * dayMs;
  return {
    ...{ clock, settling, portions },
    /** So many, all at once. */
    daysOf: (accounts: number) =>
      Array.from({ length: accounts }, (_, accountId) => ({ accountId, day: today })),
    today: { accountId: 1, day: today },
    yesterday: { accountId: 1, day: today - dayMs },
    touch: (...days: AccountDay[]) =>
      unsettled.add(days, { sinceMs: clock.monotonic(), through: clock.now() }),
    /** Those that are settled after so long. */
    async after(waitMs: number) {
      clock.advance(waitMs);
      settled.length = 0;
      await settling.some();
      return [...settled];
    },
  };
}

test('a day that is over is settled once nothing touches it', async () => {
  const { today, yesterday, touch, after } = begin();
  touch(today, yesterday);
  expect(await after(quietMs - 1)).toEqual([]);
  expect(await after(1)).toEqual([yesterday]);
  expect(await after(everyMs - quietMs - 1)).toEqual([]);
  expect(await after(1)).toEqual([today]);
});

test('a day that is touched again and again is settled when it has waited for long enough', async () => {
  const { yesterday, touch, after } = begin();
  for (let waitedMs = 0; waitedMs < everyMs - 1_000; waitedMs += 1_000) {
    touch(yesterday);
    expect(await after(1_000)).toEqual([]);
  }
  touch(yesterday);
  expect(await after(999)).toEqual([]);
  expect(await after(1)).toEqual([yesterday]);
});

test('a day is over when its last millisecond is', async () => {
  const { clock, today, touch, after } = begin();
  clock.set(today.day + dayMs - quietMs - 1);
  touch(today);
  expect(await after(quietMs)).toEqual([]);
  expect(await after(1)).toEqual([today]);
});

test.each<[string, Given, days: number, expected: number[]]>([
  ['quick ones grow', { firstPortion: 2, tookMs: 200 }, 40, [2, 4, 8, 16, 10]],
  ['up to 500 days', { firstPortion: 200 }, 1_300, [200, 400, 500, 200]],
  ['from 32 on', {}, 100, [32, 64, 4]],
  ['slow ones shrink', { firstPortion: 9, tookMs: 201 }, 16, [9, 4, 2, 1]],
  ['down to one day', { firstPortion: 2, tookMs: 1_000 }, 5, [2, 1, 1, 1]],
])('portions: %s', async (_, given, days, expected) => {
  const { clock, settling, portions, daysOf, touch } = begin(given);
  touch(...daysOf(days));
  await settling.allDue();
  expect(portions).toEqual([]);
  clock.advance(everyMs);
  await settling.allDue();
  expect(portions).toEqual(expected);
});

test('a portion that was not full says nothing about the next', async () => {
  const { settling, portions, daysOf, touch } = begin({ firstPortion: 4 });
  touch(...daysOf(3));
  await settling.all();
  touch(...daysOf(20));
  await settling.all();
  expect(portions).toEqual([3, 4, 8, 8]);
});

test('it rests for three times as long as it worked', async () => {
  const { clock, settling, daysOf, touch } = begin({ firstPortion: 1, tookMs: 50 });
  expect(await settling.some()).toBe(false);
  touch(...daysOf(3));
  clock.advance(everyMs);
  expect(await settling.some()).toBe(true);
  clock.advance(149);
  expect(await settling.some()).toBe(false);
  clock.advance(1);
  expect(await settling.some()).toBe(true);
});

test('at the end those touched just now are settled too', async () => {
  const { settling, portions, daysOf, touch } = begin();
  touch(...daysOf(3));
  await settling.all();
  expect(portions).toEqual([3]);
});
