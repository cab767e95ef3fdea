import { expect, test } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { dayMs } from '../lib/utc-day.ts';
import type { AccountDay } from './facts.ts';
import { createSettleDays } from './settle-days.ts';
import { createUnsettledDays } from './unsettled-days.ts';

const everyMs = 10_000;
const quietMs = 1_500;

function begin() {
  const clock = manualClock();
  const unsettled = createUnsettledDays();
  const settled: AccountDay[] = [];
  const settling = createSettleDays({
    ...{ unsettled, clock, everyMs, quietMs },
    async settle(days) {
      settled.push(...days);
    },
  });
  const today = Math.floor(clock.now() / dayMs) * dayMs;
  return {
    clock,
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
