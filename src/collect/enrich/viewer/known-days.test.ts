import { expect, test } from 'vitest';
import { manualClock } from '../../../../test/support/manual-clock.ts';
import type { SaltDay } from '../../../catalog/catalog.ts';
import { dayMs } from '../../../lib/time/utc-day.ts';
import { saltUseMs } from '../../../vocabulary/viewers.ts';
import { createKnownDays, type Moment } from './known-days.ts';

const fromMs = Date.UTC(2026, 10, 20);
const untilMs = fromMs + dayMs;
const salt = new Uint8Array(32);
const today: Moment = { accountId: 1, atMs: fromMs };
const tomorrow: Moment = { accountId: 1, atMs: untilMs };
const longestDayMs = 26 * 3_600_000;

/** A catalog with days of UTC, and how often each was read. */
function setUp(nowMs = fromMs) {
  const clock = manualClock(nowMs);
  const reads: string[] = [];
  const salts = {
    async dayOf(accountId: number, atMs: number): Promise<SaltDay> {
      const day = Math.floor(atMs / dayMs) * dayMs;
      reads.push(`${accountId} ${(day - fromMs) / dayMs}`);
      return { fromMs: day, untilMs: day + dayMs, salt };
    },
  };
  return { clock, reads, days: createKnownDays(salts, clock) };
}

test('a day is known from its first to its last moment, to its account alone', async () => {
  const { days } = setUp();
  expect(days.of(today)).toBeUndefined();
  await days.learn(today);
  const known = { fromMs, untilMs, salt };
  expect(days.of(today)).toEqual(known);
  expect(days.of({ accountId: 1, atMs: untilMs - 1 })).toEqual(known);
  expect(days.of({ accountId: 1, atMs: fromMs - 1 })).toBeUndefined();
  expect(days.of(tomorrow)).toBeUndefined();
  expect(days.of({ ...today, accountId: 2 })).toBeUndefined();
});

test('those who ask at once share a read, and days are known side by side', async () => {
  const { days, reads } = setUp();
  await Promise.all([days.learn(today), days.learn(today), days.learn({ ...today, accountId: 2 })]);
  expect(reads).toEqual(['1 0', '2 0']);
  await Promise.all([days.learn(today), days.learn(tomorrow)]);
  expect(reads).toEqual(['1 0', '2 0', '1 1']);
  expect(days.of(today)).toMatchObject({ fromMs, salt });
  expect(days.of(tomorrow)).toMatchObject({ fromMs: untilMs, salt });
});

test('a read that fails is made again', async () => {
  let reads = 0;
  const dayOf = async () => {
    reads += 1;
    throw new Error('away');
  };
  const days = createKnownDays({ dayOf }, manualClock(fromMs));
  for (const read of [1, 2]) {
    await expect(days.learn(today)).rejects.toThrow('away');
    expect(reads).toBe(read);
  }
});

test('a day has no salt once its time is over, and is forgotten then', async () => {
  const { days, clock, reads } = setUp();
  await Promise.all([days.learn(today), days.learn({ ...today, accountId: 2 })]);
  await days.learn(tomorrow);
  clock.advance(dayMs + saltUseMs - 1);
  expect(days.of(today)).toEqual({ fromMs, untilMs, salt });
  expect(days.forgetOld()).toBe(false);
  expect(days.of(today)).toEqual({ fromMs, untilMs, salt });

  clock.advance(1);
  expect(days.of(today)).toEqual({ fromMs, untilMs, salt: undefined });
  expect(days.forgetOld()).toBe(true);
  expect(days.forgetOld()).toBe(false);
  expect(days.of(tomorrow)).toMatchObject({ fromMs: untilMs, salt });
  expect(days.of({ ...today, accountId: 2 })).toBeUndefined();
  expect(days.of(today)).toBeUndefined();
  await days.learn(today);
  expect(reads.at(-1)).toBe('1 0');
});

test.each([
  ['the last moment at which its day may have a salt', 0, undefined],
  ['a moment later: no catalog is asked', 1, { fromMs: 0, untilMs: 0, salt: undefined }],
])('of what an import brings: %s', async (_, later, known) => {
  const { days, reads } = setUp(fromMs + longestDayMs + saltUseMs + later);
  expect(days.of(today)).toEqual(known);
  await days.learn(today);
  expect(reads).toHaveLength(known ? 0 : 1);
});
