import { expect, test } from 'vitest';
import { createStoreClock } from './progress.ts';

const holdMs = 15_000;
const hourMs = 3_600_000;

test('a clock that runs on is taken as it is, also after a pause, or up to a second off', () => {
  const clock = createStoreClock(holdMs);
  expect(clock.through(1_000_000, 0)).toBe(1_000_000);
  expect(clock.through(1_000_500, 500)).toBe(1_000_500);
  expect(clock.through(1_060_500, 60_500)).toBe(1_060_500);
  expect(clock.through(1_060_100, 60_900)).toBe(1_060_100);
  expect(clock.through(1_061_600, 61_400)).toBe(1_061_600);
  expect(clock.through(1_061_600, 62_400)).toBe(1_061_600);
});

test('set back: looked at from the step on, for as long as an insert may take', () => {
  const clock = createStoreClock(holdMs);
  clock.through(10 * hourMs, 0);
  const stepped = 9 * hourMs;
  expect(clock.through(stepped + 400, 500)).toBe(stepped - 100);
  expect(clock.through(stepped + 10_400, 10_500)).toBe(stepped - 100);
  expect(clock.through(stepped + 20_400, 20_500)).toBe(stepped + 20_400);
});

test('set ahead: what was under way at the step is still looked at', () => {
  const clock = createStoreClock(holdMs);
  clock.through(10 * hourMs, 0);
  expect(clock.through(11 * hourMs, 500)).toBe(10 * hourMs);
  expect(clock.through(11 * hourMs + 14_000, 14_500)).toBe(10 * hourMs);
  expect(clock.through(11 * hourMs + 15_000, 15_500)).toBe(11 * hourMs + 15_000);
});

test('two steps: the earlier of both', () => {
  const clock = createStoreClock(holdMs);
  clock.through(10 * hourMs, 0);
  expect(clock.through(8 * hourMs, 500)).toBe(8 * hourMs - 500);
  expect(clock.through(10 * hourMs, 1_000)).toBe(8 * hourMs - 500);
});

test('always whole milliseconds: an answer that came late looks like a step back', () => {
  const clock = createStoreClock(holdMs);
  clock.through(1_000_000, 0.25);
  expect(clock.through(1_000_500, 3_000.125)).toBe(997_500);
  expect(clock.through(1_004_000, 4_000.375)).toBe(997_500);
});
