import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { createServerClock } from './server-clock.ts';

beforeEach(() => vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

test('knows nothing before the first answer', () => {
  expect(createServerClock(systemClock).offsetMs()).toBeUndefined();
});

test('takes the middle of the round trip, and the shortest one', () => {
  const clock = createServerClock(systemClock);
  clock.learn(8_000_000, 400);
  expect(clock.offsetMs()).toBe(7_000_200);
  clock.learn(8_000_100, 100);
  expect(clock.offsetMs()).toBe(7_000_150);
  clock.learn(9_000_000, 300);
  expect(clock.offsetMs()).toBe(7_000_150);
});

test('uses the local clock until the server sends its time', () => {
  const clock = createServerClock(systemClock);
  clock.learn(Number.NaN, 10);
  expect(clock.offsetMs()).toBe(0);
  clock.learn(2_000_000, 500);
  expect(clock.offsetMs()).toBe(1_000_250);
});

test('forgets what it knew when the device sets its clock', () => {
  const clock = createServerClock(systemClock);
  clock.learn(1_000_000, 10);
  vi.setSystemTime(1_060_000);
  expect(clock.offsetMs()).toBeUndefined();
  clock.learn(1_000_000, 900);
  expect(clock.offsetMs()).toBe(-59_550);
});
